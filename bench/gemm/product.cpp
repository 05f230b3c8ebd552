// SPDX-License-Identifier: Apache-2.0
#include "bench/gemm/product.h"

#include <algorithm>
#include <cmath>

#include "kernels/check/freivalds.h"

namespace warpmark {
namespace {

bool is_narrow(DType dtype) { return dtype == DType::bf16 || dtype == DType::f16; }

/// Columns that one vector of the check covers: of all, the rounding of narrow results would hide a wrong element.
std::size_t columns_checked(const GemmShape& shape, DType dtype) {
  constexpr std::size_t narrow = 256;
  return is_narrow(dtype) ? std::min(shape.n, narrow) : shape.n;
}

/// How far rounding may take a row of C times a vector of signs. Operands are uniform in [-1, 1), so an element of C is
/// sqrt(k) / 3 large.
/// f64, f32: summed one product after the other it is off by about 0.07 epsilon k, and the row by sqrt(columns) times
/// that. Fifteen times as much is allowed: 0.04 % of one element of C at n = 1024.
/// bf16, f16: sums are kept in f32 and rounded once at the end, off by 0.07 epsilon sqrt(k), the row by sqrt(columns)
/// times that. Seven times as much is allowed.
/// int8: sums are exact.
double allowed_error(const GemmShape& shape, DType dtype) {
  const auto k = static_cast<double>(shape.k);
  const auto columns = static_cast<double>(columns_checked(shape, dtype));
  if (dtype == DType::i8) return 0;
  if (is_narrow(dtype)) return epsilon_of(dtype) * (1 + std::sqrt(k * columns) / 2);
  return epsilon_of(dtype) * k * std::sqrt(columns);
}

std::size_t result_bytes(DType dtype) { return dtype == DType::i8 ? sizeof(std::int32_t) : size_of(dtype); }

Turn gemm_turn(Setup& s, const GemmShape& shape) {
  const DType dtype = s.at().kernel.dtype;
  const std::size_t in_c = shape.batch * shape.m * shape.n;
  const ops::Gemm op{.c = dtype == DType::i8 ? s.poisoned_as<std::int32_t>(in_c) : s.poisoned(in_c),
                     .a = s.random(shape.batch * shape.m * shape.k, 1),
                     .b = s.random(shape.batch * shape.k * shape.n, 2),
                     .m = shape.m,
                     .n = shape.n,
                     .k = shape.k,
                     .batch = shape.batch};
  const ops::Freivalds check{.c = op.c,
                             .a = op.a,
                             .b = op.b,
                             .m = op.m,
                             .n = op.n,
                             .k = op.k,
                             .batch = op.batch,
                             .columns = columns_checked(shape, dtype),
                             .seed = 7};
  return {.launch = s.bind(op), .verify = [check, shape](Verifier& v) {
            return Verdict{.error = v.run(check), .allowed = allowed_error(shape, v.dtype())};
          }};
}

}  // namespace

Work gemm_work(const GemmShape& shape, DType dtype) {
  const auto m = static_cast<double>(shape.m);
  const auto n = static_cast<double>(shape.n);
  const auto k = static_cast<double>(shape.k);
  const auto batch = static_cast<double>(shape.batch);
  return {.bytes_read = batch * (m * k + k * n) * static_cast<double>(size_of(dtype)),
          .bytes_written = batch * m * n * static_cast<double>(result_bytes(dtype)),
          .flops = batch * 2 * m * n * k};
}

Job gemm_job(Setup& setup, const GemmShape& shape) {
  const Work work = gemm_work(shape, setup.at().kernel.dtype);
  return {.turns = setup.rotate(static_cast<std::size_t>(work.bytes()), [&](Setup& s) { return gemm_turn(s, shape); })};
}

CeilingRule gemm_ceiling(const Case& at, const DeviceInfo& /*device*/) {
  switch (at.kernel.dtype) {
    case DType::f64: return {.name = "f64_fma"};
    case DType::f32: return {.name = "f32_fma"};
    case DType::bf16: return {.name = "bf16_dot"};
    case DType::i8: return {.name = "i8_dot"};
    case DType::f16: break;
  }
  return {.why_none = "nothing measures the peak of f16 yet"};
}

}  // namespace warpmark
