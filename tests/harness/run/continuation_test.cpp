// SPDX-License-Identifier: Apache-2.0
// What a journal says of its run; with a benchmark of the test's own.
#include "harness/run/continuation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/core/error.h"
#include "harness/run/device_json.h"

namespace warpmark {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Registered sum{{.name = "journal/sum",
                      .axes = {{.name = "n", .values = {1, 2}}},
                      .kernels = {.ids = [] {
                        return std::vector<KernelId>{{"green", "only", DType::f32}};
                      }}}};

JournalContent content_with(const std::function<void(json& plan)>& change) {
  DeviceInfo device;
  device.id = "green:0";
  device.backend = "green";
  const json suite{{"schema", suite_schema}, {"name", "test"}, {"select", {{{"benchmarks", "^journal/sum$"}}}}};
  JournalContent content;
  content.head = {{"devices", {to_json(device)}}, {"plan", plan_json({.suite_text = suite.dump(), .seed = 7})}};
  content.head = json::parse(content.head.dump());
  change(content.head["plan"]);
  return content;
}

std::string refusal(const std::function<void(json& plan)>& change) {
  try {
    (void)request_in(content_with(change), "x.jsonl");
    return "not refused";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(RequestIn, IsWhatThePlanSays) {
  const RunRequest request = request_in(content_with([](json& plan) { plan["repeats"] = 5; }), "folder/x.jsonl");
  EXPECT_EQ(request.repeats, 5);
  EXPECT_EQ(request.seed, 7U);
  EXPECT_EQ(request.document, "folder/x.json");
}

TEST(RequestIn, RefusesWhatNoRunHas) {
  const char* const no_plan = "x.jsonl: cannot be continued: it has no plan that a run can have";
  EXPECT_THAT(refusal([](json& plan) { plan["repeats"] = 2.5; }), StartsWith(no_plan)) << "2 would be run";
  EXPECT_THAT(refusal([](json& plan) { plan["repeats"] = 0; }), StartsWith(no_plan));
  EXPECT_THAT(refusal([](json& plan) { plan["seed"] = -1; }), StartsWith(no_plan));
  EXPECT_THAT(refusal([](json& plan) { plan["case_timeout"] = 0; }), StartsWith(no_plan));
  EXPECT_THAT(refusal([](json& plan) { plan.erase("filter"); }), HasSubstr("this version does not know its plan"));
}

TEST(RequestIn, RefusesWhatTakesAllMemory) {
  EXPECT_THAT(refusal([](json& plan) { plan["repeats"] = 1'000'000; }),
              HasSubstr("2 cases with 1000000 repeats are more than 1000000 measurements"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "(?=";
  EXPECT_THAT(refusal([&](json& plan) { plan["filter"] = deep; }),
              HasSubstr("is not a regular expression: it is too large"));
}

}  // namespace
}  // namespace warpmark
