// SPDX-License-Identifier: Apache-2.0
// cublasLt, cuBLAS's own interface for products of every type, opened at need: nothing here is linked.
#pragma once

#include <cublasLt.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Names without "cublasLt".
#define WARPMARK_CUBLASLT_FUNCTIONS(X) \
  X(Create)                            \
  X(Destroy)                           \
  X(GetVersion)                        \
  X(GetStatusName)                     \
  X(GetStatusString)                   \
  X(MatmulDescCreate)                  \
  X(MatmulDescDestroy)                 \
  X(MatmulDescSetAttribute)            \
  X(MatrixLayoutCreate)                \
  X(MatrixLayoutDestroy)               \
  X(MatrixLayoutSetAttribute)          \
  X(MatmulPreferenceCreate)            \
  X(MatmulPreferenceDestroy)           \
  X(MatmulPreferenceSetAttribute)      \
  X(MatmulAlgoGetHeuristic)            \
  X(MatmulAlgoCapGetAttribute)         \
  X(MatmulAlgoConfigGetAttribute)      \
  X(Matmul)

namespace warpmark::cuda {

struct CublasLt {
#define WARPMARK_DECLARE(name) decltype(&cublasLt##name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  WARPMARK_CUBLASLT_FUNCTIONS(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
  std::string version{};  // "13.0.2"
  std::string path{};     // the file that was loaded, the home folder as ~
};

/// Opens the library at the first call in a process: hundreds of megabytes, which only those who multiply with it pay
/// for. Throws Unsupported where there is none, with what was tried and what to install.
[[nodiscard]] const CublasLt& cublaslt();

/// The first of these files, or sonames, that the loader finds. Throws Unsupported with `advice`.
[[nodiscard]] CublasLt open_cublaslt(const std::vector<std::string>& candidates, std::string_view advice);

/// The major version that a driver for CUDA `driver_version` is sure to serve: 12 or 13.
[[nodiscard]] int cublaslt_major(int driver_version);

/// Throws for any status but success: Unsupported for what the library cannot do, Skipped when memory ran out, else
/// Error. The text names the status, the call and `what` it was about.
void check(const CublasLt& lt, cublasStatus_t status, std::string_view call, std::string_view what = {});

/// How an algorithm computes, of the flags that the library states: "HMMA, f32 sums of f16".
[[nodiscard]] std::string numerics_text(std::uint64_t implementation_flags);

/// Whether the flags prove that f32 is multiplied as f32: no matrix unit, no narrower operands. No flags prove nothing.
[[nodiscard]] bool is_plain_f32(std::uint64_t implementation_flags);

}  // namespace warpmark::cuda
