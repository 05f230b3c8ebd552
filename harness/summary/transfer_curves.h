// SPDX-License-Identifier: Apache-2.0
// What copies between host and device come to over their sizes: the time of a copy of nothing, the rate of a large one,
// and the size from which on half of that is reached, by direction, kind of the host's memory and its node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/stats/line_fit.h"
#include "harness/summary/summary.h"

namespace warpmark {

/// seconds = latency_seconds + bytes / bandwidth, fitted to the cases of transfer/copy.
struct TransferCurve {
  std::string device{};
  std::string direction{};  // "h2d"
  std::string node{};       // "near"
  std::string kind{};       // "pinned"
  double latency_seconds = 0;
  double bandwidth = 0;             // of both directions together where both are at once
  double half_bytes = 0;            // there a copy has half of the bandwidth
  double worst = 0;                 // how far the worst point is off the fit, as a share
  std::vector<LinePoint> points{};  // bytes and seconds, by size
};

/// By device, direction, node and kind. None of fewer than three sizes, or where larger copies take no longer.
[[nodiscard]] std::vector<TransferCurve> transfer_curves(const RunSummary& run);

/// "cuda:0 h2d, near: pinned 55.1 GB/s, 1.20 µs for a copy of nothing, half of the rate from 66.1 kB on", and what
/// pinning gains: "cuda:0 h2d, near: pinned is 4.9 x pageable". `times` is what stands between a number and its noun.
[[nodiscard]] std::vector<std::string> transfer_lines(const std::vector<TransferCurve>& curves, std::string_view times);

}  // namespace warpmark
