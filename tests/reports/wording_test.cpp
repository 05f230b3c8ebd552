// SPDX-License-Identifier: Apache-2.0
#include "reports/render/wording.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/render/facts.h"
#include "tests/reports/made_document.h"

namespace warpmark {
namespace {

TEST(Wording, NamesMetricsAndSizes) {
  EXPECT_EQ(title_of_metric("flop_rate"), "Floating-point rate");
  EXPECT_EQ(title_of_metric("submit_latency"), "Submit latency");
  EXPECT_EQ(title_of_metric(""), "");
  EXPECT_EQ(axis_text("footprint", std::int64_t{32768}), "32 KiB");
  EXPECT_EQ(axis_text("footprint", "memory"), "main memory");
  EXPECT_EQ(axis_text("n", std::int64_t{32768}), "32768");
  EXPECT_EQ(axis_text("direction", "memory"), "memory");
}

TEST(Wording, SaysARangeOnceWhereBothEndsReadTheSame) {
  EXPECT_EQ(range_text(23.11e9, 23.31e9, "B/s"), "23.1 – 23.3 GB/s");
  EXPECT_EQ(range_text(23.31e9, 23.32e9, "B/s"), "23.3 GB/s");
  EXPECT_EQ(range_text(999e6, 1.01e9, "B/s"), "999 MB/s – 1.01 GB/s");
  EXPECT_EQ(range_text(NAN, 1e9, "B/s"), "unknown – 1.00 GB/s");
}

TEST(Wording, ReadsTimes) {
  EXPECT_EQ(time_text("2026-11-30T05:30:00Z"), "2026-11-30 05:30:00 UTC");
  EXPECT_EQ(time_text("yesterday"), "yesterday");
  EXPECT_EQ(time_text("2026-13-30T05:30:00Z"), "2026-13-30T05:30:00Z");
  EXPECT_EQ(seconds_between("2026-11-30T23:59:59Z", "2026-12-01T00:00:01Z"), 2);
  EXPECT_TRUE(std::isnan(seconds_between("2026-11-30T23:59:59Z", "")));
}

TEST(Wording, GivesEachReasonOnce) {
  const Document document =
      made_document({made_record({.status = Status::timeout}), made_record({.repeat = 1, .status = Status::crashed}),
                     made_record({.repeat = 2, .status = Status::crashed})});
  EXPECT_EQ(reasons_text(summarise(document).cases[0]), "why of timeout; why of crashed");
}

TEST(Wording, TellsTheVerdict) {
  const Document whole = made_document({made_record({.ceiling = 2e9}), made_record({.repeat = 1, .ceiling = 2e9}),
                                        made_record({.repeat = 2, .ceiling = 2e9})});
  EXPECT_EQ(verdict_text({summarise(whole)}),
            "1 of 1 case measured and verified; lowest share of a ceiling 50.0 % (memory/triad on cpu:0: plain, f64, "
            "footprint 16 KiB, batch); "
            "no doubts.");
  const Document failed =
      made_document({made_record({.status = Status::failed}), made_record({.size = 1, .status = Status::skipped})});
  EXPECT_EQ(verdict_text({summarise(failed)}), "0 of 2 cases measured and verified, 2 not measured; no doubts.");
  EXPECT_EQ(verdict_text({}), "Nothing was measured: the document holds no record.");
}

TEST(Wording, SumsUpTheDoubts) {
  const Document clean = made_document({made_record({}), made_record({.repeat = 1}), made_record({.repeat = 2})});
  EXPECT_EQ(doubts_text(summarise(clean)), "Nothing speaks against these numbers.");
  const Document mixed =
      made_document({made_record({}), made_record({.repeat = 1}), made_record({.repeat = 2, .status = Status::failed}),
                     made_record({.size = 1}), made_record({.size = 1, .repeat = 1, .value = 2e9}),
                     made_record({.size = 1, .repeat = 2})});
  EXPECT_EQ(doubts_text(summarise(mixed)), "2 of 2 cases are doubtful: 1 failed, 1 measured with a doubt.");
  EXPECT_EQ(doubts_text(summarise(made_document({}))), "There is no number that may be used.");
}

TEST(Facts, NullAndNothingAreNotZero) {
  const nlohmann::json device{{"memory_bytes", nullptr}, {"max_clock_hz", 0}, {"last_level_cache_bytes", 2097152}};
  EXPECT_FALSE(text_at(device, "/memory_bytes").has_value());
  EXPECT_FALSE(text_at(device, "/nothing/here").has_value());
  EXPECT_TRUE(std::isnan(positive_at(device, "/max_clock_hz")));
  EXPECT_EQ(text_at(device, "/last_level_cache_bytes"), "2 MiB");
  for (const Fact& fact : device_facts(device))
    EXPECT_EQ(fact.text, fact.label == "L2 cache" ? "2 MiB" : "unknown") << fact.label;
}

TEST(Facts, FlattensEveryLeaf) {
  std::string text;
  for (const Fact& fact : every_fact(
           {{"cpu", {{"clock_hz", 2.7e9}, {"governor", nullptr}, {"sets", {"a", "b"}}}}, {"gpus", {{{"pci", "0"}}}}}))
    text += fact.label + "=" + fact.text + "\n";
  EXPECT_EQ(text, "cpu.clock_hz=2.70 GHz\ncpu.governor=unknown\ncpu.sets=a, b\ngpus.0.pci=0\n");
}

TEST(Facts, QuotesTheCommandForAShell) {
  EXPECT_EQ(command_text({{"command", {"warpmark", "run", "--label", "a=it's; rm -rf ~"}}}),
            "warpmark run --label 'a=it'\\''s; rm -rf ~'");
  EXPECT_EQ(command_text(nlohmann::json::object()), "");
}

}  // namespace
}  // namespace warpmark
