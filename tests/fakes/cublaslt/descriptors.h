// SPDX-License-Identifier: Apache-2.0
// What callers of the simulated cublasLt describe: a product, its matrices, what they prefer.
#pragma once

#include <cublasLt.h>

#include <cstdint>

namespace warpmark::fakes {

struct ProductDescriptor {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType_t scale = CUDA_R_32F;
  std::int32_t transpose_a = CUBLAS_OP_N;
  std::int32_t transpose_b = CUBLAS_OP_N;
  std::int8_t fast_accumulation = 0;
};

struct MatrixLayout {
  cudaDataType_t type = CUDA_R_32F;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t stride = 0;  // from one column to the next
  std::int32_t batch = 1;
  std::int64_t batch_stride = 0;  // in elements
};

struct Preference {
  std::uint64_t workspace_bytes = 0;
  std::uint32_t alignment_bytes[4] = {256, 256, 256, 256};  // of A, B, C, D
};

// Handles are addresses of these.
[[nodiscard]] inline const ProductDescriptor& of(cublasLtMatmulDesc_t handle) {
  return *reinterpret_cast<const ProductDescriptor*>(handle);
}
[[nodiscard]] inline const MatrixLayout& of(cublasLtMatrixLayout_t handle) {
  return *reinterpret_cast<const MatrixLayout*>(handle);
}
[[nodiscard]] inline const Preference& of(cublasLtMatmulPreference_t handle) {
  return *reinterpret_cast<const Preference*>(handle);
}

}  // namespace warpmark::fakes
