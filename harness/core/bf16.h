// SPDX-License-Identifier: Apache-2.0
// bfloat16 on the host: the upper half of a float. For filling and checking; arithmetic is done in wider types.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace warpmark {

struct Bf16 {
  std::uint16_t bits = 0;

  Bf16() = default;
  /// Rounds to the nearest, ties to even; a NaN stays one.
  explicit Bf16(float value) {
    std::uint32_t wide = 0;
    std::memcpy(&wide, &value, sizeof wide);
    bits = std::isnan(value) ? static_cast<std::uint16_t>((wide >> 16U) | 0x40U)
                             : static_cast<std::uint16_t>((wide + 0x7fffU + ((wide >> 16U) & 1U)) >> 16U);
  }
  explicit Bf16(double value) : Bf16(static_cast<float>(value)) {}

  explicit operator float() const {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16U;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return value;
  }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

}  // namespace warpmark
