// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <utility>

#include "harness/core/error.h"
#include "harness/core/instant.h"
#include "harness/core/units.h"
#include "harness/measure/course.h"
#include "harness/measure/rates.h"
#include "harness/measure/sampling.h"
#include "harness/profile/range.h"
#include "harness/stats/order.h"
#include "harness/stats/settle.h"

namespace warpmark {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// What the device's watch saw, and the clock readings in brief. Not the least and the greatest of them: one reading
/// that was interrupted says nothing about the clock.
nlohmann::json telemetry_of(const Watch& watched, const Samples& samples) {
  nlohmann::json telemetry = watched ? watched() : nlohmann::json::object();
  if (samples.clock_hz.empty()) return telemetry;
  const std::vector<double> ascending = sorted(samples.clock_hz);
  telemetry["clock_hz"] = {
      {"median", median(ascending)}, {"p5", quantile(ascending, 0.05)}, {"p95", quantile(ascending, 0.95)}};
  return telemetry;
}

class Measurement {
 public:
  Measurement(std::span<const Setup::Place> places, const Benchmark& benchmark, const Case& at, const RunFrame& frame)
      : places_(places),
        benchmark_(benchmark),
        at_(at),
        frame_(frame),
        protocol_(protocol_of(benchmark, at, frame.protocol)) {}

  void run(Record& record) {
    const auto start = SteadyClock::now();
    const auto seconds_since = [](SteadyClock::time_point when) {
      return std::chrono::duration<double>(SteadyClock::now() - when).count();
    };
    Setup setup(places_, at_);
    const Job job = prepare(setup, record);
    verify(job.turns, record, "before");
    for (const Setup::Place& place : places_) place.arena->poison_again();
    record.setup_seconds = seconds_since(start);
    const CeilingRule ceiling = benchmark_.ceiling(at_, places_.front().device->info());
    const Sampled what{.stream = places_.front().stream,
                       .job = &job,
                       .mode = at_.mode,
                       .probe = benchmark_.probed ? ceiling.name : std::string_view(),
                       .tail = benchmark_.tail};
    const Watch watched = places_.front().device->watch();
    const double begun = monotonic_seconds();
    const Sampling sampling = sample(what, protocol_, record.samples);
    const double ended = monotonic_seconds();
    record.telemetry = telemetry_of(watched, record.samples);
    record.telemetry["window"] = {{"begin", begun}, {"end", ended}};
    record.warmup_seconds = sampling.warmup_seconds;
    record.sampling_seconds = sampling.sampling_seconds;
    const auto sampled = SteadyClock::now();
    // What was poisoned again and not launched since is still poison.
    verify(std::span(job.turns).first(std::min(job.turns.size(), sampling.launches)), record, "after");
    record.verification_seconds = seconds_since(sampled);
    conclude(record, job, sampling.converged);
  }

 private:
  Job prepare(Setup& setup, Record& record) {
    const Range range("setup");
    if (places_.size() < benchmark_.devices)
      throw Skipped(fmt::format("needs {} devices, {} given", benchmark_.devices, places_.size()));
    Job job = benchmark_.job(setup);
    record.about = setup.about();
    record.data = setup.data();
    for (const Turn& turn : job.turns) turn.launch(*places_.front().stream);
    wait();
    return job;
  }

  /// On every device: a check on one may read what another has written.
  void wait() const {
    for (const Setup::Place& place : places_) place.stream->wait();
  }

  void verify(std::span<const Turn> turns, Record& record, std::string_view when) {
    const Range range("verify");
    wait();
    Verifier verifier(places_, at_.kernel.dtype);
    for (const Turn& turn : turns) {
      const Verdict verdict = turn.verify(verifier);
      if (!record.verification || !verdict.ok() || verdict.error > record.verification->error)
        record.verification = verdict;
      if (!verdict.ok())
        throw Error(fmt::format("wrong result {} the samples: off by {:.3g}, {:.3g} is allowed", when, verdict.error,
                                verdict.allowed));
    }
  }

  void conclude(Record& record, const Job& job, bool converged) {
    record.stats = summary_of(record.samples.seconds);
    if (benchmark_.lasts != nullptr) record.course = course_of(record.samples);
    const DeviceInfo& device = places_.front().device->info();
    Metric metric = headline(benchmark_, at_, device, record);
    metric.gate = frame_.gate;
    record.why = impossible(metric, device, benchmark_.ceiling(at_, device).name);
    if (!record.why.empty()) {
      record.status = Status::invalid;
    } else if (record.course ? !record.course->settled_at : !converged) {
      record.status = Status::not_converged;
      record.why = record.course ? still_changing(record) : unsettled(*record.stats);
    }
    record.metrics = course_metrics(record, metric);
    record.metrics.insert(record.metrics.begin(), std::move(metric));
    if (benchmark_.tail) add_percentiles(*record.stats, record.metrics);
    if (job.further) job.further(record);
  }

  [[nodiscard]] std::string still_changing(const Record& record) const {
    if (record.stats->n < static_cast<std::int64_t>(least_to_settle))
      return fmt::format(
          "only {} windows fit into {}, {} are needed: measure it for longer (axis seconds), or a smaller case",
          record.stats->n, format_seconds(protocol_.max_seconds), least_to_settle);
    return fmt::format(
        "its rate was still changing after {}, {} between the first and the last third: other load, a clock that is "
        "held down, or a device that warms; measure it for longer (axis seconds)",
        format_seconds(protocol_.max_seconds), format_percent(std::abs(record.stats->drift)));
  }

  [[nodiscard]] std::string unsettled(const Summary& stats) const {
    const std::string target = format_percent(protocol_.interval);
    if (!stats.ci_low)
      return fmt::format("only {} {} into {}; 6 are needed for an interval of the median", stats.n,
                         stats.n == 1 ? "sample fits" : "samples fit", format_seconds(protocol_.max_seconds));
    const double half = std::max(*stats.ci_high - stats.median, stats.median - *stats.ci_low) / stats.median;
    return fmt::format(
        "after {} samples the median is known to +-{}, +-{} is asked for: other load, or a changing clock", stats.n,
        format_percent(half), target);
  }

  std::span<const Setup::Place> places_;
  const Benchmark& benchmark_;
  const Case& at_;
  const RunFrame& frame_;
  Protocol protocol_;
};

void refuse_unsupported(const Device& device, const Benchmark& benchmark, const Case& at) {
  if (benchmark.kernels.unsupported == nullptr) return;
  const std::string reason = benchmark.kernels.unsupported(device, at);
  if (!reason.empty()) throw Unsupported(reason);
}

/// Sizes come from files: one that would overflow the arithmetic of a job has to end before it.
void refuse_absurd(const Work& work) {
  constexpr double most_bytes = 0x1p60;
  if (work.bytes() > most_bytes)
    throw Skipped(fmt::format("one launch would move {}, more than any machine holds", format_bytes(work.bytes())));
}

void blame(Record& record, Status status, const std::string& why) {
  record.status = status;
  record.why = why;
  record.metrics.clear();
  keep_whole_samples(record.samples);
}

}  // namespace

Record frame_record(const Benchmark& benchmark, const Case& at, const DeviceInfo& device, const RunFrame& frame) {
  Record record;
  record.id = id_of(benchmark, at, device.id, frame.regime);
  record.benchmark = benchmark.name;
  record.device = device.id;
  record.at = at;
  record.regime = name_of(frame.regime);
  record.repeat = frame.repeat;
  record.method = benchmark.method;
  record.started_at = utc_now();
  return record;
}

Record measure(std::span<const Setup::Place> places, const Benchmark& benchmark, const Case& at,
               const RunFrame& frame) {
  const Range of_benchmark(benchmark.name);
  const DeviceInfo& device = places.front().device->info();
  Record record = frame_record(benchmark, at, device, frame);
  const Range of_case(record.id);
  try {
    refuse_unsupported(*places.front().device, benchmark, at);
    record.work = benchmark.work(at, device);
    refuse_absurd(record.work);
    Measurement(places, benchmark, at, frame).run(record);
  } catch (const Skipped& e) {
    blame(record, Status::skipped, e.what());
  } catch (const Unsupported& e) {
    blame(record, Status::unsupported, e.what());
  } catch (const PermissionDenied& e) {
    blame(record, Status::denied, e.what());
  } catch (const std::bad_alloc&) {
    blame(record, Status::skipped, "the program's own memory ran out");
  } catch (const std::exception& e) {
    blame(record, Status::failed, e.what());
  }
  for (const Setup::Place& place : places) place.arena->recycle();
  return record;
}

}  // namespace warpmark
