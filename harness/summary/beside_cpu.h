// SPDX-License-Identifier: Apache-2.0
// What a CPU reached in the very case that another device was measured in: "how much faster is the GPU?"
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "harness/summary/summary.h"

namespace warpmark {

/// The best of a device's kernels in a case, and the best of the CPU's in the same one.
struct BesideCpu {
  const CaseSummary* device = nullptr;
  const CaseSummary* cpu = nullptr;
  std::size_t cpu_run = 0;  // index of the run that the CPU was measured in
  double ratio = 0;         // how many times as good as the CPU, whichever way the metric counts
};

/// The CPU cases of some runs. The runs are borrowed.
class CpuBaseline {
 public:
  explicit CpuBaseline(std::vector<const RunSummary*> runs);

  /// For a key number of a run: that case itself where a CPU was measured in it too, else the best case of the same
  /// question in which one was. A CPU of the same run comes first, then that of the first run that has one. Nothing for
  /// a CPU's own cases, and where no case is the same.
  [[nodiscard]] std::optional<BesideCpu> beside(std::size_t run, const CaseSummary& best) const;

 private:
  /// What has to be the same: benchmark, arithmetic, axes, mode, regime, method, data, metric and unit.
  using Same =
      std::tuple<std::string, std::string, std::string, Mode, std::string, int, std::string, std::string, std::string>;
  [[nodiscard]] static Same same_of(const CaseSummary& one);
  [[nodiscard]] std::optional<BesideCpu> beside_same(std::size_t run, const CaseSummary& one) const;

  std::vector<const RunSummary*> runs_;
  std::map<Same, std::map<std::size_t, const CaseSummary*>> best_{};  // by run
};

/// "62 x the CPU (3.90 TB/s against 62.6 GB/s)", "0.42 x the CPU (26.3 against 62.6 GB/s)". `times` is what stands
/// between the number and "the CPU"; `whose` follows it, such as " of A".
[[nodiscard]] std::string beside_cpu_text(const BesideCpu& beside, std::string_view times, std::string_view whose = "");

}  // namespace warpmark
