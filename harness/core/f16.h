// SPDX-License-Identifier: Apache-2.0
// Half precision on the host, for filling and checking; arithmetic is done in wider types.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace warpmark {

struct F16 {
  std::uint16_t bits = 0;

  F16() = default;
  /// Rounds to the nearest, ties to even; a NaN stays one.
  explicit F16(double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000U : 0U;
    bits = static_cast<std::uint16_t>(sign | magnitude(std::abs(value)));
  }

  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }

  /// Exact.
  explicit operator float() const {
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t rest = (bits & 0x7fffU) << 13U;
    constexpr std::uint32_t infinite = 0x7c00U << 13U;
    if (rest >= infinite) return std::bit_cast<float>(sign | 0x7f800000U | (rest - infinite));
    // The exponents of f32 begin 112 lower: the multiplication lifts normal numbers and subnormal ones alike.
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112F));
  }

 private:
  static unsigned magnitude(double value) {
    constexpr unsigned infinite = 0x7c00U;
    if (std::isnan(value)) return infinite | 0x200U;
    if (value >= 65520) return infinite;
    const int exponent = std::max(static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52U) - 1023, -14);
    // Beside a number of 2^42 times its size its last digits are those of f16: adding rounds it.
    const std::uint64_t large = static_cast<std::uint64_t>(exponent + 42 + 1023) << 52U;
    const std::uint64_t rounded = std::bit_cast<std::uint64_t>(std::bit_cast<double>(large) + value);
    const auto steps = static_cast<unsigned>(rounded - large);
    return (static_cast<unsigned>(exponent + 15) << 10U) + steps - 1024U;  // a carry, and numbers below 2^-14, come out
  }
};

}  // namespace warpmark
