// SPDX-License-Identifier: Apache-2.0
// What the benchmarks of launches share: axes, operands, the check, and that nothing bounds them.
#pragma once

#include "harness/core/benchmark.h"
#include "harness/measure/setup.h"
#include "kernels/check/launched.h"
#include "kernels/launch/empty.h"

namespace warpmark {

/// Bytes that are passed by value, and blocks (on a CPU: turns of an empty loop).
[[nodiscard]] Axis arguments_axis();
[[nodiscard]] Axis blocks_axis();

/// The axes' values, and operands for so many launches with arguments of their own.
[[nodiscard]] ops::Empty empty_of(Setup& setup, std::size_t argument_bytes, std::size_t blocks,
                                  std::size_t launches = 1);
/// Of a case with both axes.
[[nodiscard]] ops::Empty empty_of(Setup& setup);

/// One launch, or what is answered for one: a step.
[[nodiscard]] Work one_step(const Case& at, const DeviceInfo& device);
[[nodiscard]] CeilingRule no_ceiling(const Case& at, const DeviceInfo& device);

/// Binds an operation that is timed by its kernel, and checks what its launches leave.
template <class Op>
[[nodiscard]] Job launch_job(Setup& setup, const Op& op, std::size_t launches = 1) {
  Bound bound = setup.bound(op);
  const ops::LaunchedCheck check{.empty = op.empty, .launches = launches};
  std::vector<Turn> turns;
  turns.push_back(Turn{.launch = std::move(bound.launch),
                       .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 0}; },
                       .sample = std::move(bound.sample)});
  return {.turns = std::move(turns), .clocking = bound.clocking};
}

}  // namespace warpmark
