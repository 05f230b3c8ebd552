// SPDX-License-Identifier: Apache-2.0
#include "kernels/compute/matrix_sums_cuda.cuh"

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language
using warpmark::ops::MatrixSums;

namespace {

template <class T, class Sum>
using Wide = Fragments<T, unsigned, Sum, 4, 2, 4>;

}  // namespace

WARPMARK_MATRIX_KERNEL compute_matrix_f64(const MatrixSums op) {
  matrix_sums<MmaF64, Fragments<double, double, double, 1, 1, 2>, 1>(op);
}
WARPMARK_MATRIX_KERNEL compute_matrix_tf32(const MatrixSums op) { matrix_sums<MmaTf32, Wide<float, float>, 2>(op); }
WARPMARK_MATRIX_KERNEL compute_matrix_f16(const MatrixSums op) { matrix_sums<MmaF16, Wide<__half, float>, 2>(op); }
WARPMARK_MATRIX_KERNEL compute_matrix_f16_acc16(const MatrixSums op) {
  matrix_sums<MmaF16Acc16, Fragments<__half, unsigned, unsigned, 4, 2, 2>, 2>(op);
}
WARPMARK_MATRIX_KERNEL compute_matrix_bf16(const MatrixSums op) {
  matrix_sums<MmaBf16, Wide<__nv_bfloat16, float>, 2>(op);
}
WARPMARK_MATRIX_KERNEL compute_matrix_i8(const MatrixSums op) { matrix_sums<MmaI8, Wide<std::int8_t, int>, 2>(op); }
