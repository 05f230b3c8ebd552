// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: rates in decimal units, sizes in binary ones, three significant digits. Consoles and
// reports share it.
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace warpmark {

/// What to hand in for a number that is not known. It prints as "unknown", as every number does that is not finite.
inline constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

/// A unit that suits a number: 2.3e10 in "B/s" is 23 times 1e9, in "GB/s".
struct Scale {
  double factor = 1;
  std::string unit{};
};

/// The scale at which `largest` reads as a number from 1 up to 1000; of "s" from nanoseconds up to seconds.
[[nodiscard]] Scale scale_of(double largest, std::string_view unit);

/// "23.4 GB/s", "1.02 TFLOP/s", "2.70 GHz": decimal, 1 GB/s is 1e9 B/s.
[[nodiscard]] std::string format_rate(double value, std::string_view unit);
/// "16 KiB", "1.5 GiB".
[[nodiscard]] std::string format_bytes(double bytes);
/// "117 ns", "1.23 ms", "52.0 s".
[[nodiscard]] std::string format_seconds(double seconds);
/// A share of 0.684 is "68.4 %".
[[nodiscard]] std::string format_percent(double share);
/// By the unit: "s" as seconds, "B" as bytes, "" as a bare number, anything else as a rate.
[[nodiscard]] std::string format_value(double value, std::string_view unit);

}  // namespace warpmark
