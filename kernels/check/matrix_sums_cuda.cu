// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/check_cuda.cuh"
#include "kernels/check/check_cuda.h"

WARPMARK_CHECK_KERNEL check_matrix_sums_f32(const warpmark::cuda::MatrixSumsParameters p) {
  using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language
  const LargerOrNan larger{};
  const auto rounds = static_cast<double>(p.op.rounds);
  double worst = 0;
  each_of_grid(p.op.n, [&](std::size_t i) {
    worst = larger(fabs(as_double(p.op.c[i]) - (i % 2 == 0 ? rounds : -rounds)), worst);
  });
  double all = 0;
  if (fold_grid(worst, 0.0, p.fold, larger, all) && threadIdx.x == 0) *p.op.out = all;
}
