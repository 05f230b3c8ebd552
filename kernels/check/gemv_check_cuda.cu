// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/check_cuda.cuh"
#include "kernels/check/check_cuda.h"

namespace {

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language
using warpmark::ops::GemvCheck;
using warpmark::ops::Weights;

__device__ double scale_at(const GemvCheck& check, std::size_t i) {
  return as_double(static_cast<const __half*>(check.op.scales)[i]);
}

__device__ double weight_at(const GemvCheck& check, std::size_t row, std::size_t column) {
  const std::size_t at = row * check.op.columns + column;
  if (check.weights == Weights::w16) return as_double(static_cast<const __half*>(check.op.w)[at]);
  if (check.weights == Weights::w8)
    return as_double(static_cast<const std::int8_t*>(check.op.w)[at]) * scale_at(check, row);
  const std::size_t place = at % 32;
  const unsigned both = static_cast<const std::uint8_t*>(check.op.w)[at / 32 * 16 + place % 16];
  const int value = static_cast<int>(place < 16 ? both & 15U : both >> 4U) - 8;
  return static_cast<double>(value) * scale_at(check, at / warpmark::ops::gemv_group);
}

/// In every thread of the warp.
__device__ double distance(const GemvCheck& check, std::size_t row) {
  double want = 0;
  double squares = 0;
  for (std::size_t column = threadIdx.x % 32; column < check.op.columns; column += 32) {
    const double product = weight_at(check, row, column) * as_double(static_cast<const __half*>(check.op.x)[column]);
    want += product;
    squares += product * product;
  }
  want = fold_warp(want, Add{});
  squares = fold_warp(squares, Add{});
  const double off = fabs(as_double(static_cast<const __half*>(check.op.y)[row]) - want);
  const double allowed = 0x1p-10 * fabs(want) + 0x1p-23 * sqrt(squares * static_cast<double>(check.op.columns));
  return off == 0 ? 0 : off / allowed;
}

}  // namespace

WARPMARK_CHECK_KERNEL check_gemv_f16(const GemvCheckParameters p) {
  constexpr unsigned warps = fold_threads / 32;
  const LargerOrNan larger{};
  double worst = 0;
  for (std::size_t row = std::size_t{blockIdx.x} * warps + threadIdx.x / 32; row < p.op.n;
       row += std::size_t{gridDim.x} * warps)
    worst = larger(distance(p.op, row), worst);
  double all = 0;
  if (fold_grid(worst, 0.0, p.fold, larger, all) && threadIdx.x == 0) *p.op.out = all;
}
