// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cpu_model.h"

#include <algorithm>
#include <string_view>

#include "harness/telemetry/kernel_text.h"

namespace warpmark {
namespace {

std::optional<std::string> text_of(std::string_view text, std::string_view key) {
  const auto value = value_of(text, key, ':');
  return value && !value->empty() ? std::optional<std::string>(*value) : std::nullopt;
}

/// 64-bit ARM kernels give no name, only who made the core and which one it is.
std::optional<std::string> arm_name(std::string_view text) {
  const auto maker = text_of(text, "CPU implementer"), part = text_of(text, "CPU part");
  if (!maker || !part) return std::nullopt;
  return "ARM implementer " + *maker + " part " + *part;
}

}  // namespace

bool CpuModel::has(const std::string& flag) const {
  return flags && std::binary_search(flags->begin(), flags->end(), flag);
}

CpuModel cpu_model(const FileRoot& root) {
  constexpr std::size_t limit_bytes = std::size_t{4} << 20;  // 1.5 KiB for each of up to 2048 CPUs
  const auto all = root.read("/proc/cpuinfo", limit_bytes);
  if (!all) return {.unknown = root.why_not("/proc/cpuinfo")};
  const std::string_view first = std::string_view(*all).substr(0, all->find("\n\n"));
  CpuModel cpu{.name = text_of(first, "model name"),
               .vendor = text_of(first, "vendor_id"),
               .family = integer_in(text_of(first, "cpu family")),
               .model = integer_in(text_of(first, "model")),
               .stepping = integer_in(text_of(first, "stepping"))};
  if (!cpu.name) cpu.name = arm_name(first);
  auto flags = text_of(first, "flags");
  if (!flags) flags = text_of(first, "Features");
  if (flags) {
    const auto parts = words(*flags);
    cpu.flags.emplace(parts.begin(), parts.end());
    std::sort(cpu.flags->begin(), cpu.flags->end());
  }
  return cpu;
}

std::optional<double> cpufreq_hz(const FileRoot& root, const std::vector<int>& cpus, const std::string& file) {
  std::optional<std::int64_t> highest_khz;
  for (const int cpu : cpus) {
    const auto khz = integer_in(root.read("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/" + file));
    if (khz && *khz > 0) highest_khz = std::max(highest_khz.value_or(0), *khz);
  }
  if (!highest_khz) return std::nullopt;
  return static_cast<double>(*highest_khz) * 1e3;
}

std::optional<std::vector<int>> affinity(const FileRoot& root) {
  const auto status = root.read("/proc/self/status");
  const auto list = status ? value_of(*status, "Cpus_allowed_list", ':') : std::nullopt;
  auto cpus = list ? cpu_list(*list) : std::nullopt;
  if (cpus && cpus->empty()) return std::nullopt;
  return cpus;
}

}  // namespace warpmark
