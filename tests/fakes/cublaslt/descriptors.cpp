// SPDX-License-Identifier: Apache-2.0
// Functions of cublasLt that make and change descriptions. They work without a device, as NVIDIA's do.
#include "tests/fakes/cublaslt/descriptors.h"

#include <cstdio>
#include <cstring>

#include "tests/fakes/cublaslt/entry.h"

namespace warpmark::fakes {
namespace {

template <class Handle, class Content>
cublasStatus_t hand_out(Handle* handle, const Content& content) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = reinterpret_cast<Handle>(new Content(content));
  return CUBLAS_STATUS_SUCCESS;
}

template <class Content, class Handle>
cublasStatus_t take_back(Handle handle) {
  delete reinterpret_cast<Content*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Value>
cublasStatus_t set(Value& to, const void* from, std::size_t bytes) {
  if (from == nullptr || bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, from, sizeof to);
  return CUBLAS_STATUS_SUCCESS;
}

/// Of what the product does not use.
cublasStatus_t unknown(const char* call, int which) {
  std::fprintf(stderr, "simulated cublasLt: %s does not know attribute %d\n", call, which);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

bool may_scale(cublasComputeType_t compute, cudaDataType_t scale) {
  switch (compute) {
    case CUBLAS_COMPUTE_64F: return scale == CUDA_R_64F;
    case CUBLAS_COMPUTE_16F: return scale == CUDA_R_16F;
    case CUBLAS_COMPUTE_32I: return scale == CUDA_R_32I || scale == CUDA_R_32F;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return scale == CUDA_R_32F;
    default: return false;
  }
}

}  // namespace
}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* handle, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return enter_library("cublasLtMatmulDescCreate", [=] {
    if (!may_scale(compute, scale)) return CUBLAS_STATUS_INVALID_VALUE;
    return hand_out(handle, ProductDescriptor{.compute = compute, .scale = scale});
  });
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t handle) {
  return enter_library("cublasLtMatmulDescDestroy", [=] { return take_back<ProductDescriptor>(handle); });
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle, cublasLtMatmulDescAttributes_t which,
                                              const void* from, size_t bytes) {
  return enter_library("cublasLtMatmulDescSetAttribute", [=] {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    auto& to = *reinterpret_cast<ProductDescriptor*>(handle);
    switch (which) {
      case CUBLASLT_MATMUL_DESC_TRANSA: return set(to.transpose_a, from, bytes);
      case CUBLASLT_MATMUL_DESC_TRANSB: return set(to.transpose_b, from, bytes);
      case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return set(to.fast_accumulation, from, bytes);
      default: return unknown("cublasLtMatmulDescSetAttribute", which);
    }
  });
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* handle, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t stride) {
  return enter_library("cublasLtMatrixLayoutCreate", [=] {
    if (rows == 0 || columns == 0 || stride < static_cast<int64_t>(rows)) return CUBLAS_STATUS_INVALID_VALUE;
    return hand_out(handle, MatrixLayout{.type = type, .rows = rows, .columns = columns, .stride = stride});
  });
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t handle) {
  return enter_library("cublasLtMatrixLayoutDestroy", [=] { return take_back<MatrixLayout>(handle); });
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t handle, cublasLtMatrixLayoutAttribute_t which,
                                                const void* from, size_t bytes) {
  return enter_library("cublasLtMatrixLayoutSetAttribute", [=] {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    auto& to = *reinterpret_cast<MatrixLayout*>(handle);
    switch (which) {
      case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return set(to.batch, from, bytes);
      case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return set(to.batch_stride, from, bytes);
      default: return unknown("cublasLtMatrixLayoutSetAttribute", which);
    }
  });
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* handle) {
  return enter_library("cublasLtMatmulPreferenceCreate", [=] { return hand_out(handle, Preference{}); });
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t handle) {
  return enter_library("cublasLtMatmulPreferenceDestroy", [=] { return take_back<Preference>(handle); });
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t which, const void* from,
                                                    size_t bytes) {
  return enter_library("cublasLtMatmulPreferenceSetAttribute", [=] {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    auto& to = *reinterpret_cast<Preference*>(handle);
    switch (which) {
      case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES: return set(to.workspace_bytes, from, bytes);
      case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES: return set(to.alignment_bytes[0], from, bytes);
      case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES: return set(to.alignment_bytes[1], from, bytes);
      case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES: return set(to.alignment_bytes[2], from, bytes);
      case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES: return set(to.alignment_bytes[3], from, bytes);
      default: return unknown("cublasLtMatmulPreferenceSetAttribute", which);
    }
  });
}
