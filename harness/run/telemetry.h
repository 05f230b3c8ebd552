// SPDX-License-Identifier: Apache-2.0
// The supervisor's side of the sampler process: what NVML says of the GPUs, and what they did while a case ran. Nothing
// here fails a run: what cannot be had is said in the place of the answer.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/core/record.h"
#include "harness/device/device.h"
#include "harness/run/process.h"

namespace warpmark {

class Telemetry {
 public:
  /// NVML starts GPUs that nobody holds, one after the other.
  static constexpr std::chrono::milliseconds longest_start = std::chrono::seconds(30);

  /// Starts the process at once, which takes its time: at most `longest`.
  explicit Telemetry(Processes& processes = system_processes(), std::chrono::milliseconds longest = longest_start);

  /// What NVML says (harness/telemetry/nvml/card.h), waited for at most as long as a driver may take to start. Without
  /// an answer there are no GPUs in it, and `nvml.why` says what the process did.
  [[nodiscard]] const nlohmann::json& card();

  /// Samples this device and the host from now on.
  void begin(const DeviceInfo& device);
  /// Holds the sampler, or lets it go on. Nothing is sampled any more when it returns.
  void pause(bool is_paused);
  /// Puts what was sampled while the record was measured into its telemetry.
  void add_to(Record& record);
  /// What the process has cost: {"cpu_seconds", "seconds", "period_seconds"}; null where it does not tell.
  [[nodiscard]] nlohmann::json usage();
  /// The process, where it cannot be ended.
  [[nodiscard]] std::optional<pid_t> end();

 private:
  void start();
  /// Null where it does not answer in time or is no more; then it is ended and `lost_` says why.
  [[nodiscard]] nlohmann::json ask(nlohmann::json command);
  [[nodiscard]] std::optional<nlohmann::json> next_line(std::chrono::steady_clock::time_point deadline);
  void lose(const std::string& how);

  Processes& processes_;
  std::chrono::milliseconds longest_;
  std::optional<Child> child_{};
  std::chrono::steady_clock::time_point started_{};
  nlohmann::json card_{};
  nlohmann::json order_{};  // of what to sample; null before begin()
  std::string gpu_{};       // PCI address; empty for the host's CPUs
  std::string lost_{};      // why nothing is sampled any more
  std::optional<pid_t> unended_{};
  std::int64_t asked_ = 0;
  int deaths_ = 0;
  bool is_paused_ = false;
};

}  // namespace warpmark
