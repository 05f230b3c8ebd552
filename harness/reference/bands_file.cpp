// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

#include "harness/core/error.h"
#include "harness/core/nearest.h"
#include "harness/core/pattern.h"
#include "harness/core/printable.h"
#include "harness/core/toml_text.h"
#include "harness/reference/band_units.h"
#include "harness/reference/bands.h"

namespace warpmark {
namespace {

constexpr std::string_view bands_schema = "warpmark.bands/1";
constexpr std::size_t longest_line = 2000;  // bounds the dots of a key, each of which takes some of the reader's stack
constexpr std::size_t longest_text = 300;
constexpr std::size_t most_bands = 2000;
constexpr std::size_t most_names = 50;
constexpr std::string_view usual_units = "GB/s, TFLOP/s, TOP/s, us";

using Words = std::initializer_list<std::string_view>;

/// Reads one file; every complaint begins with its place.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  std::vector<GpuBands> read(const toml::table& file) {
    if (const auto* schema = file["schema"].as_string(); schema == nullptr || schema->get() != bands_schema)
      refuse(file.contains("schema") ? *file.get("schema") : static_cast<const toml::node&>(file),
             fmt::format("a file of bands begins with: schema = \"{}\"", bands_schema));
    expect_keys(file, {"schema", "gpu"}, "the file");
    const toml::array& gpus = tables_of(file, "gpu", "[[gpu]]", "the file");
    std::vector<GpuBands> all;
    for (const toml::node& gpu : gpus) {
      all.push_back(gpu_of(*gpu.as_table()));
      expect_new(gpu, all.back());
    }
    return all;
  }

 private:
  [[noreturn]] void refuse(const toml::node& at, const std::string& what) const {
    throw UsageError(fmt::format("{}, line {}: {}", source_, at.source().begin.line, what));
  }

  void expect_keys(const toml::table& table, Words known, std::string_view what) const {
    const std::vector<std::string> words(known.begin(), known.end());
    for (const auto& [key, node] : table) {
      if (std::find(words.begin(), words.end(), key.str()) != words.end()) continue;
      const std::string meant = near_enough(key.str(), words);
      throw UsageError(fmt::format(
          "{}, line {}: {} has no key \"{}\"; {}", source_, key.source().begin.line, what, printable(key.str()),
          meant.empty() ? fmt::format("it has {}", fmt::join(words, ", ")) : fmt::format("did you mean {}?", meant)));
    }
  }

  [[nodiscard]] const toml::array& tables_of(const toml::table& table, std::string_view key, std::string_view head,
                                             std::string_view what) const {
    const toml::array* const array = table[key].as_array();
    if (array == nullptr || array->empty() ||
        !std::all_of(array->begin(), array->end(), [](const toml::node& one) { return one.is_table(); }))
      refuse(table.contains(key) ? *table.get(key) : static_cast<const toml::node&>(table),
             fmt::format("{} needs at least one {}", what, head));
    return *array;
  }

  [[nodiscard]] const toml::node& needed(const toml::table& table, std::string_view key, std::string_view what,
                                         std::string_view example) const {
    if (const toml::node* const node = table.get(key)) return *node;
    refuse(table, fmt::format("{} has no {}; add {} = {}", what, key, key, example));
  }

  [[nodiscard]] std::string text_in(const toml::node& node, std::string_view key) const {
    const auto* const text = node.as_string();
    if (text == nullptr || text->get().empty()) refuse(node, fmt::format("{} has to be a text in quotes", key));
    if (text->get().size() > longest_text)
      refuse(node, fmt::format("{} is longer than {} bytes; write it shorter", key, longest_text));
    return text->get();
  }

  [[nodiscard]] std::string optional_text(const toml::table& table, std::string_view key) const {
    const toml::node* const node = table.get(key);
    return node == nullptr ? std::string() : text_in(*node, key);
  }

  [[nodiscard]] double number_in(const toml::node& node, std::string_view key) const {
    const auto number = node.value<double>();  // an integer too
    if (!node.is_number() || !number || !std::isfinite(*number) || *number < 0)
      refuse(node, fmt::format("{} has to be a number of 0 or more", key));
    return *number;
  }

  [[nodiscard]] GpuBands gpu_of(const toml::table& table) {
    expect_keys(table, {"model", "names", "band"}, "[[gpu]]");
    GpuBands gpu{.model = text_in(needed(table, "model", "[[gpu]]", "\"H200\""), "model"),
                 .names = names_in(needed(table, "names", "[[gpu]]",
                                          "[\"NVIDIA H200\"], as `warpmark list devices` "
                                          "has it")),
                 .file = std::string(source_)};
    for (const toml::node& node : tables_of(table, "band", "[[gpu.band]]", "[[gpu]]")) {
      if (++bands_ > most_bands)
        refuse(node, fmt::format("a file may have {} bands at most; make two files of it", most_bands));
      gpu.bands.push_back(band_of(*node.as_table()));
    }
    return gpu;
  }

  [[nodiscard]] std::vector<std::string> names_in(const toml::node& node) const {
    const toml::array* const array = node.as_array();
    if (array == nullptr || array->empty() || array->size() > most_names)
      refuse(node, fmt::format("names has to be a list of 1 to {} texts, such as [\"NVIDIA H200\"]", most_names));
    std::vector<std::string> names;
    for (const toml::node& name : *array) names.push_back(text_in(name, "each of names"));
    return names;
  }

  /// The first of two models of one name would hide the other, and most likely one of them is a slip.
  void expect_new(const toml::node& at, const GpuBands& gpu) {
    for (const std::string& name : gpu.names) {
      const auto [known, is_new] = models_.try_emplace(plain_name(name), gpu.model);
      if (!is_new)
        refuse(at, fmt::format("\"{}\" is a name of the model {} already; name it once, with all its bands there",
                               printable(name), printable(known->second)));
    }
  }

  [[nodiscard]] Band band_of(const toml::table& table) const {
    constexpr std::string_view what = "[[gpu.band]]";
    expect_keys(table,
                {"benchmarks", "arithmetic", "metric", "unit", "low", "high", "where", "at_least", "source", "date",
                 "conditions"},
                what);
    Band band{.benchmarks = text_in(needed(table, "benchmarks", what, "\"memory/triad\""), "benchmarks"),
              .arithmetic = optional_text(table, "arithmetic"),
              .metric = text_in(needed(table, "metric", what, "\"bandwidth\""), "metric"),
              .source = text_in(needed(table, "source", what, "\"who says so, and where\""), "source"),
              .date = text_in(needed(table, "date", what, "\"2026-08-22\""), "date"),
              .conditions = optional_text(table, "conditions"),
              .line = table.source().begin.line};
    read_pattern(table, band);
    read_range(table, band);
    read_axes(table, band);
    return band;
  }

  void read_pattern(const toml::table& table, Band& band) const {
    try {
      band.pattern = pattern_of(band.benchmarks);
    } catch (const std::regex_error& error) {
      refuse(*table.get("benchmarks"), fmt::format("benchmarks is not a regular expression: {}", error.what()));
    }
  }

  void read_range(const toml::table& table, Band& band) const {
    const toml::node& unit = needed(table, "unit", "[[gpu.band]]", "\"GB/s\"");
    const std::string name = text_in(unit, "unit");
    const auto known = band_unit_named(name);
    if (!known) refuse(unit, fmt::format("there is no unit \"{}\"; write {}", printable(name), usual_units));
    const double low = number_in(needed(table, "low", "[[gpu.band]]", "3400"), "low");
    const double high = number_in(needed(table, "high", "[[gpu.band]]", "4500"), "high");
    if (low >= high) refuse(*table.get("low"), fmt::format("low is {} and high {}; low has to be less", low, high));
    band.unit = known->metric;
    band.low = known->of(low);
    band.high = known->of(high);
  }

  void read_axes(const toml::table& table, Band& band) const {
    for (const auto& [axis, value] : axes_in(table, "where")) {
      const auto* const number = value->as_integer();
      band.where[axis] = number == nullptr ? text_in(*value, "each of where") : std::to_string(number->get());
    }
    for (const auto& [axis, value] : axes_in(table, "at_least")) {
      const auto* const number = value->as_integer();
      if (number == nullptr) refuse(*value, "each of at_least has to be a whole number, such as {n = 8192}");
      band.at_least[axis] = number->get();
    }
  }

  [[nodiscard]] std::vector<std::pair<std::string, const toml::node*>> axes_in(const toml::table& table,
                                                                               std::string_view key) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr) return {};
    const toml::table* const axes = node->as_table();
    if (axes == nullptr) refuse(*node, fmt::format("{} has to be axes and values, such as {{n = 8192}}", key));
    std::vector<std::pair<std::string, const toml::node*>> all;
    for (const auto& [axis, value] : *axes) all.emplace_back(axis.str(), &value);
    return all;
  }

  std::string_view source_;
  std::size_t bands_ = 0;
  std::map<std::string, std::string> models_{};  // by each plain name
};

void expect_bounded(std::string_view text, std::string_view source) {
  if (text.size() > most_bands_bytes)
    throw UsageError(fmt::format("{}: is larger than {} KiB; leave out the models that you do not have", source,
                                 most_bands_bytes >> 10U));
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > longest_line)
      throw UsageError(fmt::format("{}, line {}: is longer than {} bytes; break it", source, number, longest_line));
    begin = end + 1;
  }
}

}  // namespace

std::vector<GpuBands> parse_bands(std::string_view text, std::string_view source) {
  const std::string shown = printable(source);
  expect_bounded(text, shown);
  return Reader(shown).read(parse_toml(text, shown));
}

}  // namespace warpmark
