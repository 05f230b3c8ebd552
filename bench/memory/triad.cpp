// SPDX-License-Identifier: Apache-2.0
// STREAM triad, from arrays that fit the innermost cache to main memory: the number to hold against the memory
// bandwidth on the data sheet.
#include "bench/memory/triad.h"

#include "bench/memory/footprint.h"
#include "harness/measure/setup.h"
#include "kernels/check/linear.h"
#include "kernels/memory/triad.h"

namespace warpmark {
namespace {

Footprint footprint_of(const Case& at, const DeviceInfo& device) {
  return Footprint(at, device, 3 * size_of(at.kernel.dtype));
}

Turn triad_turn(Setup& s, const Footprint& f) {
  const ops::Triad op{.a = s.poisoned(f.n()),
                      .b = s.random(f.n(), 1),
                      .c = s.random(f.n(), 2),
                      .s = 0.4,
                      .n = f.n(),
                      .passes = f.repeat()};
  const ops::LinearCheck check{.got = op.a, .x = op.b, .alpha = 1, .y = op.c, .beta = op.s, .n = op.n};
  return {.launch = s.bind(op),
          .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 2}; }};
}

}  // namespace

Work triad_work(const Case& at, const DeviceInfo& device) {
  const Footprint f = footprint_of(at, device);
  const double array = f.elements() * f.passes() * static_cast<double>(size_of(at.kernel.dtype));
  return {.bytes_read = 2 * array, .bytes_written = array, .flops = 2 * f.elements() * f.passes()};
}

Job triad_job(Setup& setup) {
  const Footprint f = footprint_of(setup.at(), setup.device().info());
  return {.turns = setup.rotate(f.bytes(), [f](Setup& s) { return triad_turn(s, f); })};
}

namespace {

const Registered triad{{.name = "memory/triad",
                        .about = "a = b + s * c over three arrays, by footprint of all three",
                        .axes = {footprint_axis()},
                        .modes = {Mode::batch},
                        .kernels = table_of<ops::Triad>(),
                        .rate = bandwidth,
                        .work = triad_work,
                        .ceiling = memory_ceiling,
                        .job = triad_job}};

}  // namespace
}  // namespace warpmark
