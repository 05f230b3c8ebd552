// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/sampling.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness/core/error.h"
#include "harness/profile/range.h"
#include "harness/stats/modes.h"
#include "harness/stats/order.h"
#include "harness/stats/series.h"
#include "harness/stats/settle.h"

namespace warpmark {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t steady_windows = 3;
constexpr double steady_spread = 1.01;
constexpr double least_window_seconds = 0.005;
constexpr double warmup_windows = 50;  // that a long warm-up is seen in
constexpr double long_warmup_seconds = 1;
constexpr std::int64_t most_launches = 1'000'000;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// A job with its own clock knows what a sample of its is made of; where each is one short launch, windows hold many.
std::int64_t launches_to_fill(double seconds, double per_launch, const Sampled& what) {
  if (what.job->clocking == Clocking::own && !what.tail) return 1;
  if (!(per_launch > 0)) return most_launches;
  return std::clamp(static_cast<std::int64_t>(std::ceil(seconds / per_launch)), std::int64_t{1}, most_launches);
}

double checked(double seconds) {
  if (!std::isfinite(seconds)) throw Error("the clock around the launches gave no number");
  return seconds;
}

/// A device that warms for seconds passes through moments in which neighbouring windows agree.
bool warm(const Samples& samples, const Protocol& protocol) {
  return protocol.min_warmup_seconds < long_warmup_seconds ? steady(samples.warmup)
                                                           : settled_from(samples.warmup).has_value();
}

/// Returns how many launches it took.
std::size_t warm_up(const Sampled& what, const Protocol& protocol, Samples& samples) {
  const Range range("warm-up");
  const double window_seconds = std::max(least_window_seconds, protocol.min_warmup_seconds / warmup_windows);
  const auto start = SteadyClock::now();
  std::size_t done = 0;
  for (std::int64_t launches = 1;;) {
    samples.warmup.push_back(checked(seconds_per_launch(what, done, launches)));
    done += static_cast<std::size_t>(launches);
    const double elapsed = seconds_since(start);
    if (elapsed >= protocol.max_warmup_seconds) return done;
    if (elapsed >= protocol.min_warmup_seconds && warm(samples, protocol)) return done;
    launches = launches_to_fill(window_seconds, samples.warmup.back(), what);
  }
}

/// Readings beside the samples. One between two samples serves both.
struct Beside {
  std::optional<double> clock_hz{};
  std::optional<double> probe{};
};

Beside look_beside(const Sampled& what) {
  if (what.tail) return {};
  Device& device = what.stream->device();
  return {.clock_hz = device.clock_hz(), .probe = what.probe.empty() ? std::nullopt : device.probe(what.probe)};
}

void note_beside(const Beside& before, const Beside& after, Samples& samples) {
  if (before.clock_hz && after.clock_hz) samples.clock_hz.push_back((*before.clock_hz + *after.clock_hz) / 2);
  if (before.probe && after.probe) samples.probe.push_back((*before.probe + *after.probe) / 2);
}

}  // namespace

void keep_whole_samples(Samples& samples) {
  samples.at.resize(std::min(samples.at.size(), samples.seconds.size()));
  for (std::vector<double>* readings : {&samples.clock_hz, &samples.probe})
    if (readings->size() != samples.seconds.size()) readings->clear();
}

double seconds_per_launch(const Sampled& what, std::size_t first, std::int64_t launches) {
  const std::vector<Turn>& turns = what.job->turns;
  const auto launch_all = [&](Stream& stream) {
    for (std::int64_t i = 0; i < launches; ++i)
      turns[(first + static_cast<std::size_t>(i)) % turns.size()].launch(stream);
  };
  const auto per_launch = [&](double seconds) { return seconds / static_cast<double>(launches); };
  const auto start = SteadyClock::now();
  switch (what.job->clocking) {
    case Clocking::device: return per_launch(what.stream->time(launch_all));
    case Clocking::host_synchronous: launch_all(*what.stream); return per_launch(seconds_since(start));
    case Clocking::host_submit: {
      launch_all(*what.stream);
      const double submitted = seconds_since(start);
      what.stream->wait();
      return per_launch(submitted);
    }
    case Clocking::own: {
      double sum = 0;
      for (std::int64_t i = 0; i < launches; ++i)
        sum += turns[(first + static_cast<std::size_t>(i)) % turns.size()].sample(*what.stream);
      return per_launch(sum);
    }
  }
  return NAN;
}

namespace {

Sampling take_samples(const Sampled& what, const Protocol& protocol, std::size_t launches, Samples& samples) {
  const Range range("timed");
  double sampled = 0;
  const std::int64_t least = what.tail ? std::max(protocol.min_samples, tail_samples) : protocol.min_samples;
  const std::int64_t most = std::max(protocol.max_samples, least);
  Beside before = look_beside(what);
  const auto start = SteadyClock::now();
  for (;;) {
    samples.at.push_back(seconds_since(start));
    samples.seconds.push_back(checked(seconds_per_launch(what, launches, samples.batch)));
    launches += static_cast<std::size_t>(samples.batch);
    sampled += samples.seconds.back() * static_cast<double>(samples.batch);
    const Beside after = look_beside(what);
    note_beside(before, after, samples);
    before = after;
    const auto n = static_cast<std::int64_t>(samples.seconds.size());
    const bool enough = n >= least && sampled >= protocol.min_seconds;
    // The interval costs a sort: look for it at every sample while they are few, then less and less often.
    if (enough && (n < 64 || n % (n / 10) == 0) && narrow(samples.seconds, protocol.interval))
      return {.converged = true, .launches = launches};
    if (n >= most || seconds_since(start) >= protocol.max_seconds)
      return {.converged = narrow(samples.seconds, protocol.interval), .launches = launches};
  }
}

}  // namespace

Sampling sample(const Sampled& what, const Protocol& protocol, Samples& samples) {
  const auto start = SteadyClock::now();
  const std::size_t launches = warm_up(what, protocol, samples);
  if (what.mode == Mode::batch && !what.tail)
    samples.batch = launches_to_fill(protocol.batch_seconds, samples.warmup.back(), what);
  const double warmup_seconds = seconds_since(start);
  Sampling sampling = take_samples(what, protocol, launches, samples);
  keep_whole_samples(samples);
  sampling.warmup_seconds = warmup_seconds;
  sampling.sampling_seconds = seconds_since(start) - warmup_seconds;
  return sampling;
}

bool steady(const std::vector<double>& windows) {
  if (windows.size() < steady_windows) return false;
  const auto [least, most] = std::minmax_element(windows.end() - steady_windows, windows.end());
  return *most <= *least * steady_spread;
}

bool narrow(const std::vector<double>& seconds, double target) {
  const std::vector<double> ascending = sorted(seconds);
  const auto interval = median_interval(ascending);
  const double middle = median(ascending);
  return interval && interval->high - middle <= target * middle && middle - interval->low <= target * middle;
}

Summary summary_of(const std::vector<double>& seconds) {
  const std::vector<double> ascending = sorted(seconds);
  Summary s{.n = static_cast<std::int64_t>(seconds.size()),
            .median = median(ascending),
            .min = ascending.front(),
            .max = ascending.back(),
            .p5 = quantile(ascending, 0.05),
            .p25 = quantile(ascending, 0.25),
            .p75 = quantile(ascending, 0.75),
            .p95 = quantile(ascending, 0.95),
            .p99 = quantile(ascending, 0.99),
            .mad = median_absolute_deviation(ascending),
            .drift = drift(seconds),
            .lag1 = lag1_autocorrelation(seconds)};
  if (seconds.size() >= 1000) s.p999 = quantile(ascending, 0.999);
  if (const auto modes = two_modes(seconds))
    s.modes = Modes{.levels = modes->levels, .shares = modes->shares, .switches = modes->switches};
  if (const auto interval = median_interval(ascending)) {
    s.ci_low = interval->low;
    s.ci_high = interval->high;
  }
  return s;
}

}  // namespace warpmark
