// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/device_choice.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/backends/registry.h"
#include "harness/cli/suggestion.h"
#include "harness/core/error.h"
#include "harness/run/probe.h"

namespace warpmark {
namespace {

/// Of a backend or device that cannot be used; none where it can.
const Unavailable* why_missing(const Probed& probed, std::string_view name) {
  for (const Missing& missing : probed.missing)
    if (missing.name == name) return &missing.unavailable;
  return nullptr;
}

DeviceInfo device_named(const std::string& id, const Probed& probed) {
  std::vector<std::string> ids{"auto"};
  for (const DeviceInfo& device : probed.devices) {
    if (device.id == id) return device;
    ids.push_back(device.id);
  }
  for (const std::string_view name : {std::string_view(id), backend_of(id)})
    if (const Unavailable* const missing = why_missing(probed, name))
      throw DeviceError(fmt::format("{} cannot be measured: {}", as_typed(id), missing->why));
  throw UsageError(
      fmt::format("there is no device {}; {} (`warpmark list devices`)", as_typed(id), did_you_mean(id, ids)));
}

/// Why no GPU was measured although there is one, or may be; empty where there is none.
std::string gpu_problem(const Probed& probed, const NvidiaPresence& nvidia) {
  constexpr std::string_view instead = "The CPU was measured; ask for that with --device cpu:0";
  for (const Missing& missing : probed.missing)
    if (backend_of(missing.name) == "cuda" && (missing.unavailable.broken || nvidia.exists))
      return fmt::format("The GPU cannot be used: {}. {}. Seen: {}", missing.unavailable.why, instead,
                         nvidia.exists ? nvidia.evidence : "the driver's library");
  if (!nvidia.looked)
    return fmt::format("Whether there is a GPU is unknown: neither /sys/bus/pci nor /dev can be listed. {}", instead);
  return "";
}

/// Why another GPU than the one that was measured cannot be used; empty where all can.
std::string problem_beside(const DeviceInfo& chosen, const Probed& probed) {
  std::string problem;
  for (const Missing& missing : probed.missing)
    if (missing.unavailable.broken && backend_of(missing.name) == chosen.backend)
      problem += fmt::format("{} cannot be used: {}. ", missing.name, missing.unavailable.why);
  if (problem.empty()) return problem;
  return fmt::format("{}{} was measured; ask for that with --device {}", problem, chosen.id, chosen.id);
}

}  // namespace

ChosenDevice choose_device(const std::string& wanted, const Probed& probed, const NvidiaPresence& nvidia) {
  if (wanted != "auto") return {.device = device_named(wanted, probed)};
  for (const DeviceInfo& device : probed.devices)
    if (device.backend != "cpu") return {.device = device, .problem = problem_beside(device, probed)};
  return {.device = device_named("cpu:0", probed), .problem = gpu_problem(probed, nvidia)};
}

std::vector<std::string> unusable_devices(const Probed& probed, const NvidiaPresence& nvidia) {
  std::vector<std::string> lines;
  for (const Missing& missing : probed.missing) {
    const bool is_seen = missing.name == "cuda" && nvidia.exists;
    if (!missing.unavailable.broken && !is_seen) continue;
    lines.push_back(fmt::format("{} cannot be used: {}{}", missing.name, missing.unavailable.why,
                                is_seen ? ". Seen: " + nvidia.evidence : ""));
  }
  return lines;
}

std::string why_no_processes() {
  if (access("/proc/self/exe", X_OK) != 0)
    return fmt::format("/proc/self/exe: {}; warpmark starts its own processes by it: mount /proc first",
                       std::strerror(errno));
  constexpr rlim_t least = 32;  // three streams, the journal, its folder, and both ends of a child's pipes
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < least)
    return fmt::format("only {} files may be open at once (ulimit -n), and warpmark needs {}: ulimit -n {}",
                       files.rlim_cur, least, 2 * least);
  return "";
}

Probed all_devices() {
  if (const std::string why = why_no_processes(); !why.empty()) throw UsageError(why);
  return probe_devices(ProbeScope::every_backend, false);
}

Probed devices_for(const std::string& wanted, bool measure_ceilings, std::optional<double> longest_seconds) {
  if (const std::string why = why_no_processes(); !why.empty()) throw UsageError(why);
  const ProbeMeans means = means_within(longest_seconds);
  if (wanted == "auto") return probe_devices(ProbeScope::first_with_devices, measure_ceilings, {}, means);
  for (const Backend& backend : backends())
    if (backend.name == backend_of(wanted))
      return probe_devices(ProbeScope::only_named, measure_ceilings, wanted, means);
  return all_devices();  // for the nearest of them
}

}  // namespace warpmark
