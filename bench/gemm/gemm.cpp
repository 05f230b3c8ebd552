// SPDX-License-Identifier: Apache-2.0
// Square matrix product, once per kernel that implements it.
#include "kernels/gemm/gemm.h"

#include <cmath>

#include "harness/measure/setup.h"
#include "kernels/check/freivalds.h"

namespace warpmark {
namespace {

Work gemm_work(const Case& at, const DeviceInfo&) {
  const auto n = static_cast<double>(at.integer("n"));
  const double matrix = n * n * static_cast<double>(size_of(at.kernel.dtype));
  return {.bytes_read = 2 * matrix, .bytes_written = matrix, .flops = 2 * n * n * n};
}

// Operands are uniform in [-1, 1), so an element of C, summed one product after the other, is off by about 0.07 epsilon
// k, and the sum of a row with random signs by sqrt(n) times that. Fifteen times as much is allowed: 0.04 % of one
// element of C at n = 1024.
double allowed_error(DType dtype, double n, double k) { return epsilon_of(dtype) * k * std::sqrt(n); }

Job gemm_job(Setup& setup) {
  const auto n = static_cast<std::size_t>(setup.at().integer("n"));
  const std::size_t bytes = 3 * n * n * size_of(setup.at().kernel.dtype);
  return {.turns = setup.rotate(bytes, [n](Setup& s) -> Turn {
    const ops::Gemm op{
        .c = s.poisoned(n * n), .a = s.random(n * n, 1), .b = s.random(n * n, 2), .m = n, .n = n, .k = n};
    const ops::Freivalds check{.c = op.c, .a = op.a, .b = op.b, .m = n, .n = n, .k = n, .seed = 7};
    return {.launch = s.bind(op), .verify = [check, n](Verifier& v) {
              const auto size = static_cast<double>(n);
              return Verdict{.error = v.run(check), .allowed = allowed_error(v.dtype(), size, size)};
            }};
  })};
}

const Registered gemm{{.name = "gemm",
                       .about = "C = A B with n x n matrices",
                       .axes = {{.name = "n", .values = {512, 1024, 2048, 4096}}},
                       .modes = {Mode::isolated, Mode::batch},
                       .kernels = table_of<ops::Gemm>(),
                       .rate = flop_rate,
                       .probe = "f32_fma",
                       .work = gemm_work,
                       .ceiling = [](const Case&, const DeviceInfo&) { return CeilingRule{.name = "f32_fma"}; },
                       .job = gemm_job}};

}  // namespace
}  // namespace warpmark
