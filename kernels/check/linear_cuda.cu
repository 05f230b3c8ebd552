// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/check_cuda.cuh"
#include "kernels/check/check_cuda.h"

namespace {

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language

template <class T>
__device__ double distance(const warpmark::ops::LinearCheck& op, double epsilon, std::size_t i) {
  const double first = op.x == nullptr ? op.alpha : op.alpha * as_double(static_cast<const T*>(op.x)[i]);
  const double second = op.y == nullptr ? 0 : op.beta * as_double(static_cast<const T*>(op.y)[i]);
  const double off = fabs(as_double(static_cast<const T*>(op.got)[i]) - (first + second));
  const double scale = epsilon * (fabs(first) + fabs(second));
  return off == 0 ? 0 : off / scale;  // 0 / 0 is a right 0; anything else over 0 is infinitely wrong
}

template <class T>
__device__ void linear(const LinearParameters& p, double epsilon) {
  const LargerOrNan larger{};
  double worst = 0;
  each_of_grid(p.op.n, [&](std::size_t i) { worst = larger(distance<T>(p.op, epsilon, i), worst); });
  double all = 0;
  if (fold_grid(worst, 0.0, p.fold, larger, all) && threadIdx.x == 0) *p.op.out = all;
}

}  // namespace

WARPMARK_CHECK_KERNEL check_linear_f64(const LinearParameters p) { linear<double>(p, 0x1p-52); }
WARPMARK_CHECK_KERNEL check_linear_f32(const LinearParameters p) { linear<float>(p, 0x1p-23); }
