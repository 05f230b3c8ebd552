// SPDX-License-Identifier: Apache-2.0
// What a person gets to read for words that are wrong: one line, exit code 2, nothing on standard output, nothing
// written.
#include <gmock/gmock.h>

#include "tests/harness/cli/ran.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

struct Wrong {
  Words words{};
  std::string says{};
};

std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << as_name(wrong.says); }

class WrongWordsTest : public CommandTest, public testing::WithParamInterface<Wrong> {};

TEST_P(WrongWordsTest, end_as_one_line) {
  const Ran ran = run_here(GetParam().words);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
  EXPECT_THAT(ran.err, StartsWith("warpmark: "));
  EXPECT_THAT(ran.err, HasSubstr(GetParam().says));
  EXPECT_TRUE(nothing_written());
}

INSTANTIATE_TEST_SUITE_P(
    words, WrongWordsTest,
    testing::Values(Wrong{{"rum"}, "rum is no command; did you mean run?"},
                    Wrong{{"banana"}, "banana is no command; `warpmark --help` lists them"},
                    Wrong{{""}, "'' is no command"}, Wrong{{"help", "rum"}, "rum is no command; did you mean run?"},
                    Wrong{{"--versoin"}, "--versoin is no option of `warpmark`; did you mean --version?"},
                    Wrong{{"run", "--sute", "quick"}, "--sute is no option of `warpmark run`; did you mean --suite?"},
                    Wrong{{"run", "--sute=quick"}, "--sute is no option of `warpmark run`; did you mean --suite?"},
                    Wrong{{"--suite", "quick", "run"},
                          "--suite goes after a command that has it: warpmark run --suite"},
                    Wrong{{"--prcie"}, "--prcie is no option of `warpmark`"},
                    Wrong{{"run", "list"}, "list is one word too many"},
                    Wrong{{"info", "x\x1b[2Jy\nz"}, "x\\x1b[2Jy\\x0az is one word too many"}));

INSTANTIATE_TEST_SUITE_P(
    values, WrongWordsTest,
    testing::Values(Wrong{{"run", "--suite"}, "--suite needs a value: NAME|FILE.json"},
                    Wrong{{"run", "--suite", "fulll"}, "there is no suite fulll; did you mean full?"},
                    Wrong{{"run", "--suite", "q\x1b[2J"}, "there is no suite q\\x1b[2J;"},
                    Wrong{{"run", "--suite", "mine.json"}, "mine.json: cannot be read: No such file"},
                    Wrong{{"run", "--repeats", "1", "--repeats", "2"}, "--repeats is given 2 times; give it once"},
                    Wrong{{"run", "--json=maybe"}, "--json takes no value"},
                    Wrong{{"run", "--suite", "fast"}, "there is no suite fast; there are quick, standard and full"},
                    Wrong{{"run", "--suite", ""}, "there is no suite ''"},
                    Wrong{{"run", "--resume", ""}, "--resume needs a journal"},
                    Wrong{{"run", "--out", ""}, "--out needs a folder or a file"},
                    Wrong{{"report", "x.json", "-o", ""}, "--out needs a file to write"},
                    Wrong{{"run", "--label", "a=b", "c"}, "c is one word too many"},
                    Wrong{{"run", "--resume", "x.jsonl", "--suite", "full"},
                          "--suite does not go with --resume: the journal says"},
                    Wrong{{"run", "--resume", "x.jsonl"}, "x.jsonl: there is no such journal: No such file"},
                    Wrong{{"run", "--out", "no/where"}, "there is no folder no/where"},
                    Wrong{{"list"}, "`warpmark list` needs WHAT: benchmarks, devices, suites or metrics"},
                    Wrong{{"list", "device"}, "there is no list of device; did you mean devices?"},
                    Wrong{{"report"}, "`warpmark report` needs RESULT.json"},
                    Wrong{{"report", "x.json", "--format", "htlm"}, "there is no format htlm; did you mean html?"},
                    Wrong{{"info", "--root", "/no\x1b[2J"}, "--root /no\\x1b[2J is no folder"},
                    Wrong{{"worker", "--nonsense"}, "--nonsense is no option of `warpmark worker`"},
                    Wrong{{"worker", "--benchmark_format=xml"}, "has to be one of console, json, csv"},
                    Wrong{{"worker", "--benchmark_repetitions=-1"}, "has to be a whole number"},
                    Wrong{{"worker", "--benchmark_out=/nonexist/x.json"}, "there is no folder /nonexist"},
                    Wrong{{"worker", "--benchmark_out=/dev/full"}, "is no regular file"},
                    Wrong{{"completion", "bsh"}, "there is no completion for bsh; did you mean bash?"}));

class NoWordsTest : public CommandTest {};

TEST_F(NoWordsTest, end_as_a_short_help_on_standard_error) {
  const Ran ran = run_here({});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, StartsWith("Usage: warpmark COMMAND"));
  EXPECT_LT(lines_of(ran.err).size(), 12U);
  EXPECT_TRUE(nothing_written());
}

class RightWordsTest : public CommandTest {};

TEST_F(RightWordsTest, end_well) {
  EXPECT_EQ(run_here({"list", "suites"}).code, 0);
  EXPECT_THAT(run_here({"--version"}).out, StartsWith("warpmark "));
  EXPECT_EQ(run_here({"-V"}).out, run_here({"--version"}).out);
}

class ProgramTest : public CommandTest {};

TEST_F(ProgramTest, names_the_nearest_device_and_case) {
  const Ran device = run_program({"run", "--device", "cpu:1"});
  EXPECT_EQ(device.code, 2);
  EXPECT_THAT(device.err, HasSubstr("there is no device cpu:1; did you mean cpu:0?"));
  const Ran filter = run_program({"run", "--filter", "triadd", "--device", "cpu:0", "--dry-run"});
  EXPECT_EQ(filter.code, 2);
  EXPECT_THAT(filter.err, HasSubstr("matches no case of suite quick; the nearest is "));
  EXPECT_THAT(run_program({"worker", "--device", "cpu:1"}).err, HasSubstr("did you mean cpu:0?"));
  EXPECT_TRUE(nothing_written());
}

TEST_F(ProgramTest, shows_a_plan_with_the_options_in_effect) {
  set("WARPMARK_REPEATS", "7");
  const Ran ran = run_program({"run", "--dry-run", "--json", "--filter", "n=1024", "--device", "cpu:0"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto plan = nlohmann::json::parse(ran.out);
  EXPECT_EQ(plan.at("repeats"), 7);
  EXPECT_EQ(plan.at("options").at("repeats").at("from"), "WARPMARK_REPEATS");
  EXPECT_EQ(plan.at("options").at("filter").at("from"), "flag");
  EXPECT_FALSE(plan.at("cases").empty());
  EXPECT_LT(plan.at("seconds").at("least"), plan.at("seconds").at("most"));
  EXPECT_TRUE(nothing_written());
}

TEST_F(ProgramTest, keeps_the_options_in_effect_with_the_result) {
  (void)folder_.write("warpmark.toml", "[run]\nlabel = \"rack=7\"\nrepeats = 1\n");
  (void)folder_.write("one.json", R"({"schema": "warpmark.suite/1", "name": "one",
    "protocol": {"min_samples": 3, "min_seconds": 0, "max_seconds": 0.1, "min_warmup_seconds": 0, "max_warmup_seconds": 0.1},
    "select": [{"benchmarks": "^gemm/square$", "variants": ["blocked"], "modes": ["isolated"], "axes": {"n": [32]}}]})");
  const Ran ran = run_program({"run", "--device", "cpu:0", "--suite", "one.json", "--out", "r.json"});
  ASSERT_TRUE(std::filesystem::exists("r.json")) << ran.err;
  const auto run = nlohmann::json::parse(text_of_file("r.json")).at("run");
  EXPECT_EQ(run.at("labels").at("rack"), "7");
  EXPECT_EQ(run.at("options").at("label").at("from"), "./warpmark.toml, line 2");
}

TEST_F(ProgramTest, says_when_its_output_has_no_room) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const std::string command = std::string(WARPMARK_PROGRAM) + " list suites >/dev/full 2>err";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(text_of_file("err"), HasSubstr("standard output cannot be written: No space left"));
}

}  // namespace
}  // namespace warpmark
