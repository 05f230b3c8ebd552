// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/tensor_cores.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "harness/core/benchmark.h"
#include "harness/core/units.h"
#include "harness/summary/outside_json.h"
#include "harness/summary/question.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// A product that the units would be done with so soon is a matter of starting it.
constexpr double least_seconds = 10e-6;
/// Two numbers of f16 fit a register of f32: what multiply-add units do of them where their own rate is not stated.
constexpr double packed = 2;
constexpr std::int64_t aligned = 8;  // f16 numbers in the sixteen bytes that the units load at a time

/// Of a device, what products are held against; 0 where it is not known.
struct Limits {
  double fma = 0;  // f16, without matrix units
  double memory = 0;
};

double ceiling_of(const json& device, const char* name) {
  return number_in(part_of(part_of(device, "ceilings"), name), "value").value_or(0);
}

Limits limits_of(const json& device) {
  const double f16_fma = ceiling_of(device, "f16_fma");
  return {.fma = f16_fma > 0 ? f16_fma : packed * ceiling_of(device, "f32_fma"),
          .memory = ceiling_of(device, "memory_bandwidth")};
}

std::string place_of(const Record& record) {
  std::string place = record.benchmark;
  for (const auto& [axis, value] : record.at.at) place.append(" ").append(axis).append("=").append(text_of(value));
  return place;
}

/// The cases of one shape, the best of each arithmetic.
using ByArithmetic = std::map<std::string, const CaseSummary*, std::less<>>;

std::vector<ByArithmetic> shapes_of(const RunSummary& run, const std::string& device) {
  std::map<std::tuple<std::string, Mode, std::string>, ByArithmetic> shapes;
  for (const CaseSummary& one : run.cases) {
    const Record& record = one.record();
    if (!one.measured() || record.device != device || one.figures.front().name != flop_rate.name) continue;
    if (family_of(record.benchmark) == "compute")
      continue;                   // its instructions are those of the unit, whatever libraries do
    if (record.course) continue;  // a warm chip's rate says more of its heat than of its units
    const CaseSummary*& best = shapes[{place_of(record), record.at.mode, record.regime}][arithmetic_of(record)];
    if (best == nullptr || better_than(one.figures.front(), best->figures.front())) best = &one;
  }
  std::vector<ByArithmetic> all;
  for (auto& [shape, cases] : shapes) all.push_back(std::move(cases));
  return all;
}

const CaseSummary* found_in(const ByArithmetic& cases, std::string_view arithmetic) {
  const auto found = cases.find(arithmetic);
  return found == cases.end() ? nullptr : found->second;
}

/// The first of the sizes along which numbers lie side by side that is no multiple of what is loaded at a time.
std::string unaligned(const Record& record) {
  for (const auto& [axis, value] : record.at.at) {
    const auto* const size = std::get_if<std::int64_t>(&value);
    if (size != nullptr && (axis == "n" || axis == "k") && *size % aligned != 0)
      return fmt::format("{} {} is no multiple of {}", axis, *size, aligned);
  }
  return "";
}

std::string why_little(const Record& record, double computing, double moving) {
  if (moving > computing)
    return fmt::format("memory bounds it: its operands take {} to move, the units would be done in {}",
                       format_seconds(moving), format_seconds(computing));
  if (std::string why = unaligned(record); !why.empty()) return why;
  if (computing < least_seconds)
    return fmt::format("it is small: the units would be done in {}", format_seconds(computing));
  return "its shape does not tell why";
}

NarrowProduct product_of(const ByArithmetic& cases, const CaseSummary& narrow, const Limits& limits) {
  const Figure& figure = narrow.figures.front();
  const Record& record = narrow.record();
  NarrowProduct product{.f16 = &narrow, .f32 = found_in(cases, "f32"), .tf32 = found_in(cases, "tf32")};
  product.beyond_fma = figure.median > limits.fma;
  const double computing = record.work.flops / *figure.ceiling;
  const double moving = limits.memory > 0 ? record.work.bytes() / limits.memory : 0;
  product.telling = product.beyond_fma || (computing >= least_seconds && computing >= moving);
  if (figure.median < paying_share * *figure.ceiling) product.loss = why_little(record, computing, moving);
  return product;
}

double rate_of(const NarrowProduct& product) { return product.f16->figures.front().median; }

TensorCores cores_of(const RunSummary& run, const std::string& device, const Limits& limits) {
  TensorCores cores{.device = device};
  for (const ByArithmetic& cases : shapes_of(run, device)) {
    const CaseSummary* narrow = found_in(cases, "f16");
    if (narrow == nullptr) narrow = found_in(cases, "bf16");
    // Held against a matrix unit: an f16 rate of multiply-add units is what those units do.
    if (narrow == nullptr || !narrow->figures.front().ceiling || *narrow->figures.front().ceiling <= limits.fma)
      continue;
    cores.products.push_back(product_of(cases, *narrow, limits));
  }
  std::stable_sort(cores.products.begin(), cores.products.end(),
                   [](const NarrowProduct& a, const NarrowProduct& b) { return rate_of(a) > rate_of(b); });
  cores.engaged = cores.beyond() == 0 ? Engaged::no : cores.beyond() < cores.telling() ? Engaged::partly : Engaged::yes;
  return cores;
}

/// "13 x f32": two digits say it.
std::string ratio_text(const NarrowProduct& product, const CaseSummary* other, std::string_view times,
                       std::string_view type) {
  if (other == nullptr || other->figures.front().median <= 0) return "";
  const double ratio = rate_of(product) / other->figures.front().median;
  return fmt::format("{:.{}f}{}{}", ratio, ratio < 9.95 ? 1 : 0, times, type);
}

/// "13 x f32 and 1.9 x TF32"; empty where neither was measured.
std::string ratios_text(const NarrowProduct& product, std::string_view times) {
  const std::string f32 = ratio_text(product, product.f32, times, "f32");
  const std::string tf32 = ratio_text(product, product.tf32, times, "TF32");
  return f32 + (f32.empty() || tf32.empty() ? "" : " and ") + tf32;
}

std::string share_of(const NarrowProduct& product) {
  const Figure& figure = product.f16->figures.front();
  return format_percent(figure.median / *figure.ceiling) + " of the matrix unit";
}

}  // namespace

std::string_view name_of(Engaged engaged) {
  return engaged == Engaged::yes ? "yes" : engaged == Engaged::partly ? "partly" : "no";
}

std::size_t TensorCores::telling() const {
  return static_cast<std::size_t>(
      std::count_if(products.begin(), products.end(), [](const NarrowProduct& each) { return each.telling; }));
}

std::size_t TensorCores::beyond() const {
  return static_cast<std::size_t>(
      std::count_if(products.begin(), products.end(), [](const NarrowProduct& each) { return each.beyond_fma; }));
}

std::vector<TensorCores> tensor_cores(const Document& document, const RunSummary& run) {
  std::vector<TensorCores> all;
  for (const json& device : document.devices) {
    const std::string id = text_in(device, "id");
    const Limits limits = limits_of(device);
    if (text_in(device, "backend") != "cuda" || limits.fma <= 0) continue;
    TensorCores cores = cores_of(run, id, limits);
    if (cores.telling() > 0) all.push_back(std::move(cores));
  }
  return all;
}

std::string tensor_cores_text(const TensorCores& cores, std::string_view times) {
  const NarrowProduct& best = cores.products.front();
  const std::string type = arithmetic_of(best.f16->record());
  const std::string ratios = ratios_text(best, times);
  std::string text = fmt::format("{}: tensor cores: {}", cores.device, name_of(cores.engaged));
  if (cores.engaged == Engaged::partly)
    text += fmt::format(", in {} of {} products that are large enough to tell", cores.beyond(), cores.telling());
  if (cores.engaged == Engaged::no) text += fmt::format("; {} is no faster than multiply-add units are", type);
  return text + fmt::format("; {} {} at its best{} ({}, {})", type,
                            format_rate(rate_of(best), best.f16->figures.front().unit),
                            ratios.empty() ? "" : ", " + ratios, place_of(best.f16->record()), share_of(best));
}

std::vector<std::string> tensor_core_losses(const TensorCores& cores, std::string_view times) {
  std::vector<std::string> lines;
  for (const NarrowProduct& product : cores.products) {
    if (product.loss.empty()) continue;
    const std::string ratios = ratios_text(product, times);
    lines.push_back(fmt::format("{}: {} {}at {}: {}", place_of(product.f16->record()),
                                arithmetic_of(product.f16->record()), ratios.empty() ? "" : ratios + ", ",
                                share_of(product), product.loss));
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

}  // namespace warpmark
