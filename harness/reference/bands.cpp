// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/bands.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "embedded/reference.h"
#include "harness/core/case.h"

namespace warpmark {
namespace {

// Names of benchmarks in a document may be of any length; ours are short, and a pattern is tried on each.
constexpr std::size_t longest_benchmark = 200;
// Drivers before R470 wrote "Tesla T4", and some still leave the maker out.
constexpr std::array<std::string_view, 2> makers{"nvidia ", "tesla "};

const AxisValue* value_of(const Record& record, const std::string& axis) {
  for (const auto& [name, value] : record.at.at)
    if (name == axis) return &value;
  return nullptr;
}

bool has_places(const Record& record, const Band& band) {
  return std::all_of(band.where.begin(), band.where.end(), [&record](const auto& place) {
    const AxisValue* const value = value_of(record, place.first);
    return value != nullptr && text_of(*value) == place.second;
  });
}

bool has_sizes(const Record& record, const Band& band) {
  return std::all_of(band.at_least.begin(), band.at_least.end(), [&record](const auto& size) {
    const AxisValue* const value = value_of(record, size.first);
    const auto* const number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    return number != nullptr && *number >= size.second;
  });
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool is_blank = c == ' ' || c == '-' || c == '\t';
    if (!is_blank)
      plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!plain.empty() && plain.back() != ' ')
      plain += ' ';
  }
  if (!plain.empty() && plain.back() == ' ') plain.pop_back();
  for (const std::string_view maker : makers)
    if (plain.starts_with(maker)) plain.erase(0, maker.size());
  return plain;
}

bool Band::is_about(const Record& record, std::string_view of_metric) const {
  return of_metric == metric && (arithmetic.empty() || arithmetic_of(record) == arithmetic) &&
         has_places(record, *this) && has_sizes(record, *this) && record.benchmark.size() <= longest_benchmark &&
         std::regex_match(record.benchmark, pattern);
}

const GpuBands* BandTable::find(std::string_view device_name) const {
  const std::string wanted = plain_name(device_name);
  if (wanted.empty()) return nullptr;
  for (const GpuBands& gpu : gpus_)
    if (std::any_of(gpu.names.begin(), gpu.names.end(), [&](const std::string& n) { return plain_name(n) == wanted; }))
      return &gpu;
  return nullptr;
}

const BandTable& own_bands() {
  static const BandTable table = [] {
    std::vector<GpuBands> gpus = parse_bands(embedded::reference().front().text, embedded::reference().front().name);
    for (GpuBands& gpu : gpus) gpu.file.clear();
    return BandTable(std::move(gpus));
  }();
  return table;
}

BandTable bands_with(std::string_view text, std::string_view source) {
  std::vector<GpuBands> gpus = parse_bands(text, source);
  gpus.insert(gpus.end(), own_bands().gpus().begin(), own_bands().gpus().end());
  return BandTable(std::move(gpus));
}

}  // namespace warpmark
