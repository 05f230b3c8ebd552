// SPDX-License-Identifier: Apache-2.0
// What a data loader gets: bytes to the device while it computes for about as long as they take alone.
#include "kernels/transfer/overlap.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "bench/transfer/host_node.h"
#include "harness/core/error.h"
#include "harness/measure/setup.h"
#include "harness/stats/order.h"
#include "harness/stats/overlap.h"
#include "kernels/check/same_bytes.h"
#include "kernels/check/turned.h"

namespace warpmark {
namespace {

constexpr std::size_t pairs_per_unit = 2048;
constexpr std::size_t first_rounds = 64;
constexpr double most_rounds = 1 << 20;
constexpr int alone_samples = 9;

/// Each alone, measured where the job is made.
struct Alone {
  double copy_seconds = 0;
  double compute_seconds = 0;
};

Work overlap_work(const Case& at, const DeviceInfo&) {
  return {.bytes_written = static_cast<double>(at.integer("bytes"))};
}

CeilingRule overlap_ceiling(const Case&, const DeviceInfo&) {
  return {.why_none = "transfer/copy tells what the link gives when nothing else goes on"};
}

double seconds_alone(const Bound& bound, Stream& stream) {
  bound.launch(stream);  // loads code, and touches what it touches
  stream.wait();
  std::vector<double> seconds;
  for (int i = 0; i < alone_samples; ++i)
    seconds.push_back(bound.sample ? bound.sample(stream) : stream.time(bound.launch));
  return median(sorted(seconds));
}

Bound compute_alone(Setup& s, const ops::Fma& op) {
  for (const Kernel<ops::Fma>& kernel : kernels<ops::Fma>())
    if (kernel.id.backend == s.at().kernel.backend && kernel.id.dtype == DType::f32) return kernel.bind(s.stream(), op);
  throw Unsupported("no kernel computes f32 there");
}

ops::Overlap operands(Setup& s) {
  const auto bytes = static_cast<std::size_t>(s.at().integer("bytes"));
  const std::size_t pairs =
      pairs_per_unit * static_cast<std::size_t>(std::max<std::int64_t>(s.device().info().units, 1));
  return {.copy = {.source = s.random(bytes, 1),
                   .landing = s.poisoned(bytes),
                   .bytes = bytes,
                   .direction = ops::Direction::h2d,
                   .node = host_node(s.at(), s.device().info())},
          .compute = {
              .u = s.poisoned_as<float>(pairs), .v = s.poisoned_as<float>(pairs), .n = pairs, .rounds = first_rounds}};
}

/// Makes the computing as long as the copy, and notes how long each takes.
void balance(Setup& s, ops::Overlap& op, Alone& alone) {
  const Kernel<ops::Transfer>& copy = kernel_of<ops::Transfer>(s.at().kernel);
  alone.copy_seconds = seconds_alone(copy.bind(s.stream(), op.copy), s.stream());
  const double few = seconds_alone(compute_alone(s, op.compute), s.stream());
  const double rounds = first_rounds * alone.copy_seconds / std::max(few, 1e-9);
  op.compute.rounds = static_cast<std::size_t>(std::clamp(std::round(rounds), 1.0, most_rounds));
  alone.compute_seconds = seconds_alone(compute_alone(s, op.compute), s.stream());
  s.about().update({{"copy_alone_seconds", alone.copy_seconds},
                    {"compute_alone_seconds", alone.compute_seconds},
                    {"rounds", op.compute.rounds}});
}

/// The result of the computing, which is of another type than the case.
double computed_wrong(const Setup::Place& place, const ops::Fma& op) {
  return Verifier(std::span(&place, 1), DType::f32)
      .run(ops::TurnedCheck{.u = op.u, .v = op.v, .n = op.n, .rounds = op.rounds});
}

Turn overlap_turn(Setup& s, Alone& alone) {
  ops::Overlap op = operands(s);
  need_host_memory(2 * op.copy.bytes);  // one for the copy alone, one for that beside the computing
  balance(s, op, alone);
  const Bound bound = s.bound(op);
  const Setup::Place place{.device = &s.device(), .stream = &s.stream()};
  return {.launch = bound.launch,
          .verify =
              [op, place](Verifier& v) {
                const ops::SameBytesCheck copied{.got = op.copy.landing, .wanted = op.copy.source, .n = op.copy.bytes};
                return Verdict{.error = v.run(copied) + computed_wrong(place, op.compute), .allowed = 0};
              },
          .sample = bound.sample};
}

void add_share(const Alone& alone, Record& record) {
  if (!record.stats) return;
  record.metrics.push_back(
      {.name = "overlap",
       .unit = "",
       .value = overlap_share(alone.copy_seconds, alone.compute_seconds, record.stats->median),
       .better = Better::higher,
       .ceiling_source = "1 is all of it: the shorter of copy and computing costs nothing beside the other"});
}

Job overlap_job(Setup& setup) {
  const auto alone = std::make_shared<Alone>();
  std::vector<Turn> turns = setup.rotate(static_cast<std::size_t>(setup.at().integer("bytes")),
                                         [&alone](Setup& s) { return overlap_turn(s, *alone); });
  const bool is_own = static_cast<bool>(turns.front().sample);
  return {.turns = std::move(turns),
          .clocking = is_own ? Clocking::own : Clocking::device,
          .further = [alone](Record& record) { add_share(*alone, record); }};
}

const Registered overlap{
    {.name = "transfer/overlap",
     .about = "bytes to the device while it computes for as long as they take, and the share of "
              "the shorter that goes on beside the other",
     .axes = {node_axis(), {.name = "bytes", .values = {std::int64_t{16} << 20, std::int64_t{128} << 20}}},
     .modes = {Mode::batch},
     .kernels = table_of<ops::Overlap>(),
     .rate = bandwidth,
     .work = overlap_work,
     .ceiling = overlap_ceiling,
     .job = overlap_job}};

}  // namespace
}  // namespace warpmark
