// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/sampled.h"

#include <algorithm>
#include <cmath>

#include "harness/summary/outside_json.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr double most_counted = 0x1p53;
constexpr std::size_t most_xids = 1000;

std::optional<ReadingRange> range_in(const json& sampled, std::string_view key) {
  const json& range = part_of(sampled, key);
  const auto median = number_in(range, "median");
  if (!median) return std::nullopt;
  return ReadingRange{.median = *median,
                      .min = std::min(*median, number_in(range, "min").value_or(*median)),
                      .max = std::max(*median, number_in(range, "max").value_or(*median))};
}

double count_in(const json& object, std::string_view key) {
  return std::min(most_counted, std::floor(number_in(object, key).value_or(0)));
}

/// 0 for what is no generation and no width of PCIe.
int lanes_in(const json& object, std::string_view key) {
  const double value = number_in(object, key).value_or(0);
  return value <= 64 ? static_cast<int>(value) : 0;
}

std::optional<SeenLink> link_in(const json& sampled) {
  const json& pcie = part_of(sampled, "pcie");
  const SeenLink link{.generation = lanes_in(part_of(pcie, "generation"), "max"),
                      .width = lanes_in(part_of(pcie, "width"), "max"),
                      .max_generation = lanes_in(pcie, "max_generation"),
                      .max_width = lanes_in(pcie, "max_width")};
  return link.generation > 0 && link.width > 0 ? std::optional(link) : std::nullopt;
}

/// Of the time: by the readings, or by the driver's own counter, which also sees what comes and goes between two.
double share_of(const json& held, double seconds) {
  const double by_readings = number_in(held, "share").value_or(0);
  const double by_counter = seconds > 0 ? number_in(held, "seconds").value_or(0) / seconds : 0;
  return std::min(1.0, std::max(by_readings, by_counter));
}

void read_holds(const json& list, double seconds, SampledTelemetry& to) {
  if (!list.is_array()) return;
  for (const json& one : list) {
    const std::size_t place = place_of_reason(text_in(one, "reason"));
    if (place < hold_reasons.size()) to.held.at(place) = std::max(to.held.at(place), share_of(one, seconds));
  }
  // A driver sets the general reason beside the one that it has: that is one cause, not two.
  double& general = to.held.at(place_of_reason("hw_slowdown"));
  general = std::max(0.0, general - std::max(to.held.at(place_of_reason("hw_thermal")),
                                             to.held.at(place_of_reason("hw_power_brake"))));
}

void read_xids(const json& list, SampledTelemetry& to) {
  if (!list.is_array()) return;
  for (const json& one : list) {
    if (!one.is_number() || to.xids.size() >= most_xids) continue;
    const double number = one.get<double>();
    if (number > 0 && number < 100000) to.xids.push_back(static_cast<int>(number));
  }
}

std::string first_reason(const json& denied) {
  if (!denied.is_array()) return {};
  for (const json& one : denied)
    if (std::string why = text_in(one, "why"); !why.empty()) return why;
  return {};
}

}  // namespace

std::optional<SampledTelemetry> sampled_of(const json& telemetry) {
  const json& members = part_of(telemetry, "sampled");
  if (!members.is_object()) return std::nullopt;
  SampledTelemetry sampled{.off = part_of(members, "off") == true,
                           .readings = count_in(members, "readings"),
                           .clock_hz = range_in(members, "clock_hz"),
                           .power_w = range_in(members, "power_w"),
                           .temperature_c = range_in(members, "temperature_c"),
                           .utilization = range_in(members, "utilization"),
                           .link = link_in(members)};
  const json& window = part_of(telemetry, "window");
  read_holds(part_of(members, "held_down"),
             number_in(window, "end").value_or(0) - number_in(window, "begin").value_or(0), sampled);
  sampled.corrected_errors = count_in(part_of(members, "ecc"), "corrected");
  sampled.uncorrected_errors = count_in(part_of(members, "ecc"), "uncorrected");
  sampled.remapped_rows = count_in(members, "remapped_rows");
  read_xids(part_of(members, "xids"), sampled);
  sampled.foreign_processes = count_in(members, "foreign_processes");
  sampled.why_not = first_reason(part_of(members, "denied"));
  return sampled;
}

}  // namespace warpmark
