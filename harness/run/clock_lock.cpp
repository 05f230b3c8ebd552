// SPDX-License-Identifier: Apache-2.0
#include "harness/run/clock_lock.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "harness/core/units.h"
#include "harness/telemetry/cpu_clock_lock.h"

namespace warpmark {
namespace {

using nlohmann::json;

// A fixed clock is the same in every reading; the counter of clocks is good to about 1 %.
constexpr double most_spread = 0.02;
constexpr double least_share = 0.5;  // of the readings: some fall between two launches

constexpr std::string_view lock_command =
    "`sudo nvidia-smi --lock-gpu-clocks=1200,1200` fixes it, at a clock of your own; containers and rented machines "
    "often forbid that";

/// Of the readings, how many had the driver hold the clock at what somebody set; empty where there are none.
std::optional<double> share_of_setting(const json& sampled) {
  const auto held = sampled.find("held_down");
  if (held == sampled.end() || !held->is_array()) return std::nullopt;
  for (const json& each : *held)
    if (each.value("reason", "") == "application_clocks") return each.value("share", 0.0);
  return 0;
}

std::vector<int> cpus_of(const DeviceInfo& device) {
  const auto cpus = device.facts.find("cpus");
  return cpus == device.facts.end() ? std::vector<int>() : cpus->get<std::vector<int>>();
}

}  // namespace

ClockLock::ClockLock(const DeviceInfo& device, const FileRoot& root) : is_gpu_(device.backend == "cuda") {
  if (is_gpu_) return;
  const CpuClockLock lock = cpu_clock_lock(root, cpus_of(device));
  cpu_clock_hz_ = lock.clock_hz.value_or(0);
  why_not_ = lock.why_not;
}

std::string ClockLock::look_at(const Record& record) {
  const json sampled = record.telemetry.value("sampled", json::object());
  const std::optional<double> share = share_of_setting(sampled);
  // A case of milliseconds may have no reading of its own.
  if (!share && !has_seen_lock_)
    return "nothing was read of the GPU's clock beside it, so nobody can tell whether it was fixed; longer cases have "
           "readings";
  if (share && *share < least_share) {
    if (!has_seen_lock_)
      why_not_ = fmt::format("the driver says of no limit that somebody set, so the GPU's clock is not fixed: {}",
                             lock_command);
    return why_not_.empty() ? "the driver no longer held the GPU's clock at what somebody set" : why_not_;
  }
  has_seen_lock_ = true;
  const auto clock = record.telemetry.find("clock_hz");
  if (clock == record.telemetry.end()) return {};
  const double low = clock->value("p5", 0.0), high = clock->value("p95", 0.0), middle = clock->value("median", 0.0);
  if (high - low <= most_spread * middle) return {};
  return fmt::format(
      "the GPU's clock is fixed and did not stay: {} to {} while it was measured, held down by heat or power; fix a "
      "lower one",
      format_rate(low, "Hz"), format_rate(high, "Hz"));
}

void ClockLock::judge(Record& record) {
  if (!measured(record.status)) return;
  const std::string why = is_gpu_ ? look_at(record) : why_not_;
  if (!why.empty()) {
    record.status = Status::denied;
    record.why = why;
    record.metrics.clear();
    return;
  }
  const auto clock = record.telemetry.find("clock_hz");
  const double read_hz = clock == record.telemetry.end() ? 0 : clock->value("median", 0.0);
  record.about["locked_clock_hz"] = is_gpu_ ? read_hz : cpu_clock_hz_;
}

}  // namespace warpmark
