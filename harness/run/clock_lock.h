// SPDX-License-Identifier: Apache-2.0
// The regime `locked`: numbers count only at a clock that somebody fixed. CPUs tell before anything runs; of a GPU,
// NVML has no question for it, so what was read beside each record tells.
#pragma once

#include <string>

#include "harness/core/record.h"
#include "harness/device/device.h"
#include "harness/telemetry/file_root.h"

namespace warpmark {

class ClockLock {
 public:
  ClockLock(const DeviceInfo& device, const FileRoot& root);

  /// Why nothing that is measured here would count, with the command that helps; empty while that is not known.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  /// Notes the fixed clock in `about` of a record that was measured. One whose clock was not fixed, or did not hold, is
  /// denied, and loses its metrics.
  void judge(Record& record);

 private:
  [[nodiscard]] std::string look_at(const Record& record);

  bool is_gpu_;
  bool has_seen_lock_ = false;
  double cpu_clock_hz_ = 0;
  std::string why_not_{};
};

}  // namespace warpmark
