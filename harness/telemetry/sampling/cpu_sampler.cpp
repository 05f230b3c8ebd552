// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampling/cpu_sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/core/instant.h"
#include "harness/telemetry/cpu_model.h"
#include "harness/telemetry/kernel_text.h"

namespace warpmark {
namespace {

constexpr const char* stat_path = "/proc/stat";
constexpr const char* load_path = "/proc/loadavg";
constexpr const char* sensors_path = "/sys/class/hwmon";
constexpr const char* power_path = "/sys/class/powercap";
constexpr std::size_t stat_limit_bytes = std::size_t{4} << 20;
constexpr double tick_seconds = 0.01;
// Reading a clock may interrupt its core; a few cores of many tell as much.
constexpr std::size_t most_clocks = 8;

/// The files of the CPU packages' temperatures, in thousandths of a degree.
std::vector<std::string> temperature_files(const FileRoot& root) {
  constexpr std::array<std::string_view, 4> sensors{"coretemp", "k10temp", "zenpower", "cpu_thermal"};
  std::vector<std::string> files;
  for (const std::string& entry : root.list(sensors_path)) {
    const std::string folder = std::string(sensors_path) + '/' + entry;
    const std::string name = root.read(folder + "/name").value_or("");
    if (std::find(sensors.begin(), sensors.end(), name) == sensors.end()) continue;
    if (root.has_file(folder + "/temp1_input")) files.push_back(folder + "/temp1_input");
  }
  if (!files.empty()) return files;
  for (const std::string& entry : root.list("/sys/class/thermal")) {
    const std::string folder = "/sys/class/thermal/" + entry;
    if (root.read(folder + "/type").value_or("") == "x86_pkg_temp") files.push_back(folder + "/temp");
  }
  return files;
}

/// Of some of the CPUs, evenly.
std::vector<std::string> clock_files(const FileRoot& root, const std::vector<int>& cpus) {
  std::vector<std::string> files;
  const std::size_t step = std::max<std::size_t>(1, (cpus.size() + most_clocks - 1) / most_clocks);
  for (std::size_t i = 0; i < cpus.size(); i += step) {
    const std::string file = "/sys/devices/system/cpu/cpu" + std::to_string(cpus[i]) + "/cpufreq/scaling_cur_freq";
    if (root.has_file(file)) files.push_back(file);
  }
  return files;
}

/// Energy counters of whole packages: "intel-rapl:0", not "intel-rapl:0:1", which is a part of it.
std::vector<std::string> energy_files(const FileRoot& root) {
  std::vector<std::string> files;
  for (const std::string& entry : root.list(power_path)) {
    if (!entry.starts_with("intel-rapl:") || std::count(entry.begin(), entry.end(), ':') != 1) continue;
    const std::string file = std::string(power_path) + '/' + entry + "/energy_uj";
    if (root.read(file)) files.push_back(file);  // readable by root only
  }
  return files;
}

}  // namespace

CpuSampler::CpuSampler(std::vector<int> cpus, FileRoot root)
    : root_(std::move(root)),
      cpus_(std::move(cpus)),
      groups_(cpu_groups(root_)),
      temperature_files_(temperature_files(root_)),
      energy_files_(energy_files(root_)) {
  if (cpus_.empty()) cpus_ = affinity(root_).value_or(std::vector<int>{});
  clock_files_ = clock_files(root_, cpus_);
}

Reading CpuSampler::read() {
  Reading reading;
  reading.at_seconds = monotonic_seconds();
  take_clock(reading);
  for (const std::string& file : temperature_files_)  // the hottest package
    if (const auto milli = integer_in(root_.read(file)))
      reading[Quantity::temperature_c] =
          std::fmax(reading[Quantity::temperature_c], 1e-3 * static_cast<double>(*milli));
  take_power(reading);
  take_times(reading);
  const std::string load = root_.read(load_path).value_or("");
  if (const auto parts = words(load); !parts.empty())
    reading[Quantity::load] = number(parts[0]).value_or(reading[Quantity::load]);
  take_throttling(reading);
  return reading;
}

void CpuSampler::take_clock(Reading& reading) const {
  double sum_hz = 0;
  std::size_t known = 0;
  for (const std::string& file : clock_files_) {
    const auto khz = integer_in(root_.read(file));
    if (!khz) continue;
    sum_hz += 1e3 * static_cast<double>(*khz);
    ++known;
  }
  if (known > 0) reading[Quantity::clock_hz] = sum_hz / static_cast<double>(known);
}

void CpuSampler::take_power(Reading& reading) {
  double joules = 0;
  for (const std::string& file : energy_files_) {
    const auto micro = integer_in(root_.read(file));
    if (!micro) return;
    joules += 1e-6 * static_cast<double>(*micro);
  }
  if (energy_files_.empty()) return;
  reading[Counter::energy_j] = joules;
  const double seconds = reading.at_seconds - last_energy_at_;
  // The counters run over, every minute or hour.
  if (last_energy_at_ > 0 && seconds > 0 && joules >= last_energy_j_)
    reading[Quantity::power_w] = (joules - last_energy_j_) / seconds;
  last_energy_j_ = joules;
  last_energy_at_ = reading.at_seconds;
}

/// Of the group that was stopped most since this began: what its parents were stopped is contained in that.
void CpuSampler::take_throttling(Reading& reading) {
  for (std::size_t i = 0; i < groups_.folders.size(); ++i) {
    const auto periods = throttling_of(root_, groups_.version, groups_.folders[i]).throttled_periods;
    if (!periods) continue;
    if (throttled_before_.size() <= i) throttled_before_.resize(i + 1);
    const std::int64_t before = throttled_before_[i].value_or(*periods);
    throttled_before_[i] = before;
    reading[Counter::throttled_periods] =
        std::fmax(reading[Counter::throttled_periods], static_cast<double>(*periods - before));
  }
}

void CpuSampler::take_times(Reading& reading) {
  const auto ticks = cpu_ticks(root_.read(stat_path, stat_limit_bytes).value_or(""), cpus_);
  if (!ticks) return;
  reading[Counter::cpu_seconds] = tick_seconds * static_cast<double>(ticks->all);
  reading[Counter::steal_seconds] = tick_seconds * static_cast<double>(ticks->stolen);
  if (last_ticks_ && ticks->all > last_ticks_->all && ticks->busy >= last_ticks_->busy)
    reading[Quantity::utilization] =
        static_cast<double>(ticks->busy - last_ticks_->busy) / static_cast<double>(ticks->all - last_ticks_->all);
  last_ticks_ = ticks;
}

std::vector<Denied> CpuSampler::denied() const {
  std::vector<Denied> all;
  if (clock_files_.empty())
    all.push_back(
        {.what = "clock_hz", .why = "/sys/devices/system/cpu: no CPU has cpufreq, as in most virtual machines"});
  if (temperature_files_.empty())
    all.push_back({.what = "temperature_c", .why = std::string(sensors_path) + ": no sensor of the CPU"});
  if (energy_files_.empty())
    all.push_back({.what = "power_w", .why = std::string(power_path) + ": no energy counter that this user may read"});
  return all;
}

}  // namespace warpmark
