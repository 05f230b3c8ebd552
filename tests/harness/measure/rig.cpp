// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/measure/rig.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/check/linear.h"

namespace warpmark {
namespace {

Bound bind_twice(Stream&, const ops::Twice& op) {
  return {.launch = [op](Stream& stream) {
    auto& scripted = static_cast<ScriptedStream&>(stream);
    const Script& script = static_cast<ScriptedDevice&>(stream.device()).script();
    scripted.launch([op, &script](std::int64_t launch) {
      const std::span to(static_cast<double*>(op.to), op.n);
      if (!script.writes(launch)) return;
      for (std::size_t i = 0; i < op.n; ++i) to[i] = 2 * static_cast<const double*>(op.from)[i];
      script.spoil(launch, to);
    });
  }};
}

/// The contract of kernels/check/linear.h, f64.
double linear_distance(const ops::LinearCheck& op) {
  double worst = 0;
  for (std::size_t i = 0; i < op.n; ++i) {
    const double want = op.alpha * static_cast<const double*>(op.x)[i];
    const double off = std::abs(static_cast<const double*>(op.got)[i] - want);
    if (std::isnan(off)) return off;
    if (off > 0) worst = std::max(worst, off / (std::numeric_limits<double>::epsilon() * std::abs(want)));
  }
  return worst;
}

Bound bind_check(Stream&, const ops::LinearCheck& op) {
  return {.launch = [op](Stream& stream) {
    static_cast<ScriptedStream&>(stream).submit([op] { *op.out = linear_distance(op); });
  }};
}

const Implements<ops::Twice> plain{{.id = {"scripted", "plain", DType::f64}, .bind = bind_twice}};
const Implements<ops::LinearCheck> check{{.id = {"scripted", "check", DType::f64}, .bind = bind_check}};

}  // namespace

Turn twice_turn(Setup& setup) {
  const ops::Twice op{.to = setup.poisoned(twice_n), .from = setup.random(twice_n, 1), .n = twice_n};
  const ops::LinearCheck right{.got = op.to, .x = op.from, .alpha = 2, .n = op.n};
  return {.launch = setup.bind(op),
          .verify = [right](Verifier& verifier) { return Verdict{.error = verifier.run(right), .allowed = 0}; }};
}

Benchmark twice() {
  return {.name = "test/twice",
          .modes = {Mode::isolated, Mode::batch},
          .kernels = table_of<ops::Twice>(),
          .rate = bandwidth,
          .work = [](const Case&,
                     const DeviceInfo&) { return Work{.bytes_read = 8.0 * twice_n, .bytes_written = 8.0 * twice_n}; },
          .ceiling = [](const Case&, const DeviceInfo&) { return CeilingRule{.name = "memory_bandwidth"}; },
          .job = [](Setup& setup) { return Job{.turns = setup.rotate(16 * twice_n, twice_turn)}; }};
}

Protocol short_protocol() {
  return {.min_samples = 10,
          .max_samples = 100,
          .min_seconds = 0,
          .max_seconds = 100,
          .interval = 0.01,
          .min_warmup_seconds = 0,
          .max_warmup_seconds = 10,
          .batch_seconds = 0.002};
}

Rig::Rig(std::size_t devices) {
  for (std::size_t i = 0; i < devices; ++i) {
    ScriptedDevice& device = devices_.emplace_back("scripted:" + std::to_string(i));
    streams_.push_back(device.stream());
    Arena& arena = arenas_.emplace_back(device, *streams_.back());
    places_.push_back(Setup::Place{.device = &device, .stream = streams_.back().get(), .arena = &arena});
  }
}

Record Rig::measure(const Benchmark& benchmark, Mode mode, const Protocol& protocol) {
  return warpmark::measure(places_, benchmark, first_case(benchmark, mode), RunFrame{.protocol = protocol});
}

Case first_case(const Benchmark& benchmark, Mode mode) {
  for (const Case& at : cases_of(benchmark, "scripted"))
    if (at.mode == mode) return at;
  throw std::logic_error(benchmark.name + " has no such case");
}

}  // namespace warpmark
