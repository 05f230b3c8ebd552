// SPDX-License-Identifier: Apache-2.0
// A device that does what a test says: how long every launch takes, what its probe and its clock read, how much memory
// it has, and what goes wrong. Work runs when somebody waits for it, so that a wait that is missing shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/device.h"

namespace warpmark {

using LaunchSeconds = std::function<double(std::int64_t launch)>;

/// `first` launches of `warm` seconds each, then one launch per entry of `then`; its last entry stays.
[[nodiscard]] LaunchSeconds seconds_by_launch(std::int64_t first, double warm, const std::vector<double>& then);

struct Script {
  LaunchSeconds seconds = [](std::int64_t) { return 0.010; };  // on the device's clock
  double submit_seconds = 0;                                   // that the host spends per launch
  std::vector<double> clock_hz{};                              // readings in order, the last one stays; empty: none
  std::vector<double> probe{};                                 // the same
  std::optional<nlohmann::json> telemetry{};                   // what a watch sees; empty: there is nothing to watch
  std::int64_t memory_bytes = std::int64_t{1} << 30;
  std::function<bool(std::int64_t launch)> writes = [](std::int64_t) { return true; };
  std::function<void(std::int64_t launch, std::span<double> result)> spoil = [](std::int64_t, std::span<double>) {};
};

class ScriptedDevice final : public Device {
 public:
  explicit ScriptedDevice(std::string id = "scripted:0");

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t memory_available() const override { return script_.memory_bytes - live_bytes_; }
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  [[nodiscard]] std::unique_ptr<Stream> stream() override;
  [[nodiscard]] std::optional<double> probe(std::string_view unit) override;
  [[nodiscard]] std::optional<double> clock_hz() override;
  [[nodiscard]] Watch watch() override;
  void measure_ceilings() override {}
  void adopt_ceilings(Ceilings ceilings) override { info_.ceilings = std::move(ceilings); }

  [[nodiscard]] Script& script() { return script_; }
  [[nodiscard]] DeviceInfo& change_info() { return info_; }

  /// What has happened so far.
  std::int64_t launches = 0, allocations = 0, fills = 0, poisons = 0;
  std::vector<std::int64_t> watched{};  // launches at the beginning and at the end of every watch
  std::vector<std::string> probed{};
  [[nodiscard]] std::int64_t live_bytes() const { return live_bytes_; }

 private:
  DeviceInfo info_{};
  Script script_{};
  std::int64_t live_bytes_ = 0;
  std::size_t clock_readings_ = 0, probe_readings_ = 0;
};

class ScriptedStream final : public Stream {
 public:
  explicit ScriptedStream(ScriptedDevice& device) : device_(device) {}
  ~ScriptedStream() override = default;

  [[nodiscard]] Device& device() override { return device_; }
  void copy_in(void* device_to, const void* host_from, std::size_t bytes) override;
  void copy_out(void* host_to, const void* device_from, std::size_t bytes) override;
  void fill_random(void* device_to, std::size_t n, DType dtype, std::uint64_t seed) override;
  void fill_cycle(void* device_to, std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed) override;
  void poison(void* device_to, std::size_t bytes) override;
  [[nodiscard]] double time(const std::function<void(Stream&)>& submit) override;
  void wait() override;

  /// Submits a launch: it counts, takes the script's seconds, and `effect` is told its index once it runs.
  void launch(std::function<void(std::int64_t launch)> effect);
  /// Submits work that takes no time and is no launch.
  void submit(std::function<void()> effect) { queue_.push_back(std::move(effect)); }

 private:
  ScriptedDevice& device_;
  std::deque<std::function<void()>> queue_{};
  double busy_seconds_ = 0;      // of the launches since time() began
  std::int64_t free_at_ns_ = 0;  // on the host's clock
};

}  // namespace warpmark
