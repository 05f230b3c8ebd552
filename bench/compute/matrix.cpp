// SPDX-License-Identifier: Apache-2.0
// What the matrix units do when nothing has to be fetched for them: one instruction of each type over and over.
#include "kernels/compute/matrix.h"

#include "bench/compute/registers.h"
#include "harness/measure/setup.h"
#include "kernels/check/matrix_sums.h"

namespace warpmark {
namespace {

// Of a core or an SM: milliseconds of work on the fastest of today's, in several times as many blocks as an SM holds,
// so that SMs share them evenly; and whole tiles of every kernel.
constexpr std::size_t results_per_unit = 61440;

std::size_t results_on(const DeviceInfo& device) { return results_per_unit * units_of(device); }

std::size_t matrix_rounds_of(const Case& at) {
  const std::size_t rounds = rounds_of(at);
  if (rounds > ops::matrix_most_rounds) throw Skipped("more than 2016 rounds: half precision does not hold the sums");
  return rounds;
}

Work matrix_work(const Case& at, const DeviceInfo& device) {
  const auto results = static_cast<double>(results_on(device));
  const auto products = static_cast<double>(matrix_rounds_of(at) * ops::matrix_round_products);
  return {.bytes_written = results * static_cast<double>(sizeof(float)), .flops = 2 * results * products};
}

Turn matrix_turn(Setup& s) {
  const std::size_t n = results_on(s.device().info());
  const ops::MatrixSums op{.c = s.poisoned_as<float>(n), .n = n, .rounds = matrix_rounds_of(s.at())};
  const ops::MatrixSumsCheck check{.c = op.c, .n = op.n, .rounds = op.rounds};
  return {.launch = s.bind(op),
          .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 0}; }};
}

Job matrix_job(Setup& setup) {
  return {.turns = setup.rotate(results_on(setup.device().info()) * sizeof(float), matrix_turn)};
}

CeilingRule matrix_ceiling(const Case& at, const DeviceInfo&) {
  const std::string_view unit = table_of<ops::MatrixSums>().unit(at.kernel);
  if (unit.empty()) return {.why_none = "the ceiling of the type is that of another unit of this device"};
  return {.name = unit};
}

const Registered matrix{{.name = "compute/matrix",
                         .about = "sums of products by the matrix units' own instructions, operands in registers",
                         .axes = {{.name = "rounds", .values = {1024}}},
                         .modes = {Mode::batch},
                         .kernels = table_of<ops::MatrixSums>(),
                         .rate = flop_rate,
                         .probed = true,
                         .work = matrix_work,
                         .ceiling = matrix_ceiling,
                         .job = matrix_job}};

}  // namespace
}  // namespace warpmark
