// SPDX-License-Identifier: Apache-2.0
// Half precision on the host, for filling and checking.
#pragma once

#include <algorithm>
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

  explicit operator double() const {
    const int exponent = (bits >> 10U) & 0x1fU;
    const int mantissa = bits & 0x3ffU;
    const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
    if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(mantissa, -24);
    return sign * std::ldexp(1024 + mantissa, exponent - 25);
  }

 private:
  static unsigned magnitude(double value) {
    constexpr unsigned infinite = 0x7c00U;
    if (std::isnan(value)) return infinite | 0x200U;
    if (value >= 65520) return infinite;
    const int exponent = value == 0 ? -14 : std::max(std::ilogb(value), -14);
    const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(value, 10 - exponent)));
    return (static_cast<unsigned>(exponent + 15) << 10U) + steps - 1024U;  // a carry, and numbers below 2^-14, come out
  }
};

}  // namespace warpmark
