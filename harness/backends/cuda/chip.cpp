// SPDX-License-Identifier: Apache-2.0
// The rates are of NVIDIA's architecture whitepapers and data sheets; times SMs times boost clock they give the
// published dense peaks to 1.3 %.
#include "harness/backends/cuda/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpmark::cuda {
namespace {

constexpr std::array<std::string_view, 12> units{"f64_matrix",       "f32_fma",     "tf32_matrix", "f16_matrix",
                                                 "f16_acc16_matrix", "bf16_matrix", "fp8_matrix",  "i8_matrix",
                                                 "f64_fma",          "f16_fma",     "bf16_fma",    "i32_mad"};

/// FLOP per SM and clock in the order of `units`; 0: the chip has none. f64 is the faster of multiply-add and matrix
/// unit, because a library takes either. A rate that is not sure is left out: what passes a ceiling that is too low
/// would be called impossible.
struct Generation {
  int capability = 0;
  std::array<double, 12> rates{};
};

constexpr std::array<Generation, 9> generations{{
    //   matrix  f32 | tf32   f16 acc16  bf16    fp8     i8 of matrices | f64  f16 bf16  i32 of multiply-adds
    {75, {4, 128, 0, 1024, 1024, 0, 0, 2048, 4, 256, 0, 128}},
    {80, {128, 128, 1024, 2048, 2048, 2048, 0, 4096, 64, 512, 256, 128}},
    {86, {4, 256, 512, 1024, 1024, 1024, 0, 2048, 4, 256, 256, 128}},
    {89, {4, 256, 512, 1024, 1024, 1024, 2048, 2048, 4, 256, 256, 128}},
    {90, {256, 256, 2048, 4096, 4096, 4096, 8192, 8192, 128, 512, 512, 128}},
    {100, {128, 256, 4096, 8192, 8192, 8192, 16384, 16384, 128, 512, 512, 0}},
    {103, {4, 256, 4096, 8192, 8192, 8192, 16384, 0, 4, 512, 512, 0}},
    {120, {4, 256, 512, 1024, 1024, 1024, 2048, 2048, 4, 256, 256, 256}},
    {121, {4, 256, 512, 1024, 1024, 1024, 2048, 2048, 4, 256, 256, 256}},
}};

bool is_named(const Chip& chip, std::string_view part) { return chip.name.find(part) != std::string::npos; }

/// Chips that are sold as GeForce too, at half the rate for sums in f32; and the L40, which is cut as those are.
bool is_halved(const Chip& chip, std::string_view unit) {
  const int c = chip.capability();
  if (c != 75 && c != 86 && c != 89 && c != 120) return false;
  if (!is_named(chip, "GeForce") && !chip.name.ends_with(" L40")) return false;
  return unit == "f16_matrix" || unit == "bf16_matrix" || unit == "tf32_matrix" || unit == "fp8_matrix";
}

/// Products that have less of a unit than their compute capability tells: no matrix units in GTX 16, a part of them in
/// H20 and A10G, and hardly any f64 in H20 and H800.
bool is_cut(const Chip& chip, std::string_view unit) {
  const bool is_h20 = is_named(chip, "H20") && !is_named(chip, "H200");
  if (unit == "f64_fma") return is_h20 || is_named(chip, "H800");
  return unit.ends_with("_matrix") && (is_h20 || is_named(chip, "GTX 16") || is_named(chip, "A10G") ||
                                       (unit == "f64_matrix" && is_named(chip, "H800")));
}

Ceiling unit_ceiling(const Chip& chip, std::string_view unit) {
  const auto rate = rate_of(chip, unit);
  const std::string rate_unit(unit_of_arithmetic(unit));
  if (!rate)
    return {.unit = rate_unit,
            .derivation = fmt::format(
                "compute capability {}.{} has no such unit at full rate, or this product or chip is not known",
                chip.major, chip.minor)};
  if (chip.sms <= 0 || !(chip.sm_clock_hz > 0))
    return {.unit = rate_unit, .derivation = "the driver does not tell the SM count or the clock"};
  return {.value = static_cast<double>(chip.sms) * rate->flop_per_clock * chip.sm_clock_hz,
          .unit = rate_unit,
          .kind = CeilingKind::derived,
          .derivation = fmt::format("{} SMs x {:g} {}/clock x {:.4g} MHz (as the driver states it), dense, {}",
                                    chip.sms, rate->flop_per_clock, rate_unit.substr(0, rate_unit.find('/')),
                                    chip.sm_clock_hz / 1e6, rate->source)};
}

Ceiling memory_ceiling(const Chip& chip) {
  if (chip.integrated)
    return {.unit = "B/s", .derivation = "the memory is the host's, whose clock and width the driver does not tell"};
  if (chip.memory_bus_bits <= 0 || !(chip.memory_clock_hz > 0))
    return {.unit = "B/s", .derivation = "the driver does not tell the memory's clock or width"};
  return {.value = 2 * chip.memory_clock_hz * static_cast<double>(chip.memory_bus_bits) / 8,
          .unit = "B/s",
          .kind = CeilingKind::derived,
          .derivation = fmt::format("2 x {:.4g} MHz x {} bit / 8", chip.memory_clock_hz / 1e6, chip.memory_bus_bits)};
}

}  // namespace

std::string lacks_capability(const Chip& chip, std::string_view needs, int capability) {
  if (chip.capability() >= capability) return "";
  return fmt::format("{} compute capability {}.{}, and this GPU has {}.{}", needs, capability / 10, capability % 10,
                     chip.major, chip.minor);
}

std::optional<UnitRate> rate_of(const Chip& chip, std::string_view unit) {
  const auto* const generation = std::find_if(generations.begin(), generations.end(),
                                              [&](const Generation& g) { return g.capability == chip.capability(); });
  const auto* const column = std::find(units.begin(), units.end(), unit);
  if (generation == generations.end() || column == units.end()) return std::nullopt;
  if (is_cut(chip, unit)) return std::nullopt;
  const double rate = generation->rates[static_cast<std::size_t>(column - units.begin())];
  if (rate == 0) return std::nullopt;
  if (is_halved(chip, unit)) return UnitRate{.flop_per_clock = rate / 2, .source = "the half rate of this product"};
  return UnitRate{.flop_per_clock = rate, .source = "by compute capability"};
}

Ceilings ceilings_of(const Chip& chip) {
  Ceilings ceilings{{"memory_bandwidth", memory_ceiling(chip)}};
  for (const std::string_view unit : units) ceilings[std::string(unit)] = unit_ceiling(chip, unit);
  return ceilings;
}

}  // namespace warpmark::cuda
