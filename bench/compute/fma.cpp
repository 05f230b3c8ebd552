// SPDX-License-Identifier: Apache-2.0
// What the multiply-add units do when nothing has to be fetched for them.
#include "kernels/compute/fma.h"

#include "bench/compute/registers.h"
#include "harness/measure/setup.h"
#include "kernels/check/turned.h"

namespace warpmark {
namespace {

// Of a core or an SM: a millisecond or more of work on any of today's, which makes starting it a thousandth.
constexpr std::size_t pairs_per_unit = 32768;

std::size_t pairs_on(const DeviceInfo& device) { return pairs_per_unit * units_of(device); }

/// Two multiply-adds for a pair in every round.
Work fma_work(const Case& at, const DeviceInfo& device) {
  const auto pairs = static_cast<double>(pairs_on(device));
  return {.bytes_written = 2 * pairs * static_cast<double>(size_of(at.kernel.dtype)),
          .flops = 4 * pairs * static_cast<double>(rounds_of(at))};
}

/// In epsilons. Kernels that round once come out as the check does. Without such an instruction f64 and f32 round each
/// product too, which now and then takes a sum to the next number; what that is off by turns with the rest and adds up,
/// after 4096 rounds to 60 to 70. Seven times as much is allowed. A round too few is off by 1e5 and more.
double allowed_error(const Case& at) {
  const DType dtype = at.kernel.dtype;
  if ((dtype != DType::f64 && dtype != DType::f32) || at.kernel.variant != "baseline") return 0;
  return 2 + static_cast<double>(rounds_of(at)) / 8;
}

Turn fma_turn(Setup& s) {
  const std::size_t n = pairs_on(s.device().info());
  const ops::Fma op{.u = s.poisoned(n), .v = s.poisoned(n), .n = n, .rounds = rounds_of(s.at())};
  const ops::TurnedCheck check{.u = op.u, .v = op.v, .n = op.n, .rounds = op.rounds};
  return {.launch = s.bind(op), .verify = [check, allowed = allowed_error(s.at())](Verifier& v) {
            return Verdict{.error = v.run(check), .allowed = allowed};
          }};
}

Job fma_job(Setup& setup) {
  const auto bytes = static_cast<std::size_t>(fma_work(setup.at(), setup.device().info()).bytes());
  return {.turns = setup.rotate(bytes, fma_turn)};
}

const Registered fma{{.name = "compute/fma",
                      .about = "multiply-adds from registers alone on all cores or SMs, by how many follow each other",
                      .axes = {{.name = "rounds", .values = {4096}}},
                      .modes = {Mode::batch},
                      .kernels = table_of<ops::Fma>(),
                      .rate = flop_rate,
                      .probed = true,
                      .work = fma_work,
                      .ceiling = [](const Case& at, const DeviceInfo&) -> CeilingRule {
                        return {.name = table_of<ops::Fma>().unit(at.kernel)};
                      },
                      .job = fma_job}};

}  // namespace
}  // namespace warpmark
