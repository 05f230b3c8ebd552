// SPDX-License-Identifier: Apache-2.0
// What has happened to a GPU since somebody last asked: memory errors, remapped rows, Xids; and who else is on it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/telemetry/file_root.h"
#include "harness/telemetry/nvml/library.h"

namespace warpmark::nvml {

class GpuEvents {
 public:
  /// `library` outlives it. What counts is what comes after this.
  /// `own_processes` of those on the GPU are ours.
  GpuEvents(const Functions& library, Device device, unsigned own_processes);
  ~GpuEvents();
  GpuEvents(const GpuEvents&) = delete;
  GpuEvents& operator=(const GpuEvents&) = delete;

  /// Members ecc, remapped_rows, xids and foreign_processes of a record's `telemetry.sampled`; absent, and denied,
  /// where the GPU does not tell. Asks the driver, which may hang.
  [[nodiscard]] nlohmann::json since_last();
  /// What was absent in the last answer, and why.
  [[nodiscard]] const std::vector<Denied>& denied() const { return denied_; }

 private:
  using Count = Answer<unsigned long long>;
  struct Counts {
    Count corrected{}, uncorrected{}, remapped{};
  };
  [[nodiscard]] Counts count() const;
  void add_processes(nlohmann::json& to);
  void add_xids(nlohmann::json& to);

  const Functions& library_;
  Device device_;
  Counts last_{};
  unsigned own_processes_;
  EventSet events_ = nullptr;
  std::string no_events_{};  // why there is no set of events
  bool is_divided_ = false;  // into MIG instances, of which others may have theirs
  std::vector<Denied> denied_{};
};

}  // namespace warpmark::nvml
