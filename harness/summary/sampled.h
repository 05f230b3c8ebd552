// SPDX-License-Identifier: Apache-2.0
// What the sampler process read while a record was measured: Record::telemetry's "sampled", where any of it may be
// missing or of another type.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/hold_reasons.h"

namespace warpmark {

struct ReadingRange {
  double median = 0, min = 0, max = 0;
};

/// The PCIe link: the most that was seen of it, and the most that card and slot can together.
struct SeenLink {
  int generation = 0, width = 0;
  int max_generation = 0, max_width = 0;

  [[nodiscard]] bool narrow() const { return generation < max_generation || width < max_width; }
};

struct SampledTelemetry {
  bool off = false;     // a case that wants no sampler beside it
  double readings = 0;  // inside the window
  std::optional<ReadingRange> clock_hz{}, power_w{}, temperature_c{}, utilization{};
  std::optional<SeenLink> link{};
  std::array<double, hold_reasons.size()> held{};  // share of the readings, in the order of hold_reasons
  double corrected_errors = 0, uncorrected_errors = 0, remapped_rows = 0;  // new since the record before
  std::vector<int> xids{};
  double foreign_processes = 0;
  std::string why_not{};  // the first reason for something that is missing

  /// There was to be a reading and is none. A window that is shorter than a period has none either, and no reason.
  [[nodiscard]] bool missing() const { return !off && readings <= 0 && !why_not.empty(); }
  /// A link at rest slows down to save power, so only readings of a GPU at work say what it can.
  [[nodiscard]] bool at_work() const { return utilization && utilization->median >= 0.5; }
};

/// Empty where the record has none: of a version before the sampler.
[[nodiscard]] std::optional<SampledTelemetry> sampled_of(const nlohmann::json& telemetry);

}  // namespace warpmark
