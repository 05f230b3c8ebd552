// SPDX-License-Identifier: Apache-2.0
// What a chip can do by its data sheet: rates per SM and clock, and the ceilings that follow from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/metric.h"

namespace warpmark::cuda {

/// As the driver's attributes say; 0 where they do not.
struct Chip {
  std::string name{};
  int major = 0;  // compute capability
  int minor = 0;
  std::int64_t sms = 0;
  double sm_clock_hz = 0;      // the highest
  double memory_clock_hz = 0;  // the highest; data move at both edges
  std::int64_t memory_bus_bits = 0;
  bool integrated = false;  // shares the host's memory

  /// 90 for 9.0.
  [[nodiscard]] int capability() const { return 10 * major + minor; }
};

/// Floating-point operations (a multiply-add is two) per SM and clock, dense.
struct UnitRate {
  double flop_per_clock = 0;
  std::string_view source{};  // which rule gave it
};

/// Of a unit: f64_matrix, f32_fma, tf32_matrix, f16_matrix (f32 sums), f16_acc16_matrix, bf16_matrix, fp8_matrix,
/// i8_matrix. Empty where the chip has no such unit, or is not known. GeForce cards of one chip sum f16 products in f32
/// at half the rate, which only the product's name tells.
[[nodiscard]] std::optional<UnitRate> rate_of(const Chip& chip, std::string_view unit);

/// One ceiling per unit and the memory's, each with its formula; unknown, with the reason, where a factor is missing.
[[nodiscard]] Ceilings ceilings_of(const Chip& chip);

}  // namespace warpmark::cuda
