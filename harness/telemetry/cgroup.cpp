// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cgroup.h"

#include <algorithm>
#include <string_view>

#include "harness/telemetry/kernel_text.h"

namespace warpmark {
namespace {

struct Membership {
  int version = 0;
  std::string_view path{};
};

/// /proc/self/cgroup: "4:memory:/docker/ab12" (version 1) or "0::/user.slice" (version 2). A controller that is
/// attached to a version 1 tree is not in the version 2 tree.
std::optional<Membership> membership(std::string_view text, std::string_view controller) {
  std::optional<Membership> unified;
  for (const std::string_view line : split(text, '\n')) {
    const auto first = line.find(':');
    const auto second = line.find(':', first == std::string_view::npos ? first : first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const auto names = split(controllers, ',');
    const std::string_view path = line.substr(second + 1);
    if (line.starts_with("0::")) unified = {2, path};
    if (std::find(names.begin(), names.end(), controller) != names.end()) return Membership{1, path};
  }
  return unified;
}

struct Mount {
  std::string_view root{};   // the group that is mounted
  std::string_view place{};  // where
};

std::optional<Mount> mount_of(std::string_view mountinfo, int version, std::string_view controller) {
  for (const std::string_view line : split(mountinfo, '\n')) {
    const auto fields = words(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 6 || fields.end() - dash < 4) continue;
    const std::string_view type = dash[1];
    const auto options = split(dash[3], ',');
    const bool has = std::find(options.begin(), options.end(), controller) != options.end();
    if (version == 2 ? type == "cgroup2" : type == "cgroup" && has) return Mount{fields[3], fields[4]};
  }
  return std::nullopt;
}

ControlGroups groups_of(const FileRoot& root, std::string_view controller) {
  constexpr std::size_t mountinfo_limit_bytes = std::size_t{4} << 20;  // hosts with many containers have long ones
  const auto cgroup = root.read("/proc/self/cgroup");
  if (!cgroup) return {.unknown = root.why_not("/proc/self/cgroup")};
  const auto member = membership(*cgroup, controller);
  if (!member) return {.unknown = "/proc/self/cgroup: names no control group"};
  const auto mountinfo = root.read("/proc/self/mountinfo", mountinfo_limit_bytes);
  if (!mountinfo) return {.unknown = root.why_not("/proc/self/mountinfo")};
  const auto mount = mount_of(*mountinfo, member->version, controller);
  if (!mount) return {.unknown = "the control group file system is not mounted (/proc/self/mountinfo)"};

  // Inside a container without a cgroup namespace both paths are the host's; the part below the mount is ours.
  std::string below(member->path);
  if (mount->root != "/" && below.starts_with(mount->root)) below.erase(0, mount->root.size());
  if (!below.starts_with('/') || below.find("..") != std::string::npos)
    below.clear();  // outside of our cgroup namespace
  const std::string place(mount->place);
  ControlGroups groups{.version = member->version};
  while (!below.empty() && below != "/") {
    groups.folders.push_back(place + below);
    below.erase(below.rfind('/'));
  }
  groups.folders.push_back(place);
  if (root.list(place).empty()) groups.unknown = place + ": nothing there to read";
  return groups;
}

/// What one group says. A file that is not there sets no limit: the topmost group has none.
template <class Value>
struct Limit {
  std::optional<Value> value{};  // empty: no limit, if known
  std::string unknown{};
};

template <class Value>
Limit<Value> without_value(const FileRoot& root, const std::string& path) {
  return {.unknown = root.is_missing(path) ? std::string() : root.why_not(path)};
}

Limit<double> cores_of(std::optional<std::int64_t> quota, std::optional<std::int64_t> period, const std::string& path) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return {.unknown = path + ": not a quota"};
  return {.value = static_cast<double>(*quota) / static_cast<double>(*period)};
}

Limit<double> quota_of(const FileRoot& root, int version, const std::string& folder) {
  const std::string path = folder + (version == 2 ? "/cpu.max" : "/cpu.cfs_quota_us");
  const auto text = root.read(path);  // version 2: "250000 100000" or "max 100000"; version 1: "250000" or "-1"
  if (!text) return without_value<double>(root, path);
  if (version == 1) {
    if (*text == "-1") return {};
    return cores_of(integer_in(text), integer_in(root.read(folder + "/cpu.cfs_period_us")), path);
  }
  const auto parts = words(*text);
  if (parts.size() != 2) return {.unknown = path + ": not a quota"};
  return parts[0] == "max" ? Limit<double>{} : cores_of(integer(parts[0]), integer(parts[1]), path);
}

void read_cpu(const FileRoot& root, CgroupLimits& limits) {
  const ControlGroups groups = groups_of(root, "cpu");
  limits.cpu_unknown = groups.unknown;
  if (!groups.unknown.empty()) return;
  limits.version = groups.version;
  for (const std::string& folder : groups.folders) {
    const auto quota = quota_of(root, groups.version, folder);
    if (!quota.unknown.empty()) limits.cpu_unknown = quota.unknown;
    if (quota.value) limits.quota_cores = std::min(limits.quota_cores.value_or(*quota.value), *quota.value);
  }
  limits.throttling = throttling_of(root, groups.version, groups.folders.front());
}

void read_cpuset(const FileRoot& root, CgroupLimits& limits) {
  const ControlGroups groups = groups_of(root, "cpuset");
  if (!groups.unknown.empty()) return;
  for (const std::string& folder : groups.folders) {
    auto text = root.read(folder + (groups.version == 2 ? "/cpuset.cpus.effective" : "/cpuset.effective_cpus"));
    if (!text && groups.version == 1) text = root.read(folder + "/cpuset.cpus");
    auto cpus = text ? cpu_list(*text) : std::nullopt;
    if (!cpus || cpus->empty()) continue;
    limits.cpus = std::move(cpus);  // the group's own list is within its parents'
    return;
  }
}

/// Files of the memory controller by version.
struct MemoryFiles {
  const char* limit;
  const char* usage;
  const char* reclaimable;  // key in memory.stat
};

Limit<std::int64_t> memory_limit(const FileRoot& root, const std::string& path) {
  constexpr std::int64_t unlimited = std::int64_t{1} << 60;  // version 1 writes 9223372036854771712 for no limit
  const auto text = root.read(path);
  if (!text) return without_value<std::int64_t>(root, path);
  if (*text == "max" || *text == "-1") return {};
  const auto limit = integer_in(text);
  if (!limit || *limit < 0) return {.unknown = path + ": not a limit"};
  return *limit < unlimited ? Limit<std::int64_t>{.value = limit} : Limit<std::int64_t>{};
}

void read_memory(const FileRoot& root, CgroupLimits& limits) {
  const ControlGroups groups = groups_of(root, "memory");
  limits.memory_unknown = groups.unknown;
  if (!groups.unknown.empty()) return;
  const MemoryFiles files =
      groups.version == 2 ? MemoryFiles{"/memory.max", "/memory.current", "inactive_file"}
                          : MemoryFiles{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"};
  for (const std::string& folder : groups.folders) {
    const auto [limit, unknown] = memory_limit(root, folder + files.limit);
    if (!unknown.empty()) limits.memory_unknown = unknown;
    if (!limit) continue;
    limits.memory_limit_bytes = std::min(limits.memory_limit_bytes.value_or(*limit), *limit);
    const auto usage = integer_in(root.read(folder + files.usage));
    if (!usage) continue;
    const std::string stat = root.read(folder + "/memory.stat").value_or("");
    const std::int64_t cache = integer(value_of(stat, files.reclaimable, ' ').value_or("")).value_or(0);
    const std::int64_t used = std::max<std::int64_t>(0, *usage);
    const std::int64_t kept = used - std::clamp<std::int64_t>(cache, 0, used);  // not to be had back
    const std::int64_t free = std::max<std::int64_t>(0, *limit - kept);
    limits.memory_free_bytes = std::min(limits.memory_free_bytes.value_or(free), free);
  }
}

}  // namespace

ControlGroups cpu_groups(const FileRoot& root) { return groups_of(root, "cpu"); }

Throttling throttling_of(const FileRoot& root, int version, const std::string& folder) {
  const auto stat = root.read(folder + "/cpu.stat");
  if (!stat) return {};
  const auto of = [&](std::string_view key) { return integer(value_of(*stat, key, ' ').value_or("")); };
  Throttling throttling{.periods = of("nr_periods"), .throttled_periods = of("nr_throttled")};
  const auto time = of(version == 2 ? "throttled_usec" : "throttled_time");
  if (time) throttling.throttled_seconds = static_cast<double>(*time) * (version == 2 ? 1e-6 : 1e-9);
  return throttling;
}

CgroupLimits cgroup_limits(const FileRoot& root) {
  CgroupLimits limits;
  read_cpu(root, limits);
  read_cpuset(root, limits);
  read_memory(root, limits);
  return limits;
}

CgroupLimits cgroup_memory_limits(const FileRoot& root) {
  CgroupLimits limits;
  read_memory(root, limits);
  return limits;
}

}  // namespace warpmark
