// SPDX-License-Identifier: Apache-2.0
// What the sampler read of each device over all records of a run: clock, power, temperature, what held it down, and
// what went wrong with it meanwhile.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/document.h"
#include "harness/summary/gpu_conditions.h"
#include "harness/summary/sampled.h"

namespace warpmark {

struct DeviceReadings {
  std::string device{};
  std::optional<double> clock_hz{};       // median of the records' medians
  std::optional<double> clock_max_hz{};   // the highest that the device states, of one that is to run at it
  std::optional<double> power_w{};        // the most of the records' medians
  std::optional<double> power_limit_w{};  // that is in force
  std::optional<double> temperature_c{};  // the most
  GpuConditions held{};
  std::optional<SeenLink> link{};  // of readings at work, the most that was seen
  double corrected_errors = 0, uncorrected_errors = 0, remapped_rows = 0;
  std::map<int, std::string> xids{};    // each with the case that it came in first
  std::size_t records = 0, unseen = 0;  // that were measured; of those, the ones without a reading
  std::string why_unseen{};

  [[nodiscard]] bool any() const { return clock_hz || power_w || temperature_c; }
};

/// Of some records of one device of the document.
[[nodiscard]] DeviceReadings readings_of(const Document& document, const nlohmann::json& device,
                                         std::span<const Record* const> records);
/// A device of the document each, in its order.
[[nodiscard]] std::vector<DeviceReadings> device_readings(const Document& document);

/// "clock 1.71 GHz (86.4 % of its highest), 688 W of 700 W and 71 C at most; its power limit held it down 83.0 % of the
/// time". `degrees` is the unit of temperature: not every console has a sign for degrees.
[[nodiscard]] std::string readings_text(const DeviceReadings& readings, std::string_view degrees);

}  // namespace warpmark
