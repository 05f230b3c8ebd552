// SPDX-License-Identifier: Apache-2.0
// STREAM copy: one array read, one written.
#include "kernels/memory/copy.h"

#include "bench/memory/footprint.h"
#include "harness/measure/setup.h"
#include "kernels/check/linear.h"

namespace warpmark {
namespace {

Footprint footprint_of(const Case& at, const DeviceInfo& device) {
  return Footprint(at, device, 2 * size_of(at.kernel.dtype));
}

Work copy_work(const Case& at, const DeviceInfo& device) {
  const Footprint f = footprint_of(at, device);
  const double array = f.elements() * f.passes() * static_cast<double>(size_of(at.kernel.dtype));
  return {.bytes_read = array, .bytes_written = array};
}

Turn copy_turn(Setup& s, const Footprint& f) {
  const ops::Copy op{.a = s.poisoned(f.n()), .b = s.random(f.n(), 1), .n = f.n(), .passes = f.repeat()};
  const ops::LinearCheck check{.got = op.a, .x = op.b, .alpha = 1, .n = op.n};
  return {.launch = s.bind(op),
          .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 0}; }};
}

Job copy_job(Setup& setup) {
  const Footprint f = footprint_of(setup.at(), setup.device().info());
  return {.turns = setup.rotate(f.bytes(), [f](Setup& s) { return copy_turn(s, f); })};
}

const Registered copy{{.name = "memory/copy",
                       .about = "a = b over two arrays, by footprint of both",
                       .axes = {footprint_axis()},
                       .modes = {Mode::batch},
                       .kernels = table_of<ops::Copy>(),
                       .rate = bandwidth,
                       .work = copy_work,
                       .ceiling = memory_ceiling,
                       .job = copy_job}};

}  // namespace
}  // namespace warpmark
