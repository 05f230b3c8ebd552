// SPDX-License-Identifier: Apache-2.0
// fp8, which chips have from 8.9 on and drivers take PTX of from CUDA 12.4 on.
#include "kernels/compute/matrix_sums_cuda.cuh"

WARPMARK_MATRIX_KERNEL compute_matrix_e4m3(const warpmark::ops::MatrixSums op) {
  using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language
  matrix_sums<MmaE4m3, Fragments<__nv_fp8_e4m3, unsigned, float, 4, 2, 4>, 2>(op);
}
