// SPDX-License-Identifier: Apache-2.0
#include "harness/run/plan_estimate.h"

#include <gtest/gtest.h>

namespace warpmark {
namespace {

Work one_gigabyte(const Case&, const DeviceInfo&) { return {.bytes_read = 1e9}; }

TEST(estimate, is_the_sum_of_what_a_protocol_allows) {
  const Benchmark benchmark{.name = "memory/x", .work = one_gigabyte};
  const std::vector<PlannedCase> cases(2, PlannedCase{.benchmark = &benchmark});
  const Protocol protocol{.min_seconds = 0.5, .max_seconds = 2, .min_warmup_seconds = 0.1, .max_warmup_seconds = 1};
  // By hand: a case is 1 s for its gigabyte and 0.6 to 3 s of its protocol; 2 of them and 0.15 s to start, three times.
  const PlanSeconds seconds = estimate(cases, 3, protocol, DeviceInfo{.backend = "cpu"});
  EXPECT_DOUBLE_EQ(seconds.least, 3 * (2 * 1.6 + 0.15));
  EXPECT_DOUBLE_EQ(seconds.most, 3 * (2 * 4.0 + 0.15));
}

TEST(estimate, takes_a_gpu_to_be_as_fast_as_its_ceilings_say) {
  const Benchmark benchmark{.name = "memory/x", .work = one_gigabyte};
  const PlannedCase planned{.benchmark = &benchmark};
  const Protocol nothing{.min_seconds = 0, .max_seconds = 0, .min_warmup_seconds = 0, .max_warmup_seconds = 0};
  DeviceInfo device{.backend = "cuda",
                    .ceilings = {{"memory_bandwidth", {.value = 4e12, .kind = CeilingKind::derived}}}};
  EXPECT_DOUBLE_EQ(estimate(planned, nothing, device).most, 1e9 / 4e11);
  device.ceilings["memory_bandwidth"].kind = CeilingKind::measured;  // of a loop, so no promise
  EXPECT_DOUBLE_EQ(estimate(planned, nothing, device).most, 1);
}

TEST(about, is_short) {
  EXPECT_EQ(about({.least = 30.2, .most = 55.1}), "about 30 to 56 s");
  EXPECT_EQ(about({.least = 0.01, .most = 0.5}), "about 1 s");
  EXPECT_EQ(about({.least = 130, .most = 290}), "about 2 to 5 min");
}

}  // namespace
}  // namespace warpmark
