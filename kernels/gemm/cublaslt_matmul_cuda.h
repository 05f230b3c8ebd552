// SPDX-License-Identifier: Apache-2.0
// One product as cublasLt describes it: types, layouts, and the algorithms that the library offers for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "harness/backends/cuda/cublaslt.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "kernels/gemm/gemm.h"

namespace warpmark::cuda {

struct MatmulTypes {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType_t scale = CUDA_R_32F;
  cudaDataType_t operands = CUDA_R_32F;
  cudaDataType_t result = CUDA_R_32F;
};

/// The library's handle on one device, and the memory that its algorithms may use.
struct MatmulPlace {
  cublasLtHandle_t handle = nullptr;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
};

struct MatmulAlgorithm {
  cublasLtMatmulAlgo_t algorithm{};
  std::size_t workspace_bytes = 0;
  int rank = 0;                                   // among the heuristics, from 1
  int of = 0;                                     // how many the library named
  std::optional<std::uint64_t> implementation{};  // CUBLASLT_NUMERICAL_IMPL_FLAGS_*; empty where it does not say
};

/// Its number, tile and so on, for a record.
[[nodiscard]] nlohmann::json about(const CublasLt& lt, const MatmulAlgorithm& algorithm);

/// C = A B of row-major matrices. The library's matrices are column major, so it is told C^T = B^T A^T: with operands
/// exchanged, memory is read as it lies.
class Matmul {
 public:
  /// For the sizes of `op`. `transposed_b`: B lies transposed, which is the one layout that all types are taken in.
  /// Throws Unsupported where the library has no such type or layout.
  Matmul(const CublasLt& lt, const MatmulTypes& types, const ops::Gemm& op, bool transposed_b);

  /// What it was asked for beyond its types, for a record.
  [[nodiscard]] const nlohmann::json& about() const { return about_; }

  /// In the library's own order, the one that it thinks best first; at most sixteen. `alignment_bytes` is of the
  /// operands.
  [[nodiscard]] std::vector<MatmulAlgorithm> algorithms(const MatmulPlace& place, std::size_t alignment_bytes) const;

  /// Queues the product of these operands, B as it was promised.
  [[nodiscard]] cublasStatus_t launch(CudaStream& stream, const MatmulPlace& place, const MatmulAlgorithm& algorithm,
                                      const ops::Gemm& op) const;

 private:
  template <class Opaque>
  using Owned = std::unique_ptr<Opaque, cublasStatus_t (*)(Opaque*)>;
  using Layout = Owned<cublasLtMatrixLayoutOpaque_t>;
  struct Scalar {
    alignas(8) std::array<std::byte, 8> bytes{};
  };

  [[nodiscard]] Layout layout(cudaDataType_t type, std::size_t rows, std::size_t columns, std::size_t batch) const;
  [[nodiscard]] static Scalar one_of(cudaDataType_t type);

  const CublasLt& lt_;
  Owned<cublasLtMatmulDescOpaque_t> product_;
  Layout first_;   // of what lies in B
  Layout second_;  // of what lies in A
  Layout result_;
  Scalar one_;
  Scalar zero_{};
  nlohmann::json about_ = nlohmann::json::object();
};

}  // namespace warpmark::cuda
