// SPDX-License-Identifier: Apache-2.0
// The supervisor's side of the sampler process: what NVML says of the GPUs, and what they did while a case ran. Nothing
// here fails a run: what cannot be had is said in the place of the answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/core/record.h"
#include "harness/device/device.h"
#include "harness/run/process.h"

namespace warpmark {

class SamplerClient {
 public:
  /// NVML starts GPUs that nobody holds, one after the other.
  static constexpr std::chrono::milliseconds longest_start = std::chrono::seconds(30);

  /// Starts the process at once, which takes its time: at most `longest`.
  explicit SamplerClient(Processes& processes = system_processes(), std::chrono::milliseconds longest = longest_start);

  /// What NVML says (harness/telemetry/nvml/card.h), waited for at most as long as a driver may take to start. Without
  /// an answer there are no GPUs in it, and `nvml.why` says what the process did.
  [[nodiscard]] const nlohmann::json& card();

  /// Samples this device and the host from now on. Waits for the card.
  void begin(const DeviceInfo& device);
  /// To be called before each case: holds the sampler, or lets it go on, also one that had died. Nothing is sampled any
  /// more when it returns from holding. Waits for an answer, at most two seconds, and then for the process to die.
  void pause(bool is_paused);
  /// Puts what was sampled while the record was measured into its telemetry. Waits as `pause` does.
  void add_to(Record& record);
  /// What the process has cost: {"cpu_seconds", "seconds", "period_seconds"}; null where it does not tell.
  [[nodiscard]] nlohmann::json usage();
  /// The process, where it cannot be ended.
  [[nodiscard]] std::optional<pid_t> end();

 private:
  using Deadline = std::chrono::steady_clock::time_point;

  void start();
  /// Has one that was started again sample, as soon as it has sent its card.
  void go_on();
  void wait_for_card(Deadline deadline);
  /// Null where it does not answer in time or is no more; then it is ended and `lost_` says why.
  [[nodiscard]] nlohmann::json ask(nlohmann::json command);
  [[nodiscard]] std::optional<nlohmann::json> next_line(Deadline deadline);
  void lose(const std::string& how);
  void give_up();

  Processes& processes_;
  std::chrono::milliseconds longest_;
  std::optional<Child> child_{};
  Deadline started_{};
  bool has_started_ = false;  // it has sent its card
  nlohmann::json card_{};
  nlohmann::json order_{};  // of what to sample; null before begin()
  std::string gpu_{};       // PCI address; empty for the host's CPUs
  std::string lost_{};      // why nothing is sampled
  std::optional<pid_t> unended_{};
  std::int64_t asked_ = 0;
  int losses_ = 0;
  bool is_paused_ = false;
};

}  // namespace warpmark
