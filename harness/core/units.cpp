// SPDX-License-Identifier: Apache-2.0
#include "harness/core/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace warpmark {
namespace {

constexpr std::string_view unknown_text = "unknown";

struct Prefix {
  double factor;
  std::string_view text;
};

constexpr std::array rate_prefixes{Prefix{1, ""},     Prefix{1e3, "k"},  Prefix{1e6, "M"}, Prefix{1e9, "G"},
                                   Prefix{1e12, "T"}, Prefix{1e15, "P"}, Prefix{1e18, "E"}};
constexpr std::array byte_units{Prefix{1, "B"},        Prefix{0x1p10, "KiB"}, Prefix{0x1p20, "MiB"},
                                Prefix{0x1p30, "GiB"}, Prefix{0x1p40, "TiB"}, Prefix{0x1p50, "PiB"}};
constexpr std::array second_units{Prefix{1e-9, "ns"}, Prefix{1e-6, "µs"}, Prefix{1e-3, "ms"}, Prefix{1, "s"}};

/// Three significant digits; whole numbers keep all of theirs as long as somebody may read them.
std::string digits(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 1e15) return fmt::format("{:.3g}", value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.9995) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3g}", value);
}

/// The largest unit in which the number, once rounded, is 1 or more; the smallest where there is none.
template <std::size_t n>
const Prefix& fitting(const std::array<Prefix, n>& units, double value) {
  const Prefix* fit = &units.front();
  for (const Prefix& unit : units)
    if (std::abs(value) >= 0.9995 * unit.factor) fit = &unit;
  return *fit;
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

Scale scale_of(double largest, std::string_view unit) {
  if (!std::isfinite(largest)) return {.factor = 1, .unit = std::string(unit)};
  if (unit == "s") {
    const Prefix& time = fitting(second_units, largest);
    return {.factor = time.factor, .unit = std::string(time.text)};
  }
  const Prefix& prefix = fitting(rate_prefixes, largest);
  return {.factor = prefix.factor, .unit = std::string(prefix.text).append(unit)};
}

std::string format_rate(double value, std::string_view unit) {
  if (!std::isfinite(value)) return std::string(unknown_text);
  const Scale scale = scale_of(value, unit);
  return fmt::format("{} {}", digits(value / scale.factor), scale.unit);
}

std::string format_bytes(double bytes) {
  if (!std::isfinite(bytes)) return std::string(unknown_text);
  const Prefix& unit = fitting(byte_units, bytes);
  return fmt::format("{} {}", without_trailing_zeros(digits(bytes / unit.factor)), unit.text);
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return std::string(unknown_text);
  if (seconds == 0) return "0 s";
  const Prefix& unit = fitting(second_units, seconds);
  return fmt::format("{} {}", digits(seconds / unit.factor), unit.text);
}

std::string format_percent(double share) {
  if (!std::isfinite(share)) return std::string(unknown_text);
  return digits(share * 100) + " %";
}

std::string format_value(double value, std::string_view unit) {
  if (!std::isfinite(value)) return std::string(unknown_text);
  if (unit == "s") return format_seconds(value);
  if (unit == "B") return format_bytes(value);
  if (unit.empty()) return without_trailing_zeros(digits(value));
  return format_rate(value, unit);
}

}  // namespace warpmark
