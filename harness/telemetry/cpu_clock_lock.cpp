// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cpu_clock_lock.h"

#include <fmt/format.h>

#include <charconv>

#include "harness/core/units.h"

namespace warpmark {
namespace {

constexpr double per_kilo = 1e3;
constexpr std::string_view command = "`sudo cpupower frequency-set --governor performance --min 2GHz --max 2GHz`";

std::string cpufreq(int cpu, const char* file) {
  return fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/{}", cpu, file);
}

std::optional<double> hz_in(const FileRoot& root, const std::string& path) {
  const std::optional<std::string> text = root.read(path);
  double khz = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), khz);
  if (error != std::errc() || end != text->data() + text->size() || !(khz > 0)) return std::nullopt;
  return khz * per_kilo;
}

/// Why one CPU is not at a fixed clock; empty, and its clock, where it is.
std::string look_at(const FileRoot& root, int cpu, double& clock_hz) {
  const std::string low_path = cpufreq(cpu, "scaling_min_freq"), high_path = cpufreq(cpu, "scaling_max_freq");
  const std::optional<double> low = hz_in(root, low_path), high = hz_in(root, high_path);
  if (!low || !high) {
    const std::string& path = low ? high_path : low_path;
    const std::string why = root.why_not(path);
    return fmt::format(
        "nobody can tell whether the CPUs' clock is fixed ({}): where the machine is not virtual, load the cpufreq "
        "driver and fix it with {}",
        why.empty() ? path + ": not a number" : why, command);
  }
  if (*low < *high)
    return fmt::format("the clock of CPU {} is not fixed, it goes from {} to {}: {} fixes it, at a clock of your own",
                       cpu, format_rate(*low, "Hz"), format_rate(*high, "Hz"), command);
  const std::optional<double> base = hz_in(root, cpufreq(cpu, "base_frequency"));
  if (base && *high > *base)
    return fmt::format("CPU {} is set to {}, which is a boost over its {} that comes and goes: {} fixes a lower one",
                       cpu, format_rate(*high, "Hz"), format_rate(*base, "Hz"), command);
  clock_hz = *high;
  return {};
}

}  // namespace

CpuClockLock cpu_clock_lock(const FileRoot& root, const std::vector<int>& cpus) {
  if (cpus.empty()) return {.why_not = "it is not known which CPUs are measured on"};
  double first_hz = 0;
  for (const int cpu : cpus) {
    double hz = 0;
    if (std::string why = look_at(root, cpu, hz); !why.empty()) return {.why_not = std::move(why)};
    if (first_hz > 0 && hz != first_hz)
      return {.why_not = fmt::format("CPUs {} and {} are fixed at different clocks: {} fixes all at one", cpus.front(),
                                     cpu, command)};
    first_hz = hz;
  }
  return {.clock_hz = first_hz};
}

}  // namespace warpmark
