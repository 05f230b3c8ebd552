// SPDX-License-Identifier: Apache-2.0
// fp8 of four bits of exponent and three of fraction on the host, for filling and checking.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace warpmark {

struct E4m3 {
  std::uint8_t bits = 0;

  E4m3() = default;
  /// Rounds to the nearest, ties to even, and to the largest one beyond it; a NaN stays one.
  explicit E4m3(double value) {
    const unsigned sign = std::signbit(value) ? 0x80U : 0U;
    bits = static_cast<std::uint8_t>(sign | magnitude(std::abs(value)));
  }

  explicit operator double() const {
    const int exponent = (bits >> 3U) & 0xfU;
    const int mantissa = bits & 0x7U;
    const double sign = (bits & 0x80U) != 0 ? -1 : 1;
    if (exponent == 15 && mantissa == 7) return std::nan("");
    if (exponent == 0) return sign * std::ldexp(mantissa, -9);
    return sign * std::ldexp(8 + mantissa, exponent - 10);
  }

 private:
  static unsigned magnitude(double value) {
    if (std::isnan(value)) return 0x7fU;
    if (value >= 448) return 0x7eU;
    const int exponent = value == 0 ? -6 : std::max(std::ilogb(value), -6);
    const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(value, 3 - exponent)));
    return (static_cast<unsigned>(exponent + 7) << 3U) + steps - 8U;  // a carry, and numbers below 2^-6, come out
  }
};

}  // namespace warpmark
