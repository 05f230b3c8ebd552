// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/google_benchmark_flags.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/harness/cli/ran.h"
#include "tests/harness/store/refusal.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class FlagsTest : public CommandTest {
 protected:
  static std::string complaint(const std::string& word) {
    return refusal([&] { (void)checked_flags({word}); });
  }
};

TEST_F(FlagsTest, that_the_library_takes_are_handed_on) {
  EXPECT_THAT(checked_flags({"--benchmark_format=json", "--benchmark_list_tests", "--benchmark_repetitions=3",
                             "--benchmark_min_time=0.5", "--benchmark_context=a=1,b=2", "--benchmark_filter=", "--v=2"})
                  .flags,
              ElementsAre("--benchmark_format=json", "--benchmark_list_tests=true", "--benchmark_repetitions=3",
                          "--benchmark_min_time=0.5", "--benchmark_context=a=1,b=2", "--benchmark_filter=", "--v=2"));
}

TEST_F(FlagsTest, with_bad_values_are_refused_by_name) {
  EXPECT_EQ(complaint("--benchmark_format=xml"), "--benchmark_format=xml: has to be one of console, json, csv");
  EXPECT_THAT(complaint("--benchmark_repetitions=-1"), HasSubstr("-1: has to be a whole number from 1 to 1000"));
  EXPECT_THAT(complaint("--benchmark_repetitions=2x"), HasSubstr("2x: has to be"));
  EXPECT_THAT(complaint("--benchmark_repetitions="), HasSubstr("'': has to be"));
  EXPECT_THAT(complaint("--benchmark_min_time=-1"), HasSubstr("has to be a number of seconds"));
  EXPECT_THAT(complaint("--benchmark_min_time=nan"), HasSubstr("has to be a number of seconds"));
  EXPECT_THAT(complaint("--benchmark_time_unit=h"), HasSubstr("has to be one of ns, us, ms, s"));
  EXPECT_THAT(complaint("--benchmark_context=a"), HasSubstr("has to be KEY=VALUE"));
  EXPECT_THAT(complaint("--benchmark_color=blue"), HasSubstr("has to be one of auto"));
  EXPECT_EQ(complaint("--benchmark_format"), "--benchmark_format needs a value: --benchmark_format=...");
}

TEST_F(FlagsTest, of_variables_are_checked_and_give_way) {
  set("BENCHMARK_FORMAT", "xml");
  EXPECT_THAT(refusal([] { (void)checked_flags({}); }), HasSubstr("BENCHMARK_FORMAT=xml: has to be"));
  set("BENCHMARK_FORMAT", "csv");
  EXPECT_THAT(checked_flags({"--benchmark_format=json"}).flags,
              ElementsAre("--benchmark_format=csv", "--benchmark_format=json"));
  set("BENCHMARK_FORMAT", "");
  EXPECT_THAT(checked_flags({}).flags, ElementsAre("--benchmark_format=console"))
      << "the library has read the empty one";
}

TEST_F(FlagsTest, of_outputs_that_cannot_be_written_are_refused) {
  EXPECT_THAT(complaint("--benchmark_out=none/x.json"), HasSubstr("there is no folder none"));
  EXPECT_THAT(complaint("--benchmark_out=/dev/full"), HasSubstr("is no regular file"));
  EXPECT_THAT(complaint("--benchmark_out=."), HasSubstr("is no regular file"));
  EXPECT_THAT(complaint("--benchmark_out="), HasSubstr("needs a file"));
  const GoogleBenchmarkFlags good = checked_flags({"--benchmark_out=x.json"});
  EXPECT_EQ(good.out, "x.json");
  EXPECT_TRUE(good.flags.empty());
  EXPECT_TRUE(nothing_written());
}

TEST_F(FlagsTest, output_in_memory_comes_to_the_disk) {
  const OutputInMemory memory;
  std::ofstream(memory.flag().substr(memory.flag().find('/'))) << "text";
  memory.save_as("x.json");
  EXPECT_EQ(text_of_file("x.json"), "text");
  EXPECT_THAT(refusal([&] { memory.save_as("none/x.json"); }), HasSubstr("there is no folder none"));
}

}  // namespace
}  // namespace warpmark
