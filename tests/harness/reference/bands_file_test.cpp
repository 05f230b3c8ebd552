// SPDX-License-Identifier: Apache-2.0
// A file of bands from anybody: what is wrong is refused with its line and what would be right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.h"
#include "harness/reference/bands.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Lines 1 to 12.
constexpr std::string_view good = R"(schema = "warpmark.bands/1"
[[gpu]]
model = "H200"
names = ["NVIDIA H200"]
[[gpu.band]]
benchmarks = "memory/triad"
metric = "bandwidth"
unit = "GB/s"
low = 3400
high = 4500.5
source = "a paper"
date = "2026-08-22"
)";

/// The good file after one change; the text to change has to be there.
std::string changed(std::string_view from, std::string_view to) {
  std::string text(good);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text, std::string_view source = "x.toml") {
  try {
    (void)parse_bands(text, source);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(BandsFile, GivesWhatItSays) {
  const std::vector<GpuBands> gpus =
      parse_bands(std::string(good) +
                      "arithmetic = \"bf16\"\nconditions = \"cool\"\nwhere = {footprint = \"memory\"}\n"
                      "at_least = {n = 8192}\n",
                  "x.toml");
  ASSERT_EQ(gpus.size(), 1U);
  EXPECT_EQ(gpus[0].model, "H200");
  EXPECT_EQ(gpus[0].names, std::vector<std::string>{"NVIDIA H200"});
  ASSERT_EQ(gpus[0].bands.size(), 1U);
  const Band& band = gpus[0].bands[0];
  EXPECT_EQ(band.arithmetic, "bf16");
  EXPECT_EQ(band.high, 4500.5e9);
  EXPECT_EQ(band.conditions, "cool");
  EXPECT_EQ(band.where.at("footprint"), "memory");
  EXPECT_EQ(band.at_least.at("n"), 8192);
  EXPECT_EQ(band.line, 5U);
}

struct Broken {
  const char* from = nullptr;
  const char* to = nullptr;
  const char* complaint = nullptr;
};

class BrokenBandsTest : public testing::TestWithParam<Broken> {};

TEST_P(BrokenBandsTest, IsRefusedWithItsLineAndWhatWouldBeRight) {
  EXPECT_THAT(complaint(changed(GetParam().from, GetParam().to)), StartsWith(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Each, BrokenBandsTest,
    testing::Values(
        Broken{"bands/1", "bands/2", "x.toml, line 1: a file of bands begins with: schema = \"warpmark.bands/1\""},
        Broken{"schema = \"warpmark.bands/1\"", "", "x.toml, line 1: a file of bands begins with: schema"},
        Broken{"\n[[gpu]]", "\nextra = 1\n[[gpu]]",
               "x.toml, line 2: the file has no key \"extra\"; it has schema, gpu"},
        Broken{"model =", "modell =", "x.toml, line 3: [[gpu]] has no key \"modell\"; did you mean model?"},
        Broken{"model = \"H200\"\n", "", "x.toml, line 2: [[gpu]] has no model; add model = \"H200\""},
        Broken{"model = \"H200\"", "model = 7", "x.toml, line 3: model has to be a text in quotes"},
        Broken{"model = \"H200\"", "model = \"\"", "x.toml, line 3: model has to be a text in quotes"},
        Broken{"names = [\"NVIDIA H200\"]\n", "",
               "x.toml, line 2: [[gpu]] has no names; add names = [\"NVIDIA H200\"]"},
        Broken{"[\"NVIDIA H200\"]", "\"NVIDIA H200\"", "x.toml, line 4: names has to be a list of 1 to 50 texts"},
        Broken{"[\"NVIDIA H200\"]", "[]", "x.toml, line 4: names has to be a list of 1 to 50 texts"},
        Broken{"[\"NVIDIA H200\"]", "[1]", "x.toml, line 4: each of names has to be a text"},
        Broken{"[\"NVIDIA H200\"]", "[\"A\", \"nvidia a\"]",
               "x.toml, line 2: \"nvidia a\" is a name of the model H200"},
        Broken{"benchmarks = \"memory/triad\"\n", "",
               "x.toml, line 5: [[gpu.band]] has no benchmarks; add benchmarks ="},
        Broken{"memory/triad", "(", "x.toml, line 6: benchmarks is not a regular expression: "},
        Broken{"memory/triad", "(a{99}){99}",
               "x.toml, line 6: benchmarks is not a regular expression: it is too large"},
        Broken{"metric = \"bandwidth\"\n", "",
               "x.toml, line 5: [[gpu.band]] has no metric; add metric = \"bandwidth\""},
        Broken{"unit = \"GB/s\"\n", "", "x.toml, line 5: [[gpu.band]] has no unit; add unit = \"GB/s\""},
        Broken{"GB/s", "GiB/s", "x.toml, line 8: there is no unit \"GiB/s\"; write GB/s, TFLOP/s, TOP/s, us"},
        Broken{"low = 3400\n", "", "x.toml, line 5: [[gpu.band]] has no low; add low = 3400"},
        Broken{"low = 3400", "low = \"3400\"", "x.toml, line 9: low has to be a number of 0 or more"},
        Broken{"low = 3400", "low = true", "x.toml, line 9: low has to be a number of 0 or more"},
        Broken{"low = 3400", "low = -1", "x.toml, line 9: low has to be a number of 0 or more"},
        Broken{"low = 3400", "low = nan", "x.toml, line 9: low has to be a number of 0 or more"},
        Broken{"high = 4500.5", "high = inf", "x.toml, line 10: high has to be a number of 0 or more"},
        Broken{"low = 3400", "low = 4500.5", "x.toml, line 9: low is 4500.5 and high 4500.5; low has to be less"},
        Broken{"source = \"a paper\"\n", "", "x.toml, line 5: [[gpu.band]] has no source; add source ="},
        Broken{"date = \"2026-08-22\"\n", "", "x.toml, line 5: [[gpu.band]] has no date; add date = \"2026-08-22\""},
        Broken{"date = \"2026-08-22\"", "date = 2026-08-22", "x.toml, line 12: date has to be a text in quotes"},
        Broken{"date =", "where = 1\ndate =", "x.toml, line 12: where has to be axes and values, such as {n = 8192}"},
        Broken{"date =", "where = {n = 1.5}\ndate =", "x.toml, line 12: each of where has to be a text"},
        Broken{
            "date =", "at_least = {n = \"1\"}\ndate =", "x.toml, line 12: each of at_least has to be a whole number"},
        Broken{"[[gpu.band]]", "[[gpu.bands]]", "x.toml, line 5: [[gpu]] has no key \"bands\"; did you mean band?"},
        Broken{"[[gpu.band]]", "[gpu.band]", "x.toml, line 5: [[gpu]] needs at least one [[gpu.band]]"},
        Broken{"low = 3400", "low 3400", "x.toml, line 9, column "},
        Broken{"low = 3400", "low = 1\nlow = 2", "x.toml, line 10, column "}));

TEST(BandsFile, NeedsSomethingInIt) {
  EXPECT_THAT(complaint(""), HasSubstr("a file of bands begins with: schema = "));
  EXPECT_THAT(complaint("schema = \"warpmark.bands/1\"\n"), HasSubstr("the file needs at least one [[gpu]]"));
  EXPECT_THAT(complaint("schema = \"warpmark.bands/1\"\ngpu = [1]\n"),
              StartsWith("x.toml, line 2: the file needs at least one [[gpu]]"));
  EXPECT_THAT(complaint("schema = \"warpmark.bands/1\"\n[[gpu]]\nmodel = \"a\"\nnames = [\"a\"]\n"),
              StartsWith("x.toml, line 2: [[gpu]] needs at least one [[gpu.band]]"));
}

TEST(BandsFile, IsBounded) {
  EXPECT_EQ(complaint(changed("date =", "# " + std::string(1998, 'x') + "\ndate =")), "none");
  EXPECT_EQ(complaint(changed("date =", "# " + std::string(1999, 'x') + "\ndate =")),
            "x.toml, line 12: is longer than 2000 bytes; break it");
  EXPECT_EQ(complaint(changed("a paper", std::string(300, 'x'))), "none");
  EXPECT_EQ(complaint(changed("a paper", std::string(301, 'x'))),
            "x.toml, line 11: source is longer than 300 bytes; write it shorter");
  std::string large(good);
  while (large.size() <= most_bands_bytes) large += "# a line that says nothing\n";
  EXPECT_EQ(complaint(large), "x.toml: is larger than 256 KiB; leave out the models that you do not have");
  std::string many(good);
  for (int i = 0; i < 2000; ++i)
    many += "[[gpu.band]]\nbenchmarks='a'\nmetric='m'\nunit='s'\nlow=1\nhigh=2\nsource='s'\ndate='d'\n";
  EXPECT_THAT(complaint(many), HasSubstr("a file may have 2000 bands at most"));
  many.erase(many.rfind("[[gpu.band]]"));
  EXPECT_EQ(complaint(many), "none");
}

TEST(BandsFile, IsDataWhateverItHolds) {
  EXPECT_EQ(complaint(changed("model =", "\"\\u001b[2J\" =")),
            "x.toml, line 3: [[gpu]] has no key \"\\x1b[2J\"; it has model, names, band");
  EXPECT_THAT(complaint(changed("GB/s", "\\u001b[2J")), HasSubstr("there is no unit \"\\x1b[2J\""));
  EXPECT_THAT(complaint("[=", "\x1b[2J"), StartsWith("\\x1b[2J: not TOML"));
  const std::string dots = "schema = 1\n" + [] {
    std::string key = "a";
    while (key.size() < 1900) key += ".a";
    return key;
  }() + " = 1\n";
  EXPECT_THAT(complaint(dots), StartsWith("x.toml, line 1: a file of bands begins with"));
}

TEST(BandsFile, HasEachNameOnce) {
  const std::string twice = std::string(good) + std::string(good.substr(good.find("[[gpu]]")));
  EXPECT_EQ(
      complaint(twice),
      "x.toml, line 13: \"NVIDIA H200\" is a name of the model H200 already; name it once, with all its bands there");
}

}  // namespace
}  // namespace warpmark
