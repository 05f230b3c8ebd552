// SPDX-License-Identifier: Apache-2.0
// Whether a GPU's matrix units were at work: what f16 reached beside f32 and TF32 in the same products, and in which of
// them it gains little.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/document.h"
#include "harness/summary/summary.h"

namespace warpmark {

enum class Engaged : std::uint8_t { yes, partly, no };

/// "yes", "partly", "no".
[[nodiscard]] std::string_view name_of(Engaged engaged);

/// A product that makes less than this of the rate of its matrix unit does not pay off there.
inline constexpr double paying_share = 0.5;

/// Of one shape the best kernels by their arithmetic; null where there is none.
struct NarrowProduct {
  const CaseSummary* f16 = nullptr;  // never null; where no f16 was measured, bf16
  const CaseSummary* f32 = nullptr;
  const CaseSummary* tf32 = nullptr;
  bool telling = false;     // so large, and so much computing for its bytes, that the units decide how long it takes
  bool beyond_fma = false;  // faster than the multiply-add units of the GPU are
  std::string loss{};       // why it gains little; empty where it makes good use of the units
};

struct TensorCores {
  std::string device{};
  Engaged engaged = Engaged::no;
  std::vector<NarrowProduct> products{};  // the fastest first, never empty

  /// How many of the products tell something, and how many of those were beyond what multiply-add units do.
  [[nodiscard]] std::size_t telling() const;
  [[nodiscard]] std::size_t beyond() const;
};

/// Of each GPU that was measured in products large enough to tell.
[[nodiscard]] std::vector<TensorCores> tensor_cores(const Document& document, const RunSummary& run);

/// "cuda:0: tensor cores: yes; f16 752 TFLOP/s at its best, 13 x f32 and 1.9 x TF32 (gemm/square n=8192, 76.0 % of the
/// matrix unit)". `times` is what stands between a number and its type.
[[nodiscard]] std::string tensor_cores_text(const TensorCores& cores, std::string_view times);

/// The products that gain little, the least first: "gemm/skinny m=16 n=4096: f16 2.1 x f32, at 4.00 % of the matrix
/// unit:
/// ...".
[[nodiscard]] std::vector<std::string> tensor_core_losses(const TensorCores& cores, std::string_view times);

}  // namespace warpmark
