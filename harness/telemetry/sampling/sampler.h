// SPDX-License-Identifier: Apache-2.0
// Samples GPUs and host CPUs until the process ends, and tells what went on between two moments. One thread samples and
// may be held by a driver for ever; another asks and is answered all the same. Times are seconds of CLOCK_MONOTONIC.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/telemetry/sampling/cpu_sampler.h"
#include "harness/telemetry/sampling/gpu_events.h"
#include "harness/telemetry/sampling/gpu_sampler.h"
#include "harness/telemetry/sampling/readings.h"

namespace warpmark {

/// 25 times a second.
inline constexpr double usual_period_seconds = 0.04;

/// What to sample, and how often.
struct SampleOrder {
  std::vector<std::string> gpus{};  // PCI addresses as sysfs writes them
  std::vector<int> cpus{};          // empty: all
  double period_seconds = usual_period_seconds;
  unsigned own_processes = 1;  // of ours that work on each GPU
};

class Sampler {
 public:
  /// `nvml` outlives it.
  explicit Sampler(const nvml::Opened& nvml) : nvml_(nvml) {}

  /// Samples from `begin` on, and never returns.
  [[noreturn]] void run();
  /// Once. A GPU that is not there is denied in what is told of it. Asks the driver, which may hang.
  void begin(const SampleOrder& order);
  /// Returns when the reading that is being taken has been taken, or is stuck.
  void pause(bool is_paused);
  /// A record's `telemetry.sampled` for what was measured on this GPU, or on the host's CPUs where it is empty. Errors,
  /// Xids and the like are told once. Asks the driver for them, which may hang, unless it hangs already.
  [[nodiscard]] nlohmann::json window(double begin_seconds, double end_seconds, const std::string& gpu);
  /// Nobody will ask for a window that begins before.
  void forget_before(double seconds);

 private:
  struct Gpu {
    Gpu(const nvml::Functions& library, nvml::Device device, std::string address, unsigned own_processes);

    std::string pci;
    nvml::GpuSampler sampler;
    nvml::GpuEvents events;
    Readings readings{};
    std::vector<Denied> denied{};  // the sampler's own belongs to the thread that samples
    nvml::Answer<unsigned> max_link_generation{}, max_link_width{};
  };

  void open_gpus(const SampleOrder& order);
  void take_readings();
  [[nodiscard]] bool is_stuck() const;
  [[nodiscard]] bool was_off(double begin_seconds, double end_seconds) const;
  [[nodiscard]] nlohmann::json of_gpu(double begin_seconds, double end_seconds, const std::string& pci, bool stuck);

  const nvml::Opened& nvml_;
  std::mutex mutex_{};  // of what follows; never held while a driver is asked by the sampling thread
  std::condition_variable changed_{};
  std::vector<std::unique_ptr<Gpu>> gpus_{};
  std::string why_not_opened_{};  // the first reason for a GPU that could not be asked
  std::optional<CpuSampler> cpu_{};
  Readings cpu_readings_{};
  double period_seconds_ = 0;  // 0: not begun
  bool paused_ = false;
  double paused_at_ = 0, resumed_at_ = 0;  // the last time; 0: never
  /// By a clock that no simulation moves, in milliseconds; 0 between readings.
  std::atomic<std::int64_t> reading_since_ms_{0};
};

}  // namespace warpmark
