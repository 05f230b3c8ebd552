// SPDX-License-Identifier: Apache-2.0
// Ceilings of GPUs against the peaks that NVIDIA publishes for them, dense.
#include "harness/backends/cuda/chip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::cuda {
namespace {

using ::testing::HasSubstr;

struct Published {
  Chip chip{};
  std::string unit{};
  double teraflops = 0;
};

Chip h100() {
  return {.name = "NVIDIA H100 80GB HBM3",
          .major = 9,
          .minor = 0,
          .sms = 132,
          .sm_clock_hz = 1.83e9,  // the data sheet's matrix peaks are at this clock; the card may go to 1.98 GHz
          .memory_clock_hz = 2.619e9,
          .memory_bus_bits = 5120};
}
Chip h100_boosted() {  // at which the whitepaper has its peaks without matrices
  Chip chip = h100();
  chip.sm_clock_hz = 1.98e9;
  return chip;
}
Chip rtx5090() {
  return {.name = "NVIDIA GeForce RTX 5090", .major = 12, .minor = 0, .sms = 170, .sm_clock_hz = 2.407e9};
}
Chip a100() { return {.name = "NVIDIA A100-SXM4-80GB", .major = 8, .minor = 0, .sms = 108, .sm_clock_hz = 1.41e9}; }
Chip rtx4090() {
  return {.name = "NVIDIA GeForce RTX 4090", .major = 8, .minor = 9, .sms = 128, .sm_clock_hz = 2.52e9};
}
Chip l40s() { return {.name = "NVIDIA L40S", .major = 8, .minor = 9, .sms = 142, .sm_clock_hz = 2.52e9}; }
Chip titan_rtx() { return {.name = "NVIDIA TITAN RTX", .major = 7, .minor = 5, .sms = 72, .sm_clock_hz = 1.77e9}; }
Chip rtx2080ti() {
  return {.name = "NVIDIA GeForce RTX 2080 Ti", .major = 7, .minor = 5, .sms = 68, .sm_clock_hz = 1.545e9};
}

TEST(Ceilings, CountOperationsOfIntegersAsSuch) {
  const Ceilings ceilings = ceilings_of(h100());
  EXPECT_EQ(ceilings.at("i8_matrix").unit, "OP/s");
  EXPECT_THAT(ceilings.at("i8_matrix").derivation, HasSubstr(" OP/clock"));
  EXPECT_EQ(ceilings.at("fp8_matrix").unit, "FLOP/s");
  EXPECT_THAT(ceilings.at("fp8_matrix").derivation, HasSubstr(" FLOP/clock"));
  EXPECT_EQ(ceilings_of(Chip{}).at("i8_matrix").unit, "OP/s") << "where it is not known too";
}

class PublishedPeak : public testing::TestWithParam<Published> {};

TEST_P(PublishedPeak, IsReachedWithinOneAndAHalfPercent) {
  const Published& published = GetParam();
  const Ceiling ceiling = ceilings_of(published.chip).at(published.unit);
  ASSERT_TRUE(ceiling.value);
  EXPECT_EQ(ceiling.kind, CeilingKind::derived);
  EXPECT_NEAR(*ceiling.value / (published.teraflops * 1e12), 1, 0.015) << ceiling.derivation;
}

INSTANTIATE_TEST_SUITE_P(
    Chips, PublishedPeak,
    testing::Values(Published{h100(), "bf16_matrix", 989}, Published{h100(), "fp8_matrix", 1979},
                    Published{h100(), "tf32_matrix", 495}, Published{a100(), "f16_matrix", 312},
                    Published{a100(), "f64_matrix", 19.5}, Published{a100(), "i8_matrix", 624},
                    Published{a100(), "f32_fma", 19.5}, Published{rtx4090(), "f16_acc16_matrix", 330},
                    Published{rtx4090(), "f16_matrix", 165}, Published{rtx4090(), "tf32_matrix", 82.6},
                    Published{rtx4090(), "f32_fma", 82.6}, Published{l40s(), "f16_matrix", 362},
                    Published{l40s(), "fp8_matrix", 733}, Published{titan_rtx(), "f16_matrix", 130.5},
                    Published{rtx2080ti(), "f16_matrix", 53.8}, Published{a100(), "f64_fma", 9.7},
                    Published{a100(), "f16_fma", 78}, Published{a100(), "bf16_fma", 39},
                    Published{a100(), "i32_mad", 19.5}, Published{h100_boosted(), "f64_fma", 33.5},
                    Published{h100_boosted(), "f16_fma", 133.8}, Published{h100_boosted(), "bf16_fma", 133.8},
                    Published{h100_boosted(), "i32_mad", 33.5}, Published{rtx4090(), "f16_fma", 82.6},
                    Published{rtx4090(), "i32_mad", 41.3}, Published{rtx4090(), "f64_fma", 1.29},
                    Published{rtx5090(), "f16_fma", 104.8}, Published{rtx5090(), "i32_mad", 104.8},
                    Published{rtx2080ti(), "f16_fma", 26.9}),
    [](const auto& each) {
      return each.param.unit + "_" + std::to_string(each.param.chip.capability()) + "_" +
             std::to_string(each.param.chip.sms);
    });

TEST(CeilingsOfAChip, SayTheirFormula) {
  const Ceilings ceilings = ceilings_of(h100());
  EXPECT_EQ(ceilings.at("bf16_matrix").derivation,
            "132 SMs x 4096 FLOP/clock x 1830 MHz (as the driver states it), dense, by compute capability");
  EXPECT_EQ(ceilings.at("memory_bandwidth").derivation, "2 x 2619 MHz x 5120 bit / 8");
  EXPECT_NEAR(*ceilings.at("memory_bandwidth").value, 3352e9, 1e9);
  EXPECT_THAT(ceilings_of(rtx4090()).at("f16_matrix").derivation, HasSubstr("half rate of this product"));
}

TEST(CeilingsOfAChip, AreUnknownForAReason) {
  EXPECT_FALSE(ceilings_of(titan_rtx()).at("bf16_matrix").value) << "7.5 has no bf16";
  EXPECT_THAT(ceilings_of(titan_rtx()).at("bf16_matrix").derivation, HasSubstr("7.5 has no such unit at full rate"));
  Chip cut = h100();
  cut.name = "NVIDIA H20";
  EXPECT_FALSE(ceilings_of(cut).at("bf16_matrix").value) << "sold with a part of its matrix units";
  EXPECT_TRUE(ceilings_of(cut).at("f32_fma").value);
  cut.name = "NVIDIA H200";
  EXPECT_TRUE(ceilings_of(cut).at("bf16_matrix").value);
  Chip next = h100();
  next.major = 13;
  EXPECT_FALSE(ceilings_of(next).at("f32_fma").value) << "nobody knows yet";
  EXPECT_TRUE(ceilings_of(next).at("memory_bandwidth").value);
  Chip silent = h100();
  silent.sm_clock_hz = 0;
  silent.memory_bus_bits = 0;
  EXPECT_THAT(ceilings_of(silent).at("f32_fma").derivation, HasSubstr("does not tell"));
  EXPECT_THAT(ceilings_of(silent).at("memory_bandwidth").derivation, HasSubstr("does not tell"));
  Chip integrated = h100();
  integrated.integrated = true;
  EXPECT_FALSE(ceilings_of(integrated).at("memory_bandwidth").value);
}

TEST(RateOf, AUnitThatNobodyKnowsIsNone) { EXPECT_FALSE(rate_of(h100(), "f4_matrix")); }

TEST(Capability, ThatAGpuLacksIsSaid) {
  Chip chip;
  chip.major = 7;
  chip.minor = 5;
  EXPECT_EQ(lacks_capability(chip, "bf16 needs", 80), "bf16 needs compute capability 8.0, and this GPU has 7.5");
  EXPECT_EQ(lacks_capability(chip, "f16 needs", 75), "");
}

}  // namespace
}  // namespace warpmark::cuda
