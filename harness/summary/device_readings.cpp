// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/device_readings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/units.h"
#include "harness/stats/order.h"
#include "harness/summary/gpu_card.h"
#include "harness/summary/outside_json.h"

namespace warpmark {
namespace {

using nlohmann::json;

void raise(std::optional<double>& most, double value) { most = std::max(most.value_or(value), value); }

/// What went wrong belongs to the device whether or not the record has a number to use: it may be why it has none.
void add_events(const Record& record, const SampledTelemetry& sampled, DeviceReadings& to) {
  to.corrected_errors += sampled.corrected_errors;
  to.uncorrected_errors += sampled.uncorrected_errors;
  to.remapped_rows += sampled.remapped_rows;
  for (const int xid : sampled.xids) to.xids.try_emplace(xid, record.id);
}

void add_link(const SampledTelemetry& sampled, DeviceReadings& to) {
  if (!sampled.link || !sampled.at_work()) return;
  if (!to.link) to.link = sampled.link;
  to.link->generation = std::max(to.link->generation, sampled.link->generation);
  to.link->width = std::max(to.link->width, sampled.link->width);
  to.link->max_generation = std::max(to.link->max_generation, sampled.link->max_generation);
  to.link->max_width = std::max(to.link->max_width, sampled.link->max_width);
}

void add_readings(const Record& record, const SampledTelemetry& sampled, DeviceReadings& to) {
  if (sampled.power_w) raise(to.power_w, sampled.power_w->median);
  if (sampled.temperature_c) raise(to.temperature_c, sampled.temperature_c->max);
  add(record, to.held);
  add_link(sampled, to);
  ++to.records;
  if (!sampled.missing()) return;
  ++to.unseen;
  if (to.why_unseen.empty()) to.why_unseen = sampled.why_not;
}

std::string clock_text(const DeviceReadings& readings) {
  std::string text = "clock " + format_rate(*readings.clock_hz, "Hz");
  if (readings.clock_max_hz && *readings.clock_max_hz > 0)
    text += fmt::format(" ({} of its highest)", format_percent(*readings.clock_hz / *readings.clock_max_hz));
  return text;
}

/// "688 W of 700 W and 71 C at most"
std::string at_most_text(const DeviceReadings& readings, std::string_view degrees) {
  std::vector<std::string> parts;
  if (readings.power_w) {
    parts.push_back(fmt::format("{:.0f} W", *readings.power_w));
    if (readings.power_limit_w) parts.back() += fmt::format(" of {:.0f} W", *readings.power_limit_w);
  }
  if (readings.temperature_c) parts.push_back(fmt::format("{:.0f} {}", *readings.temperature_c, degrees));
  return parts.empty() ? "" : fmt::format("{} at most", fmt::join(parts, " and "));
}

}  // namespace

DeviceReadings readings_of(const Document& document, const json& device, std::span<const Record* const> records) {
  DeviceReadings readings{.device = text_in(device, "id")};
  const json& card = gpu_card_of(document.machine, device);
  readings.clock_max_hz = number_in(part_of(card, "clocks"), "max_sm_hz");  // from where the readings come
  if (!readings.clock_max_hz && text_in(device, "backend") != "cpu")
    readings.clock_max_hz = number_in(device, "max_clock_hz");
  const json& power = part_of(card, "power");
  readings.power_limit_w = number_in(power, "enforced_limit_w");
  if (!readings.power_limit_w) readings.power_limit_w = number_in(power, "limit_w");
  std::vector<double> clocks;
  for (const Record* record : records) {
    const auto sampled = sampled_of(record->telemetry);
    if (!sampled) continue;
    add_events(*record, *sampled, readings);
    if (!measured(record->status)) continue;
    add_readings(*record, *sampled, readings);
    if (sampled->clock_hz) clocks.push_back(sampled->clock_hz->median);
  }
  if (!clocks.empty()) readings.clock_hz = median(sorted(clocks));
  return readings;
}

std::vector<DeviceReadings> device_readings(const Document& document) {
  std::vector<DeviceReadings> all;
  if (!document.devices.is_array()) return all;
  std::map<std::string, std::vector<const Record*>> records;
  for (const Record& record : document.records) records[record.device].push_back(&record);
  for (const json& device : document.devices)
    all.push_back(readings_of(document, device, records[text_in(device, "id")]));
  return all;
}

std::string readings_text(const DeviceReadings& readings, std::string_view degrees) {
  std::vector<std::string> parts;
  if (readings.clock_hz) parts.push_back(clock_text(readings));
  if (std::string text = at_most_text(readings, degrees); !text.empty()) parts.push_back(std::move(text));
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  for (std::size_t i = 0; i < hold_reasons.size(); ++i) {
    const double share = readings.held.share(i);
    if (hold_reasons.at(i).kind != HoldKind::benign && share > least_held_share)
      text += fmt::format("; {} held it down {} of the time", hold_reasons.at(i).words, format_percent(share));
  }
  return text;
}

}  // namespace warpmark
