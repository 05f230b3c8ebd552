// SPDX-License-Identifier: Apache-2.0
// The scalar product of two arrays: two read, nothing written.
#include "kernels/memory/dot.h"

#include <algorithm>
#include <cmath>

#include "bench/memory/footprint.h"
#include "harness/measure/setup.h"
#include "kernels/check/sums.h"

namespace warpmark {
namespace {

Footprint footprint_of(const Case& at, const DeviceInfo& device) {
  return Footprint(at, device, 2 * size_of(at.kernel.dtype));
}

Work dot_work(const Case& at, const DeviceInfo& device) {
  const Footprint f = footprint_of(at, device);
  const double array = f.elements() * f.passes() * static_cast<double>(size_of(at.kernel.dtype));
  return {.bytes_read = 2 * array, .flops = 2 * f.elements() * f.passes()};
}

/// Operands are uniform in [-1, 1). Products are summed in their own type over runs of ops::dot_run, in several sums
/// side by side, and the runs in f64: off by up to about sqrt(n run) / 100 epsilons where the type is narrower than
/// f64, by n / 100 where it is not. Six times as much is allowed; short arrays are all rounding, 16 epsilons at most.
double allowed_error(DType dtype, std::size_t elements) {
  const auto n = static_cast<double>(elements);
  const double run = dtype == DType::f64 ? n : std::min(n, static_cast<double>(ops::dot_run));
  return epsilon_of(dtype) * (16 + std::sqrt(n * run) / 16);
}

Turn dot_turn(Setup& s, const Footprint& f) {
  const ops::Dot op{.x = s.random(f.n(), 1),
                    .y = s.random(f.n(), 2),
                    .n = f.n(),
                    .passes = f.repeat(),
                    .sum = s.poisoned_as<double>(1)};
  const ops::DotCheck check{.got = op.sum, .x = op.x, .y = op.y, .n = op.n};
  return {.launch = s.bind(op), .verify = [check](Verifier& v) {
            return Verdict{.error = v.run(check), .allowed = allowed_error(v.dtype(), check.n)};
          }};
}

Job dot_job(Setup& setup) {
  const Footprint f = footprint_of(setup.at(), setup.device().info());
  return {.turns = setup.rotate(f.bytes(), [f](Setup& s) { return dot_turn(s, f); })};
}

const Registered dot{{.name = "memory/dot",
                      .about = "x . y over two arrays, by footprint of both",
                      .axes = {footprint_axis()},
                      .modes = {Mode::batch},
                      .kernels = table_of<ops::Dot>(),
                      .rate = bandwidth,
                      .work = dot_work,
                      .ceiling = memory_ceiling,
                      .job = dot_job}};

}  // namespace
}  // namespace warpmark
