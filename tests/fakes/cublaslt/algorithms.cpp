// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/cublaslt/algorithms.h"

#include <cstring>

#include "tests/fakes/cublaslt/entry.h"

namespace warpmark::fakes {
namespace {

constexpr std::uint64_t mark_of_ours = 0x77617270626c6173;

std::uint64_t input_flag(Arithmetic arithmetic, cudaDataType_t operands) {
  switch (operands) {
    case CUDA_R_64F: return CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F;
    case CUDA_R_16F: return CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F;
    case CUDA_R_16BF: return CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF;
    case CUDA_R_8F_E4M3: return CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E4M3;
    case CUDA_R_8I: return CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I;
    default:
      return arithmetic == Arithmetic::tf32 ? CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32
                                            : CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
  }
}

std::uint64_t flags_of(Arithmetic arithmetic, cudaDataType_t operands) {
  const std::uint64_t input = input_flag(arithmetic, operands);
  switch (arithmetic) {
    case Arithmetic::f64:
      return input | CUBLASLT_NUMERICAL_IMPL_FLAGS_DMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F;
    case Arithmetic::f32:
      return input | CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;
    case Arithmetic::int32:
      return input | CUBLASLT_NUMERICAL_IMPL_FLAGS_IMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I;
    case Arithmetic::f16_sums:
      return input | CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_16F;
    default: return input | CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;
  }
}

template <class Value>
cublasStatus_t answer(const Value& value, void* to, std::size_t bytes, std::size_t* written) {
  if (written != nullptr) *written = sizeof value;
  if (bytes == 0) return written == nullptr ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
  if (to == nullptr || bytes != sizeof value) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(to, &value, sizeof value);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

cublasLtMatmulAlgo_t packed(std::size_t index, Arithmetic arithmetic, cudaDataType_t operands) {
  const AlgorithmContent content{
      .mark = mark_of_ours, .index = index, .implementation_flags = flags_of(arithmetic, operands)};
  cublasLtMatmulAlgo_t algorithm{};
  static_assert(sizeof content <= sizeof algorithm.data);
  std::memcpy(algorithm.data, &content, sizeof content);
  return algorithm;
}

const AlgorithmContent* content_of(const cublasLtMatmulAlgo_t* algorithm) {
  if (algorithm == nullptr) return nullptr;
  const auto* const content = reinterpret_cast<const AlgorithmContent*>(algorithm->data);
  return content->mark == mark_of_ours && content->index < algorithm_truths.size() ? content : nullptr;
}

}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                 cublasLtMatmulAlgoCapAttributes_t which, void* to, size_t bytes,
                                                 size_t* written) {
  return enter_library("cublasLtMatmulAlgoCapGetAttribute", [=] {
    const AlgorithmContent* const content = content_of(algorithm);
    if (content == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (which == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS)
      return answer(content->implementation_flags, to, bytes, written);
    // Of version 13 alone, and none of ours has another way to compute.
    constexpr auto emulation_support = static_cast<cublasLtMatmulAlgoCapAttributes_t>(22);
    if (WARPMARK_CUBLASLT_MAJOR >= 13 && which == emulation_support) return answer(std::int32_t{0}, to, bytes, written);
    return CUBLAS_STATUS_INVALID_VALUE;
  });
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t which, void* to, size_t bytes,
                                                    size_t* written) {
  return enter_library("cublasLtMatmulAlgoConfigGetAttribute", [=] {
    const AlgorithmContent* const content = content_of(algorithm);
    if (content == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    const AlgorithmTruth& truth = algorithm_truths.at(content->index);
    switch (which) {
      case CUBLASLT_ALGO_CONFIG_ID: return answer(truth.id, to, bytes, written);
      case CUBLASLT_ALGO_CONFIG_TILE_ID: return answer(truth.tile, to, bytes, written);
      case CUBLASLT_ALGO_CONFIG_STAGES_ID: return answer(truth.stages, to, bytes, written);
      case CUBLASLT_ALGO_CONFIG_SPLITK_NUM: return answer(truth.split_k, to, bytes, written);
      case CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING: return answer(truth.swizzle, to, bytes, written);
      default: return CUBLAS_STATUS_INVALID_VALUE;
    }
  });
}
