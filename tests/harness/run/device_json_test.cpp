// SPDX-License-Identifier: Apache-2.0
#include "harness/run/device_json.h"

#include <gtest/gtest.h>

namespace warpmark {
namespace {

using nlohmann::json;

DeviceInfo full_device() {
  return {
      .id = "cuda:1",
      .backend = "cuda",
      .name = "<b>GPU</b> \"\n\xc3\xa9",
      .units = 132,
      .memory_bytes = 85'899'345'920,
      .last_level_cache_bytes = 52'428'800,
      .max_clock_hz = 1.98e9,
      .ceilings = {{"memory_bandwidth",
                    {.value = 3.35e12, .unit = "B/s", .kind = CeilingKind::derived, .derivation = "a x b"}},
                   {"f32_fma",
                    {.value = 6.69e13, .unit = "FLOP/s", .kind = CeilingKind::measured, .derivation = "best of 40"}},
                   {"link", {.unit = "B/s", .derivation = "nothing says"}}},
      .facts = {{"compute_capability", "9.0"}, {"caches", {1, 2, 3}}}};
}

TEST(DeviceJson, GoesRound) {
  const json written = to_json(full_device());
  const DeviceInfo read = device_from_json(json::parse(written.dump()));
  EXPECT_EQ(to_json(read), written);
  EXPECT_EQ(read.id, "cuda:1");
  EXPECT_EQ(read.backend, "cuda");
  EXPECT_EQ(read.name, full_device().name);
  EXPECT_EQ(read.units, 132);
  EXPECT_EQ(read.memory_bytes, 85'899'345'920);
  EXPECT_EQ(read.last_level_cache_bytes, 52'428'800);
  EXPECT_EQ(read.max_clock_hz, 1.98e9);
  EXPECT_EQ(read.facts, full_device().facts);
  ASSERT_EQ(read.ceilings.size(), 3U);
  EXPECT_EQ(read.ceilings.at("memory_bandwidth").value, 3.35e12);
  EXPECT_EQ(read.ceilings.at("memory_bandwidth").kind, CeilingKind::derived);
  EXPECT_EQ(read.ceilings.at("memory_bandwidth").derivation, "a x b");
  EXPECT_EQ(read.ceilings.at("f32_fma").kind, CeilingKind::measured);
  EXPECT_EQ(read.ceilings.at("f32_fma").unit, "FLOP/s");
  EXPECT_EQ(read.ceilings.at("link").kind, CeilingKind::unknown);
  EXPECT_FALSE(read.ceilings.at("link").value);
}

TEST(DeviceJson, WritesUnknownAsNull) {
  const json unknown = to_json(DeviceInfo{.id = "cpu:0", .backend = "cpu", .ceilings = {{"x", {}}}});
  EXPECT_TRUE(unknown.at("max_clock_hz").is_null());
  EXPECT_TRUE(unknown.at("ceilings").at("x").at("value").is_null());
  EXPECT_EQ(device_from_json(unknown).max_clock_hz, 0);
  EXPECT_EQ(to_json(full_device()).at("max_clock_hz"), 1.98e9);
}

TEST(DeviceJson, RefusesWhatItDidNotWrite) {
  EXPECT_THROW((void)device_from_json(json::object()), json::exception);
  EXPECT_THROW((void)device_from_json(json::array()), json::exception);
  json wrong = to_json(full_device());
  wrong["units"] = "many";
  EXPECT_THROW((void)device_from_json(wrong), json::exception);
  wrong = to_json(full_device());
  wrong["ceilings"]["link"].erase("unit");
  EXPECT_THROW((void)device_from_json(wrong), json::exception);
}

}  // namespace
}  // namespace warpmark
