// SPDX-License-Identifier: Apache-2.0
// What the control groups around this process allow it: the tightest limit on the way from its own group up to the
// mount.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/telemetry/file_root.h"

namespace warpmark {

/// How often and how long a group was stopped because its CPU quota was used up, since the group was made. A counter
/// that the kernel does not show is empty.
struct Throttling {
  std::optional<std::int64_t> periods{}, throttled_periods{};
  std::optional<double> throttled_seconds{};
};

/// Of one controller: the folder of the process's own group, then those of its parents up to what is mounted.
struct ControlGroups {
  int version = 0;
  std::vector<std::string> folders{};
  std::string unknown{};  // why there are none; empty when they are known
};

/// Those that may throttle this process.
[[nodiscard]] ControlGroups cpu_groups(const FileRoot& root);
[[nodiscard]] Throttling throttling_of(const FileRoot& root, int version, const std::string& folder);

/// A limit is known (no_limit or a value) or unknown with a reason.
struct CgroupLimits {
  std::optional<int> version{};  // of the cpu controller: 1 or 2

  std::string cpu_unknown{};            // why the quota is unknown; empty when it is known
  std::optional<double> quota_cores{};  // empty: no limit, if known
  Throttling throttling{};              // of its own group

  std::optional<std::vector<int>> cpus{};  // the cpuset

  std::string memory_unknown{};
  std::optional<std::int64_t> memory_limit_bytes{};  // empty: no limit, if known
  /// Of the tightest group: limit less usage, with the page cache that the kernel gives up first counted as free.
  std::optional<std::int64_t> memory_free_bytes{};
};

[[nodiscard]] CgroupLimits cgroup_limits(const FileRoot& root);

/// The memory_... members alone: asked before every allocation.
[[nodiscard]] CgroupLimits cgroup_memory_limits(const FileRoot& root);

}  // namespace warpmark
