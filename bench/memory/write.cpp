// SPDX-License-Identifier: Apache-2.0
// Fills one array: what a machine writes when it reads nothing.
#include "kernels/memory/write.h"

#include "bench/memory/footprint.h"
#include "harness/measure/setup.h"
#include "kernels/check/linear.h"

namespace warpmark {
namespace {

Footprint footprint_of(const Case& at, const DeviceInfo& device) {
  return Footprint(at, device, size_of(at.kernel.dtype));
}

Work write_work(const Case& at, const DeviceInfo& device) {
  const Footprint f = footprint_of(at, device);
  const double array = f.elements() * f.passes() * static_cast<double>(size_of(at.kernel.dtype));
  return {.bytes_written = array};
}

Turn write_turn(Setup& s, const Footprint& f) {
  const ops::Write op{.a = s.poisoned(f.n()), .s = 0.5, .n = f.n(), .passes = f.repeat()};
  const ops::LinearCheck check{.got = op.a, .alpha = op.s, .n = op.n};
  return {.launch = s.bind(op),
          .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 0}; }};
}

Job write_job(Setup& setup) {
  const Footprint f = footprint_of(setup.at(), setup.device().info());
  return {.turns = setup.rotate(f.bytes(), [f](Setup& s) { return write_turn(s, f); })};
}

const Registered write{{.name = "memory/write",
                        .about = "a = s over one array, by its footprint",
                        .axes = {footprint_axis()},
                        .modes = {Mode::batch},
                        .kernels = table_of<ops::Write>(),
                        .rate = bandwidth,
                        .work = write_work,
                        .ceiling = memory_ceiling,
                        .job = write_job}};

}  // namespace
}  // namespace warpmark
