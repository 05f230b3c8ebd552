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
  double sm_clock_hz = 0;      // as the driver states it; workstation and GeForce cards may run above it
  double memory_clock_hz = 0;  // the highest; data move at both edges
  std::int64_t memory_bus_bits = 0;
  bool integrated = false;  // shares the host's memory

  /// 90 for 9.0.
  [[nodiscard]] int capability() const { return 10 * major + minor; }
};

/// Empty, or "bf16 needs compute capability 8.0, and this GPU has 7.5", where `needs` is "bf16 needs" and
/// `capability` 80.
[[nodiscard]] std::string lacks_capability(const Chip& chip, std::string_view needs, int capability);

/// Floating-point operations (a multiply-add is two) per SM and clock, dense.
struct UnitRate {
  double flop_per_clock = 0;
  std::string_view source{};  // which rule gave it
};

/// Of a unit: f64_matrix, f32_fma, tf32_matrix, f16_matrix (f32 sums), f16_acc16_matrix, bf16_matrix, fp8_matrix,
/// i8_matrix, and those of multiply-adds without a matrix, f64_fma, f16_fma and bf16_fma (packed in twos), i32_mad.
/// Empty where the chip has no such unit, or is not known. GeForce cards (and the L40) sum f16 products in f32 at half
/// the rate of other products with the same chip, and some are cut further: only the product's name tells.
[[nodiscard]] std::optional<UnitRate> rate_of(const Chip& chip, std::string_view unit);

/// One ceiling per unit and the memory's, each with its formula; unknown, with the reason, where a factor is missing.
[[nodiscard]] Ceilings ceilings_of(const Chip& chip);

}  // namespace warpmark::cuda
