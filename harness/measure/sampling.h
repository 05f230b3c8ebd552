// SPDX-License-Identifier: Apache-2.0
// Warming up and taking samples: when it is steady, how many launches fill a batch, when it is enough.
#pragma once

#include <functional>
#include <string_view>

#include "harness/core/benchmark.h"
#include "harness/core/protocol.h"
#include "harness/device/device.h"

namespace warpmark {

/// What one sample is taken from.
struct Sampled {
  Stream* stream = nullptr;
  const Job* job = nullptr;
  Mode mode = Mode::isolated;
  std::string_view probe{};  // unit to probe around each sample; empty: none
  bool tail = false;         // Benchmark::tail: no readings beside the samples, which would be between them
};

/// Seconds per launch over `launches` launches, on the clock that the job asks for; `first` is the turn to begin with.
/// A job with its own clock is asked so often for the time of one launch.
[[nodiscard]] double seconds_per_launch(const Sampled& what, std::size_t first, std::int64_t launches);

struct Sampling {
  bool converged = false;    // the interval of the median became narrow before the time was over
  std::size_t launches = 0;  // warm-up included; the turns are taken round from the first on
  double warmup_seconds = 0;
  double sampling_seconds = 0;  // readings beside the samples included
};

/// How many samples show what one launch of a thousand takes.
inline constexpr std::int64_t tail_samples = 2000;

/// Launches until the last three windows agree within 1 %, or, in a warm-up of seconds, until their rate has settled
/// (and the protocol's least time is over, and at most its longest), then takes samples until the interval of the
/// median is narrow. Throws Error for a sample that is no number.
[[nodiscard]] Sampling sample(const Sampled& what, const Protocol& protocol, Samples& samples);

/// Leaves whole samples alone: what was read of one that failed in its middle goes, and readings beside the samples of
/// which one is missing, because what is beside which is lost then.
void keep_whole_samples(Samples& samples);

/// Whether three neighbouring windows agree within 1 %: their largest over their smallest.
[[nodiscard]] bool steady(const std::vector<double>& windows);

/// Whether the 95 % interval of the median is within +-target of it.
[[nodiscard]] bool narrow(const std::vector<double>& seconds, double target);

[[nodiscard]] Summary summary_of(const std::vector<double>& seconds);

}  // namespace warpmark
