// SPDX-License-Identifier: Apache-2.0
// What went on around a measurement on the CPU while it ran: time that the hypervisor took, load of others, throttling
// by a control group, huge pages refused.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/telemetry/cgroup.h"
#include "harness/telemetry/file_root.h"

namespace warpmark {

/// Ticks of 10 ms that some CPUs have counted together since the machine started.
struct CpuTicks {
  std::int64_t all = 0;
  std::int64_t busy = 0;    // with any process, and with interrupts; not with other guests of the hypervisor
  std::int64_t stolen = 0;  // wanted to run, but the hypervisor ran somebody else
};

/// From the text of /proc/stat; empty where one of the CPUs is not in it.
[[nodiscard]] std::optional<CpuTicks> cpu_ticks(std::string_view proc_stat, const std::vector<int>& cpus);

/// From the text of /proc/self/stat: ticks that all threads of the process have run.
[[nodiscard]] std::optional<std::int64_t> process_ticks(std::string_view proc_self_stat);

/// Reads counters at the beginning and at the end of an interval and says what happened in between.
class CpuConditions {
 public:
  /// The CPUs that are measured on.
  explicit CpuConditions(std::vector<int> cpus, FileRoot root = FileRoot());

  void begin();
  /// Members: see Record::telemetry in the schema (harness/store/schema/result.schema.json). What could not be read is
  /// absent, and `denied` says why. `huge_bytes_asked`: memory for which huge pages were asked for, whole pages only.
  [[nodiscard]] nlohmann::json end(std::int64_t huge_bytes_asked);

 private:
  struct Reading {
    std::optional<CpuTicks> cpus{};
    std::optional<std::int64_t> own{};
    std::vector<Throttling> groups{};  // as many as there are folders
  };

  [[nodiscard]] Reading read() const;
  void add_times(const Reading& now, nlohmann::json& to) const;
  void add_throttling(const Reading& now, nlohmann::json& to) const;
  void add_huge_pages(std::int64_t asked_bytes, nlohmann::json& to);

  std::vector<int> cpus_;
  FileRoot root_;
  ControlGroups groups_;  // a process seldom moves, and looking for them costs more than reading them
  Reading before_{};
  /// What was asked for when huge pages were last counted, and how many there were. Counting 1.5 GiB of small pages
  /// takes the kernel 27 ms, so it is done when the memory has changed.
  std::int64_t counted_for_bytes_ = 0;
  std::optional<std::int64_t> counted_bytes_{};
};

}  // namespace warpmark
