// SPDX-License-Identifier: Apache-2.0
// Reads one array and writes nothing: what a machine reads when it does nothing else.
#include "kernels/memory/read.h"

#include "bench/memory/footprint.h"
#include "harness/measure/setup.h"
#include "kernels/check/sums.h"

namespace warpmark {
namespace {

Footprint footprint_of(const Case& at, const DeviceInfo& device) {
  return Footprint(at, device, size_of(at.kernel.dtype));
}

Work read_work(const Case& at, const DeviceInfo& device) {
  const Footprint f = footprint_of(at, device);
  const double array = f.elements() * f.passes() * static_cast<double>(size_of(at.kernel.dtype));
  return {.bytes_read = array};
}

Turn read_turn(Setup& s, const Footprint& f) {
  const ops::Read op{.x = s.random(f.n(), 1), .n = f.n(), .passes = f.repeat(), .sum = s.poisoned_as<std::uint64_t>(1)};
  const ops::ReadCheck check{.got = op.sum, .x = op.x, .n = op.n, .passes = op.passes};
  return {.launch = s.bind(op),
          .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 0}; }};
}

Job read_job(Setup& setup) {
  const Footprint f = footprint_of(setup.at(), setup.device().info());
  return {.turns = setup.rotate(f.bytes(), [f](Setup& s) { return read_turn(s, f); })};
}

const Registered read{{.name = "memory/read",
                       .about = "the sum of the bits of one array, by its footprint",
                       .axes = {footprint_axis()},
                       .modes = {Mode::batch},
                       .kernels = table_of<ops::Read>(),
                       .rate = bandwidth,
                       .work = read_work,
                       .ceiling = memory_ceiling,
                       .job = read_job}};

}  // namespace
}  // namespace warpmark
