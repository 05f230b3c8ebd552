// SPDX-License-Identifier: Apache-2.0
#include "harness/store/suite.h"

#include <gmock/gmock.h>

#include <functional>
#include <string>

#include "tests/harness/store/refusal.h"

namespace warpmark {
namespace {

using nlohmann::json;

json whole_suite() {
  return json::parse(R"({
    "schema": "warpmark.suite/1", "name": "mine", "about": "What I look at.", "repeats": 5,
    "protocol": {"min_samples": 3, "max_seconds": 2.5},
    "select": [
      {"benchmarks": "^memory/", "axes": {"footprint": [32768, "memory"]}, "modes": ["batch"]},
      {"benchmarks": "gemm", "variants": ["onednn"], "dtypes": ["f32", "bf16"], "gate": true}
    ]})");
}

std::string complaint(std::string_view text) {
  return refusal([&] { (void)parse_suite(text, "s.json"); });
}

std::string complaint_with(const char* pointer, json value) {
  json suite = whole_suite();
  suite[json::json_pointer(pointer)] = std::move(value);
  return complaint(suite.dump());
}

TEST(ParseSuite, ReadsEveryField) {
  const Suite suite = parse_suite(whole_suite().dump(), "s.json");
  EXPECT_EQ(suite.name, "mine");
  EXPECT_EQ(suite.about, "What I look at.");
  EXPECT_EQ(suite.repeats, 5);
  EXPECT_EQ(suite.protocol.min_samples, 3);
  EXPECT_EQ(suite.protocol.max_seconds, 2.5);
  EXPECT_EQ(suite.protocol.max_samples, Protocol{}.max_samples) << "what is not given keeps its default";
  ASSERT_EQ(suite.select.size(), 2U);
  EXPECT_EQ(suite.select[0].benchmarks, "^memory/");
  EXPECT_THAT(suite.select[0].axes.at("footprint"),
              testing::ElementsAre(AxisValue(std::int64_t{32768}), AxisValue(std::string("memory"))));
  EXPECT_THAT(suite.select[0].modes, testing::ElementsAre("batch"));
  EXPECT_TRUE(suite.select[0].dtypes.empty());
  EXPECT_THAT(suite.select[1].variants, testing::ElementsAre("onednn"));
  EXPECT_THAT(suite.select[1].dtypes, testing::ElementsAre("f32", "bf16"));
  EXPECT_FALSE(suite.select[0].gate);
  EXPECT_TRUE(suite.select[1].gate);
}

TEST(ParseSuite, TheLeastOne) {
  const Suite suite =
      parse_suite(R"({"schema":"warpmark.suite/1","name":"a","select":[{"benchmarks":"."}]})", "s.json");
  EXPECT_EQ(suite.repeats, 3);
  EXPECT_TRUE(suite.select.at(0).axes.empty());
}

TEST(ParseSuite, NamesTheFirstPlaceThatIsWrong) {
  EXPECT_EQ(complaint_with("/repeats", 0), "s.json: at /repeats: expected at least 1, found 0");
  EXPECT_EQ(complaint_with("/repeats", "3"), "s.json: at /repeats: expected an integer, found \"3\"");
  EXPECT_EQ(complaint_with("/select", json::array()), "s.json: at /select: expected at least one entry");
  EXPECT_EQ(complaint_with("/select/0/modes/0", "bach"),
            "s.json: at /select/0/modes/0: expected one of isolated, batch, found \"bach\"");
  EXPECT_EQ(
      complaint_with("/select/1/dtypes/0", "fp32"),
      "s.json: at /select/1/dtypes/0: expected one of f64, f32, f16, bf16, e4m3, i8, i32, u64, u8, found \"fp32\"");
  EXPECT_EQ(complaint_with("/select/0/axes/footprint/0", 1.5),
            "s.json: at /select/0/axes/footprint/0: expected an integer or a string, found 1.5");
  EXPECT_EQ(complaint_with("/protocol/min_sample", 1),
            "s.json: at /protocol: unknown key \"min_sample\"; the nearest known one is \"min_samples\"");
  EXPECT_EQ(complaint(R"({"schema":"warpmark.suite/1","select":[{"benchmarks":"."}]})"),
            "s.json: at the top: the key \"name\" is missing");
}

TEST(ParseSuite, NamesWhatIsNoSuite) {
  EXPECT_EQ(complaint("{\n\"name\": }"), R"(s.json: not JSON at line 2, column 9, where "{\n\"name\": }" ends)");
  EXPECT_EQ(complaint("{\"name\":"), "s.json: ends in the middle at line 1, column 9");
  EXPECT_EQ(complaint(R"({"schema":"warpmark.result/1"})"),
            "s.json: is a warpmark result, not a warpmark suite; look at it with: warpmark report FILE");
  EXPECT_EQ(complaint(R"({"name":"a"})"),
            "s.json: not a warpmark suite: it does not say \"schema\": \"warpmark.suite/1\"");
  EXPECT_THAT(complaint(R"({"schema":"warpmark.suite/2"})"),
              testing::StartsWith("s.json: written by a newer warpmark"));
}

TEST(ParseSuite, NamesABadRegularExpression) {
  EXPECT_THAT(complaint_with("/select/1/benchmarks", "gemm("),
              testing::StartsWith("s.json: at /select/1/benchmarks: \"gemm(\" is not a regular expression: "));
  EXPECT_THAT(complaint_with("/select/1/benchmarks", "[z-a]"), testing::HasSubstr("is not a regular expression"));
  EXPECT_EQ(complaint_with("/select/1/benchmarks", "^(gemm|memory/.*)$"), "");
}

TEST(ParseSuite, RefusesAPatternThatWouldTakeTheMachine) {
  EXPECT_EQ(complaint_with("/select/0/benchmarks", std::string(100'000, '(')),
            "s.json: at /select/0/benchmarks: expected at most 256 characters, found 100000");
  EXPECT_THAT(complaint_with("/select/0/benchmarks", "((((a{1000}){1000}){1000}){1000})"),
              testing::HasSubstr("is not a regular expression"));
  EXPECT_THAT(complaint_with("/select/0/benchmarks", std::string(256, '(')),
              testing::HasSubstr("is not a regular expression"));
}

TEST(ParseSuite, LimitsOfTheProtocolAreInOrder) {
  EXPECT_EQ(complaint_with("/protocol", {{"min_samples", 11}, {"max_samples", 10}}),
            "s.json: at /protocol: min_samples is more than max_samples");
  EXPECT_EQ(complaint_with("/protocol", {{"max_seconds", 0.01}}),
            "s.json: at /protocol: min_seconds is more than max_seconds");
  EXPECT_EQ(complaint_with("/protocol", {{"min_warmup_seconds", 3}}),
            "s.json: at /protocol: min_warmup_seconds is more than max_warmup_seconds");
  EXPECT_EQ(complaint_with("/protocol", {{"min_samples", 10}, {"max_samples", 10}}), "");
}

TEST(ProtocolJson, GoesThereAndBack) {
  const Protocol protocol{.min_samples = 1,
                          .max_samples = 2,
                          .min_seconds = 3.5,
                          .max_seconds = 4.5,
                          .interval = 0.5,
                          .min_warmup_seconds = 6.5,
                          .max_warmup_seconds = 7.5,
                          .batch_seconds = 8.5};
  EXPECT_EQ(to_json(protocol_from_json(to_json(protocol))), to_json(protocol));
  EXPECT_EQ(to_json(protocol_from_json(json::object())), to_json(Protocol{}));
  EXPECT_NE(to_json(protocol), to_json(Protocol{}));
}

}  // namespace
}  // namespace warpmark
