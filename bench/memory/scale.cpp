// SPDX-License-Identifier: Apache-2.0
// STREAM scale: one array read, one written, one multiplication between.
#include "kernels/memory/scale.h"

#include "bench/memory/footprint.h"
#include "harness/measure/setup.h"
#include "kernels/check/linear.h"

namespace warpmark {
namespace {

Footprint footprint_of(const Case& at, const DeviceInfo& device) {
  return Footprint(at, device, 2 * size_of(at.kernel.dtype));
}

Work scale_work(const Case& at, const DeviceInfo& device) {
  const Footprint f = footprint_of(at, device);
  const double array = f.elements() * f.passes() * static_cast<double>(size_of(at.kernel.dtype));
  return {.bytes_read = array, .bytes_written = array, .flops = f.elements() * f.passes()};
}

Turn scale_turn(Setup& s, const Footprint& f) {
  const ops::Scale op{.a = s.poisoned(f.n()), .b = s.random(f.n(), 1), .s = 0.3, .n = f.n(), .passes = f.repeat()};
  const ops::LinearCheck check{.got = op.a, .x = op.b, .alpha = op.s, .n = op.n};
  return {.launch = s.bind(op),
          .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 2}; }};
}

Job scale_job(Setup& setup) {
  const Footprint f = footprint_of(setup.at(), setup.device().info());
  return {.turns = setup.rotate(f.bytes(), [f](Setup& s) { return scale_turn(s, f); })};
}

const Registered scale{{.name = "memory/scale",
                        .about = "a = s * b over two arrays, by footprint of both",
                        .axes = {footprint_axis()},
                        .modes = {Mode::batch},
                        .kernels = table_of<ops::Scale>(),
                        .rate = bandwidth,
                        .work = scale_work,
                        .ceiling = memory_ceiling,
                        .job = scale_job}};

}  // namespace
}  // namespace warpmark
