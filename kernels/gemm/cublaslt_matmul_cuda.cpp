// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/cublaslt_matmul_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "harness/core/error.h"

namespace warpmark::cuda {
namespace {

constexpr int most_algorithms = 16;

template <class Value>
void set(const CublasLt& lt, cublasLtMatmulDesc_t to, cublasLtMatmulDescAttributes_t which, const Value& value) {
  check(lt, lt.MatmulDescSetAttribute(to, which, &value, sizeof value), "cublasLtMatmulDescSetAttribute",
        fmt::format("attribute {}", static_cast<int>(which)));
}

template <class Value>
void set(const CublasLt& lt, cublasLtMatrixLayout_t to, cublasLtMatrixLayoutAttribute_t which, const Value& value) {
  check(lt, lt.MatrixLayoutSetAttribute(to, which, &value, sizeof value), "cublasLtMatrixLayoutSetAttribute",
        fmt::format("attribute {}", static_cast<int>(which)));
}

template <class Value>
void set(const CublasLt& lt, cublasLtMatmulPreference_t to, cublasLtMatmulPreferenceAttributes_t which,
         const Value& value) {
  check(lt, lt.MatmulPreferenceSetAttribute(to, which, &value, sizeof value), "cublasLtMatmulPreferenceSetAttribute",
        fmt::format("attribute {}", static_cast<int>(which)));
}

/// Empty where the library does not say.
std::optional<std::uint64_t> implementation_of(const CublasLt& lt, const cublasLtMatmulAlgo_t& algorithm) {
  std::uint64_t flags = 0;
  std::size_t written = 0;
  const cublasStatus_t status =
      lt.MatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, &flags, sizeof flags, &written);
  if (status != CUBLAS_STATUS_SUCCESS || written != sizeof flags) return std::nullopt;
  return flags;
}

/// Whether it has another way to compute, in which f64 or f32 are made of narrower numbers; null where the library does
/// not say, as those do not that know no such way (before 13.1).
nlohmann::json can_emulate(const CublasLt& lt, const cublasLtMatmulAlgo_t& algorithm) {
  // By number: headers of a toolkit before 13.0.2 have no name for it.
  constexpr auto emulation_support = static_cast<cublasLtMatmulAlgoCapAttributes_t>(22);
  std::int32_t value = 0;
  std::size_t written = 0;
  const cublasStatus_t status =
      lt.MatmulAlgoCapGetAttribute(&algorithm, emulation_support, &value, sizeof value, &written);
  if (status != CUBLAS_STATUS_SUCCESS || written != sizeof value) return nullptr;
  return value != 0;
}

/// null where the library does not say.
nlohmann::json setting_of(const CublasLt& lt, const cublasLtMatmulAlgo_t& algorithm,
                          cublasLtMatmulAlgoConfigAttributes_t which) {
  std::int32_t value = 0;
  std::size_t written = 0;
  const cublasStatus_t status = lt.MatmulAlgoConfigGetAttribute(&algorithm, which, &value, sizeof value, &written);
  if (status != CUBLAS_STATUS_SUCCESS || written != sizeof value) return nullptr;
  return value;
}

}  // namespace

nlohmann::json about(const CublasLt& lt, const MatmulAlgorithm& a) {
  return {{"algorithm",
           {{"id", setting_of(lt, a.algorithm, CUBLASLT_ALGO_CONFIG_ID)},
            {"tile", setting_of(lt, a.algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID)},
            {"stages", setting_of(lt, a.algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID)},
            {"split_k", setting_of(lt, a.algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM)},
            {"swizzle", setting_of(lt, a.algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING)},
            {"can_emulate", can_emulate(lt, a.algorithm)},
            {"workspace_bytes", a.workspace_bytes}}},
          {"heuristic", {{"rank", a.rank}, {"of", a.of}}},
          {"numerics", a.implementation ? nlohmann::json(numerics_text(*a.implementation)) : nlohmann::json(nullptr)}};
}

Matmul::Layout Matmul::layout(cudaDataType_t type, std::size_t rows, std::size_t columns, std::size_t batch) const {
  cublasLtMatrixLayout_t made = nullptr;
  check(lt_, lt_.MatrixLayoutCreate(&made, type, rows, columns, static_cast<std::int64_t>(rows)),
        "cublasLtMatrixLayoutCreate", fmt::format("{} x {}", rows, columns));
  Layout owned(made, lt_.MatrixLayoutDestroy);
  if (batch > 1) {
    set(lt_, made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(batch));
    set(lt_, made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, static_cast<std::int64_t>(rows * columns));
  }
  return owned;
}

Matmul::Scalar Matmul::one_of(cudaDataType_t type) {
  Scalar scalar;
  const auto put = [&scalar](const auto& value) {
    const auto bytes = std::bit_cast<std::array<std::byte, sizeof value>>(value);
    std::copy(bytes.begin(), bytes.end(), scalar.bytes.begin());
  };
  constexpr std::uint16_t one_as_f16 = 0x3c00;
  switch (type) {
    case CUDA_R_64F: put(1.0); break;
    case CUDA_R_32F: put(1.0F); break;
    case CUDA_R_16F: put(one_as_f16); break;
    case CUDA_R_32I: put(std::int32_t{1}); break;
    default: throw std::logic_error("no product is scaled by that type");
  }
  return scalar;
}

Matmul::Matmul(const CublasLt& lt, const MatmulTypes& types, const ops::Gemm& op, bool transposed_b)
    : lt_(lt),
      product_(nullptr, lt_.MatmulDescDestroy),
      first_(transposed_b ? layout(types.operands, op.k, op.n, op.batch)
                          : layout(types.operands, op.n, op.k, op.batch)),
      second_(layout(types.operands, op.k, op.m, op.batch)),
      result_(layout(types.result, op.n, op.m, op.batch)),
      one_(one_of(types.scale)) {
  cublasLtMatmulDesc_t made = nullptr;
  check(lt_, lt_.MatmulDescCreate(&made, types.compute, types.scale), "cublasLtMatmulDescCreate");
  product_.reset(made);
  const auto set_operation = [&](cublasLtMatmulDescAttributes_t which, cublasOperation_t operation) {
    set(lt_, made, which, static_cast<std::int32_t>(operation));
  };
  set_operation(CUBLASLT_MATMUL_DESC_TRANSA, transposed_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  set_operation(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
  // Of fp8 the matrix unit keeps few digits of a sum: they are to go to f32 in between.
  if (types.operands == CUDA_R_8F_E4M3) {
    set(lt_, made, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{0});
    about_["fast_accumulation"] = false;
  }
  // Emulation has a compute type of its own, so this one asks for none; a strategy only says when to use it.
  if (types.compute == CUBLAS_COMPUTE_64F) about_["compute_type"] = "CUBLAS_COMPUTE_64F: no emulation is asked for";
}

std::vector<MatmulAlgorithm> Matmul::algorithms(const MatmulPlace& place, std::size_t alignment_bytes) const {
  cublasLtMatmulPreference_t made = nullptr;
  check(lt_, lt_.MatmulPreferenceCreate(&made), "cublasLtMatmulPreferenceCreate");
  const Owned<cublasLtMatmulPreferenceOpaque_t> preference(made, lt_.MatmulPreferenceDestroy);
  set(lt_, made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(place.workspace_bytes));
  for (const auto which : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                           CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    set(lt_, made, which, static_cast<std::uint32_t>(alignment_bytes));
  std::array<cublasLtMatmulHeuristicResult_t, most_algorithms> results{};
  int count = 0;
  const cublasStatus_t status =
      lt_.MatmulAlgoGetHeuristic(place.handle, product_.get(), first_.get(), second_.get(), result_.get(),
                                 result_.get(), made, most_algorithms, results.data(), &count);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return {};  // how it says that there is none
  check(lt_, status, "cublasLtMatmulAlgoGetHeuristic");
  std::vector<MatmulAlgorithm> all;
  for (int i = 0; i < std::min(count, most_algorithms); ++i) {
    const cublasLtMatmulHeuristicResult_t& result = results.at(static_cast<std::size_t>(i));
    if (result.state != CUBLAS_STATUS_SUCCESS || result.workspaceSize > place.workspace_bytes) continue;
    MatmulAlgorithm& made_of = all.emplace_back();
    made_of.algorithm = result.algo;
    made_of.workspace_bytes = result.workspaceSize;
    made_of.rank = i + 1;
    made_of.of = count;
    made_of.implementation = implementation_of(lt_, result.algo);
  }
  return all;
}

cublasStatus_t Matmul::launch(CudaStream& stream, const MatmulPlace& place, const MatmulAlgorithm& algorithm,
                              const ops::Gemm& op) const {
  const cublasStatus_t status =
      lt_.Matmul(place.handle, product_.get(), one_.bytes.data(), op.b, first_.get(), op.a, second_.get(),
                 zero_.bytes.data(), op.c, result_.get(), op.c, result_.get(), &algorithm.algorithm, place.workspace,
                 place.workspace_bytes, stream.handle());
  stream.count_library_call();
  return status;
}

}  // namespace warpmark::cuda
