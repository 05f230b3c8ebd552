// SPDX-License-Identifier: Apache-2.0
// Functions of cublasLt that multiply, and that say how.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "tests/fakes/cublaslt/algorithms.h"
#include "tests/fakes/cublaslt/descriptors.h"
#include "tests/fakes/cublaslt/entry.h"

namespace warpmark::fakes {
namespace {

/// What the caller hands over for each product.
struct Described {
  const ProductDescriptor& product;
  const MatrixLayout& a;
  const MatrixLayout& b;
  const MatrixLayout& c;
  const MatrixLayout& d;
};

/// A way of multiplying that the library has, from which compute capability on.
struct Way {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType_t operands = CUDA_R_32F;
  cudaDataType_t result = CUDA_R_32F;
  Arithmetic arithmetic = Arithmetic::f32;
  int capability = 0;
  std::uint64_t multiple = 1;         // of rows and columns of A
  bool has_to_be_transposed = false;  // A, and B not
};

constexpr Way ways[] = {
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, Arithmetic::f64},
    {CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F, CUDA_R_32F, Arithmetic::f32},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, Arithmetic::f32},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, Arithmetic::tf32, 80},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F, Arithmetic::f32_sums},
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, Arithmetic::f16_sums},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_16BF, Arithmetic::f32_sums, 80},
    {CUBLAS_COMPUTE_32F, CUDA_R_8F_E4M3, CUDA_R_16BF, Arithmetic::f32_sums, 89, 16, true},
    {CUBLAS_COMPUTE_32I, CUDA_R_8I, CUDA_R_32I, Arithmetic::int32, 75, 4, true},
};

bool is_transposed(const Described& described) { return described.product.transpose_a == CUBLAS_OP_T; }

bool has_layout(const Described& of, const Way& way) {
  if (of.a.rows % way.multiple != 0 || of.a.columns % way.multiple != 0) return false;
  return !way.has_to_be_transposed || is_transposed(of);
}

const Way* way_of(const Described& of) {
  int capability = 0;
  if (driver_functions().capability(&capability) != CUDA_SUCCESS) return nullptr;
  for (const Way& way : ways)
    if (way.compute == of.product.compute && way.operands == of.a.type && way.operands == of.b.type &&
        way.result == of.d.type && way.result == of.c.type && capability >= way.capability && has_layout(of, way))
      return &way;
  return nullptr;
}

/// Whether the sizes fit each other, and everything is of the few forms that are simulated.
bool is_consistent(const Described& of) {
  const auto [m, k] = is_transposed(of) ? std::pair{of.a.columns, of.a.rows} : std::pair{of.a.rows, of.a.columns};
  if (of.product.transpose_b != CUBLAS_OP_N || of.product.fast_accumulation != 0) return false;
  for (const MatrixLayout* const each : {&of.a, &of.b, &of.c, &of.d}) {
    if (each->batch != of.d.batch || each->stride != static_cast<std::int64_t>(each->rows)) return false;
    if (each->batch > 1 && each->batch_stride != static_cast<std::int64_t>(each->rows * each->columns)) return false;
  }
  return of.b.rows == k && of.d.rows == m && of.d.columns == of.b.columns && of.c.rows == m &&
         of.c.columns == of.d.columns;
}

/// The product by an algorithm; without addresses.
Product product_of(const Described& of, const Way& way, const AlgorithmTruth& truth) {
  return {.m = of.d.rows,
          .n = of.d.columns,
          .k = of.b.rows,
          .batch = static_cast<std::size_t>(of.d.batch),
          .operands = way.operands,
          .result = way.result,
          .arithmetic = truth.is_tf32 ? Arithmetic::tf32 : way.arithmetic,
          .is_a_transposed = is_transposed(of) ? 1U : 0U,
          .speed = truth.speed};
}

/// alpha is 1 and beta 0, in the type that scales.
bool are_one_and_zero(cudaDataType_t scale, const void* alpha, const void* beta) {
  const double one_as_f64 = 1;
  const float one_as_f32 = 1;
  const std::uint16_t one_as_f16 = 0x3c00;
  const std::int32_t one_as_i32 = 1;
  const void* const one = scale == CUDA_R_64F   ? static_cast<const void*>(&one_as_f64)
                          : scale == CUDA_R_32F ? static_cast<const void*>(&one_as_f32)
                          : scale == CUDA_R_16F ? static_cast<const void*>(&one_as_f16)
                                                : static_cast<const void*>(&one_as_i32);
  constexpr std::uint64_t zero = 0;
  return std::memcmp(alpha, one, bytes_of(scale)) == 0 && std::memcmp(beta, &zero, bytes_of(scale)) == 0;
}

cublasStatus_t name_algorithms(const Described& of, const Preference& preference, int most,
                               cublasLtMatmulHeuristicResult_t* results, int* count) {
  *count = 0;
  if (!is_consistent(of)) return CUBLAS_STATUS_INVALID_VALUE;
  const Way* const way = way_of(of);
  if (way == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (std::size_t i = 0; i < algorithm_truths.size() && *count < most; ++i) {
    const AlgorithmTruth& truth = algorithm_truths.at(i);
    if (truth.workspace_bytes > preference.workspace_bytes) continue;
    if (truth.is_tf32 && way->arithmetic != Arithmetic::f32) continue;
    cublasLtMatmulHeuristicResult_t& result = results[(*count)++];
    result = {};
    result.algo = packed(i, truth.is_tf32 ? Arithmetic::tf32 : way->arithmetic, way->operands);
    result.workspaceSize = truth.workspace_bytes;
    result.state = truth.is_named_bad ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS;
    result.wavesCount = 1;
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

// NOLINTNEXTLINE(readability-function-size): NVIDIA chose the parameters
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int most,
                                              cublasLtMatmulHeuristicResult_t results[], int* count) {
  return enter_library("cublasLtMatmulAlgoGetHeuristic", [=] {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (product == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr || preference == nullptr ||
        results == nullptr || count == nullptr || most <= 0)
      return CUBLAS_STATUS_INVALID_VALUE;
    return name_algorithms({of(product), of(a), of(b), of(c), of(d)}, of(preference), most, results, count);
  });
}

// NOLINTNEXTLINE(readability-function-size): NVIDIA chose the parameters
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  return enter_library("cublasLtMatmul", [=] {
    const AlgorithmContent* const content = content_of(algorithm);
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (content == nullptr || alpha == nullptr || beta == nullptr || a == nullptr || b == nullptr || c != d ||
        d == nullptr)
      return CUBLAS_STATUS_INVALID_VALUE;
    const AlgorithmTruth& truth = algorithm_truths.at(content->index);
    const Described described{of(product), of(a_layout), of(b_layout), of(c_layout), of(d_layout)};
    const Way* const way = way_of(described);
    if (!is_consistent(described)) return CUBLAS_STATUS_INVALID_VALUE;
    if (way == nullptr || truth.refuses || truth.is_named_bad) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (truth.workspace_bytes > workspace_bytes || (truth.workspace_bytes > 0 && workspace == nullptr))
      return CUBLAS_STATUS_INVALID_VALUE;
    if (!are_one_and_zero(described.product.scale, alpha, beta)) {
      std::fputs("simulated cublasLt: cublasLtMatmul knows no alpha but 1 and no beta but 0\n", stderr);
      return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    Product parameters = product_of(described, *way, truth);
    parameters.a = a;
    parameters.b = b;
    parameters.d = d;
    return driver_functions().launch(stream, &product_twin(), &parameters) == CUDA_SUCCESS
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
  });
}
