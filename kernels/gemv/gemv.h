// SPDX-License-Identifier: Apache-2.0
// The contract of gemv: y = W x with weights of few bits, the product that generating a token consists of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpmark::ops {

/// How W [rows x columns] lies, row major. A variant's name begins with it.
/// w16: numbers of f16.
/// w8: numbers of int8, times the scale of their row.
/// w4: four bits n, which stand for n - 8, times the scale of their 128 columns of the row. Sixteen bytes are 32
/// columns: byte i has column i in its low half and column 16 + i in its high half.
enum class Weights : std::uint8_t { w16, w8, w4 };

inline constexpr std::size_t gemv_group = 128;

/// x and y have the case's type, and scales too; sums are f32. Columns are a multiple of gemv_group, and what the
/// pointers point to is aligned to 16 bytes.
struct Gemv {
  void* y = nullptr;
  const void* x = nullptr;
  const void* w = nullptr;
  const void* scales = nullptr;  // none of w16
  std::size_t rows = 0;
  std::size_t columns = 0;
};

[[nodiscard]] constexpr Weights weights_of(std::string_view variant) {
  return variant.starts_with("w16") ? Weights::w16 : variant.starts_with("w8") ? Weights::w8 : Weights::w4;
}

/// Bytes of one.
[[nodiscard]] constexpr double weight_size(Weights weights) {
  return weights == Weights::w16 ? 2 : weights == Weights::w8 ? 1 : 0.5;
}

[[nodiscard]] constexpr std::size_t scales_of_row(Weights weights, std::size_t columns) {
  return weights == Weights::w16 ? 0 : weights == Weights::w8 ? 1 : columns / gemv_group;
}

}  // namespace warpmark::ops
