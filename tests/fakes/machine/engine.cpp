// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/engine.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "tests/fakes/machine/refusal.h"

namespace warpmark::fakes {
namespace {

/// The time that a running kernel reads: it starts with the kernel, and each reading takes some.
class KernelTime final : public DeviceTimers {
 public:
  KernelTime(const SmClock& clock, double start) : clock_(clock), now_(start) {}

  [[nodiscard]] std::uint64_t nanoseconds() override {
    constexpr std::uint64_t step_ns = 1000;  // as coarse as the hardware's
    now_ += reading_seconds;
    return static_cast<std::uint64_t>(now_ * 1e9) / step_ns * step_ns;
  }
  [[nodiscard]] std::int64_t clocks() override {
    now_ += reading_seconds;
    return static_cast<std::int64_t>(clock_.clocks_until(now_));
  }
  [[nodiscard]] double now() const { return now_; }

 private:
  static constexpr double reading_seconds = 0.25e-6;
  const SmClock& clock_;
  double now_;
};

/// The middle element becomes very wrong: the bit is the highest of an exponent, or the second of an integer.
void spoil(const Work& work) {
  const std::size_t element = work.output.bytes() / work.output_element_bytes / 2;
  auto* const end =
      static_cast<unsigned char*>(pointer_at(work.output.begin)) + (element + 1) * work.output_element_bytes;
  end[-1] ^= 0x40U;
}

}  // namespace

Engine::Engine(const DeviceTruth& truth, int ordinal, FaultPlan& faults, const Jitter& jitter)
    : truth_(truth),
      ordinal_(ordinal),
      faults_(faults),
      jitter_(jitter),
      clock_(truth.sm_clock_hz, truth.throttle),
      l2_(truth.l2_bytes) {}

Done Engine::run(const Operation& operation, double start, double host_seconds) {
  if (const auto* const what = std::get_if<Launch>(&operation.what))
    return launch(*what, start, host_seconds, truth_.kernel_overhead_seconds);
  if (const auto* const what = std::get_if<Together>(&operation.what)) return together(*what, start, host_seconds);
  if (const auto* const what = std::get_if<Copy>(&operation.what)) return copy(*what, start);
  if (const auto* const what = std::get_if<Fill>(&operation.what)) return fill(*what, start);
  if (const auto* const what = std::get_if<Wait>(&operation.what))
    return {.seconds = std::max(start, what->point->seconds)};
  const Mark& mark = std::get<Mark>(operation.what);
  mark.event->seconds = start;
  --mark.event->pending;
  mark.point->seconds = start;
  mark.point->was_passed = true;
  return {.seconds = start};
}

void Engine::forget_results() {
  row_of_ = nullptr;
  seen_in_row_.clear();
}

Engine::Level Engine::level_of(const std::vector<ByteRange>& touched) {
  const LoadLatency& latency = truth_.load_latency;
  const Level memory{.bandwidth = truth_.memory_bandwidth, .load_seconds = latency.memory_seconds};
  if (!l2_.touch(touched) || touched.empty()) return memory;
  std::uint64_t bytes = 0;
  for (const ByteRange& range : touched) bytes += range.bytes();
  return {.bandwidth = truth_.l2_bandwidth,
          .load_seconds = bytes <= latency.l1_bytes ? latency.l1_seconds : latency.l2_seconds};
}

double Engine::model_end(const Launch& launch, const Work& work, double start, double overhead_seconds) {
  const Level level = level_of(work.touched);
  double end = start + std::max(work.bytes / level.bandwidth, work.steps * level.load_seconds);
  if (work.flops > 0) {
    const auto unit = truth_.units.find(work.unit);
    if (unit == truth_.units.end()) {
      std::fprintf(stderr, "simulated %s: the scenario has no unit %s, which %s needs\n", truth_.name.c_str(),
                   std::string(work.unit).c_str(), std::string(launch.twin->kernel).c_str());
      throw Refusal{CUDA_ERROR_NOT_SUPPORTED};
    }
    const double per_clock = truth_.sms * unit->second.flop_per_clock * unit->second.share;
    end = std::max(end, clock_.after(start, work.flops / per_clock));
  }
  const double blocks = static_cast<double>(launch.grid.count()) * truth_.launch.block_seconds;
  return start + (end - start + overhead_seconds + blocks) * jitter_.factor();
}

bool Engine::has_to_run(const Launch& launch) {
  if (launch.twin->kind != Kind::worker) return true;
  if (row_of_ != launch.twin) forget_results();
  row_of_ = launch.twin;
  std::vector<std::byte> key = launch.parameters;
  for (const Extent& extent : {launch.grid, launch.block}) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&extent);
    key.insert(key.end(), bytes, bytes + sizeof extent);
  }
  return seen_in_row_.insert(std::move(key)).second;
}

Done Engine::together(const Together& graph, double start, double host_seconds) {
  const double overhead = truth_.graph.node_seconds.value_or(truth_.kernel_overhead_seconds);
  Done done{.seconds = start};
  for (const Launch& node : *graph.nodes) {
    done = launch(node, done.seconds, host_seconds, overhead);
    if (done.code != CUDA_SUCCESS) break;
  }
  return done;
}

Done Engine::launch(const Launch& launch, double start, double host_seconds, double overhead_seconds) {
  const void* const parameters = launch.parameters.data();
  const Twin& twin = *launch.twin;
  const Fault* const fault = faults_.of_kernel(twin.kernel, ordinal_);
  if (fault != nullptr && fault->hang) throw Hang{};
  if (fault != nullptr && fault->lost) {
    faults_.lose(ordinal_);
    return {.seconds = start, .code = CUDA_ERROR_UNKNOWN};
  }
  if (fault != nullptr && fault->code != 0) return {.seconds = start, .code = static_cast<CUresult>(fault->code)};
  if (fault != nullptr) forget_results();
  const Work work = twin.work(parameters);
  KernelTime time(clock_, start);
  if (has_to_run(launch)) {
    const auto thread = [&twin, parameters] { twin.run_thread(parameters); };
    if (const std::string problem = run_grid(launch.grid, launch.block, thread, time); !problem.empty()) {
      std::fprintf(stderr, "simulated %s: %s: %s\n", truth_.name.c_str(), std::string(twin.kernel).c_str(),
                   problem.c_str());
      return {.seconds = start, .code = CUDA_ERROR_LAUNCH_FAILED};
    }
  }
  if (fault != nullptr) {
    spoil(work);
    forget_results();
  }
  const double end = model_end(launch, work, start, overhead_seconds) + (time.now() - start);
  return {.seconds = twin.kind == Kind::watcher ? std::max(end, host_seconds) : end};
}

Done Engine::copy(const Copy& copy, double start) {
  std::memcpy(copy.to, copy.staged ? copy.staged->data() : copy.from, copy.bytes);
  if (copy.to_device) {
    forget_results();
    (void)l2_.touch({range_of(copy.to, copy.bytes)});
  }
  const CopyTruth truth = copy.truth.value_or(
      CopyTruth{.latency_seconds = truth_.kernel_overhead_seconds, .bandwidth = truth_.link_bandwidth});
  double& until = copying_until_[copy.to_device ? 1 : 0];
  until = std::max(start, until) + truth.seconds_of(copy.bytes) * jitter_.factor();
  return {.seconds = until};
}

Done Engine::fill(const Fill& fill, double start) {
  std::memset(fill.to, fill.value, fill.bytes);
  forget_results();
  const double rate = level_of({range_of(fill.to, fill.bytes)}).bandwidth;
  const double seconds = truth_.kernel_overhead_seconds + static_cast<double>(fill.bytes) / rate;
  return {.seconds = start + seconds * jitter_.factor()};
}

}  // namespace warpmark::fakes
