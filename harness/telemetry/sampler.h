// SPDX-License-Identifier: Apache-2.0
// Samples GPUs and host CPUs until the process ends, and tells what went on between two moments. One thread samples and
// may be held by a driver for ever; others ask and are answered all the same.
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

#include "harness/telemetry/cpu_sampler.h"
#include "harness/telemetry/nvml/gpu_news.h"
#include "harness/telemetry/nvml/gpu_sampler.h"
#include "harness/telemetry/readings.h"

namespace warpmark {

/// 25 times a second.
inline constexpr double usual_period_seconds = 0.04;

/// What to sample, and how often.
struct SampleOrder {
  std::vector<std::string> gpus{};  // PCI addresses as sysfs writes them
  std::vector<int> cpus{};          // empty: all
  double period_seconds = usual_period_seconds;
};

class Sampler {
 public:
  /// `nvml` outlives it.
  explicit Sampler(const nvml::Opened& nvml) : nvml_(nvml) {}

  /// Samples from `begin` on, and never returns.
  [[noreturn]] void run();
  /// Once. A GPU that is not there is denied in what is told of it.
  void begin(const SampleOrder& order);
  /// Returns when the reading that is being taken has been taken, or is stuck.
  void pause(bool is_paused);
  /// A record's `telemetry.sampled` for what was measured on this GPU, or on the host's CPUs where it is empty.
  [[nodiscard]] nlohmann::json between(double begin_seconds, double end_seconds, const std::string& gpu);

 private:
  struct Gpu {
    Gpu(const nvml::Functions& library, nvml::Device device, std::string address)
        : pci(std::move(address)),
          sampler(library, device),
          news(library, device),
          library_(library),
          device_(device) {}
    [[nodiscard]] nlohmann::json link(nlohmann::json& sampled) const;

    std::string pci;
    nvml::GpuSampler sampler;
    nvml::GpuNews news;
    Readings readings{};
    std::vector<Denied> denied{};  // the sampler's own belongs to the thread that samples

   private:
    const nvml::Functions& library_;
    nvml::Device device_;
  };

  void open_gpus(const std::vector<std::string>& addresses);
  void take_readings();
  [[nodiscard]] bool is_stuck() const;
  [[nodiscard]] nlohmann::json gpu_between(double begin_seconds, double end_seconds, Gpu& gpu);

  const nvml::Opened& nvml_;
  std::mutex mutex_{};  // of what follows; never held while a driver is asked by the sampling thread
  std::condition_variable changed_{};
  std::vector<std::unique_ptr<Gpu>> gpus_{};
  std::optional<CpuSampler> cpu_{};
  Readings cpu_readings_{};
  double period_seconds_ = 0;  // 0: not begun
  bool paused_ = false;
  bool off_ = false;  // it was paused since somebody last asked
  /// By the date, in milliseconds, which no simulation moves; 0 between readings.
  std::atomic<std::int64_t> reading_since_ms_{0};
};

/// The address of a GPU as sysfs writes it: "0000:1b:00.0".
[[nodiscard]] std::string pci_address(const nvml::PciInfo& info);

}  // namespace warpmark
