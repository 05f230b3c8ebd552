// SPDX-License-Identifier: Apache-2.0
#include "harness/store/json_text.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/harness/store/refusal.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

using nlohmann::json;

std::string complaint(std::string_view text) {
  return refusal([&] { (void)parse_json(text, "r.json", " (advice)"); });
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(ParseJson, ReadsAnyValue) {
  EXPECT_EQ(parse_json(" {\"a\":[1,2.5,\"x\"]}\n", "r.json"), (json{{"a", {1, 2.5, "x"}}}));
  EXPECT_EQ(parse_json("\xef\xbb\xbf[1]", "r.json"), json::array({1})) << "with the mark that Windows editors write";
}

TEST(ParseJson, OfEqualKeysTheLastCounts) { EXPECT_EQ(parse_json(R"({"a":1,"a":2})", "r.json"), (json{{"a", 2}})); }

TEST(ParseJson, NamesAnEmptyText) {
  EXPECT_EQ(complaint(""), "r.json: is empty (advice)");
  EXPECT_EQ(complaint(" \r\n\t"), "r.json: is empty (advice)");
}

TEST(ParseJson, NamesWhereATextEndsInTheMiddle) {
  EXPECT_EQ(complaint("{\"a\":\n [1,"), "r.json: ends in the middle at line 2, column 5 (advice)");
  EXPECT_EQ(complaint("{\"a\":\"wor"), "r.json: ends in the middle at line 1, column 10 (advice)");
  EXPECT_EQ(complaint("[tru"), "r.json: ends in the middle at line 1, column 5 (advice)");
  EXPECT_EQ(complaint("[1.5e"), "r.json: ends in the middle at line 1, column 6 (advice)");
  EXPECT_EQ(complaint("[\n\n"), "r.json: ends in the middle at line 3, column 1 (advice)");
}

TEST(ParseJson, CutAnywhereItNeverPasses) {
  const std::string whole = R"({"a":[1,2.5e3,"x\"y",true,null],"b":{"c":-1}})";
  for (std::size_t length = 1; length < whole.size(); ++length)
    EXPECT_THAT(complaint(whole.substr(0, length)),
                testing::StartsWith("r.json: ends in the middle at line 1, column "));
  EXPECT_EQ(complaint(whole), "");
}

TEST(ParseJson, NamesWhereATextStopsBeingJson) {
  EXPECT_EQ(complaint("{\n \"a\": nul }"), R"(r.json: not JSON at line 2, column 10, where "{\n \"a\": nul " ends)");
  EXPECT_EQ(complaint("<html>"), R"(r.json: not JSON at line 1, column 1, where "<" ends)");
  EXPECT_EQ(complaint("[1]\n[2]"), R"(r.json: not JSON at line 2, column 1, where "[1]\n[" ends)");
  EXPECT_EQ(complaint("[1,]"), R"(r.json: not JSON at line 1, column 4, where "[1,]" ends)");
  EXPECT_EQ(complaint("[NaN]"), R"(r.json: not JSON at line 1, column 2, where "[N" ends)");
  EXPECT_EQ(complaint(std::string_view("\0\1", 2)), R"(r.json: not JSON at line 1, column 1, where "\u0000" ends)");
}

TEST(ParseJson, CountsCharactersNotBytes) {
  EXPECT_EQ(complaint("[\"\xe2\x82\xac\xe2\x82\xac\" x]"),
            R"(r.json: not JSON at line 1, column 7, where "[\"\u20ac\u20ac\" x" ends)");
}

TEST(ParseJson, ComplaintsAreShortAndHoldNoControlCharacters) {
  const std::string words = complaint("[\"" + repeated("\x1b]0;x", 100000) + "\"");
  EXPECT_LT(words.size(), 200U);
  EXPECT_EQ(words.find('\x1b'), std::string::npos);
}

TEST(ParseJson, RefusesBytesThatAreNotUtf8) {
  EXPECT_THAT(complaint("[\"\xff\xfe\"]"), testing::StartsWith("r.json: not JSON at line 1, column 3"));
}

TEST(ParseJson, RefusesANumberThatNoDoubleHolds) {
  EXPECT_EQ(complaint("[1,\n1e400]"), R"(r.json: the number "1e400" at line 2, column 5 is too large)");
}

TEST(ParseJson, NestsAsDeepAsTheLimitAndNoDeeper) {
  EXPECT_EQ(complaint(repeated("[", max_json_depth) + repeated("]", max_json_depth)), "");
  EXPECT_EQ(complaint(repeated("[", max_json_depth + 1) + repeated("]", max_json_depth + 1)),
            "r.json: nested deeper than 64 at line 1, column 65; no warpmark wrote this");
}

TEST(ParseJson, MegabytesOfNestingAreNamedNotFollowed) {
  constexpr std::size_t many = 5'000'000;
  EXPECT_THAT(complaint(repeated("[", many)), testing::HasSubstr("nested deeper than 64 at line 1, column 65;"));
  EXPECT_THAT(complaint(repeated("{\"a\":", many)), testing::HasSubstr("nested deeper than 64 at line 1, column 321;"));
  EXPECT_THAT(complaint("{\"a\":1,\n\"b\":" + repeated("[[[[", many)),
              testing::HasSubstr("nested deeper than 64 at line 2, column 68;"));
}

TEST(ParseJson, BracketsInStringsAreNoNesting) {
  EXPECT_EQ(complaint("[\"" + repeated("[{", 1000) + "\", \"\\\"" + repeated("[", 1000) + "\"]"), "");
}

TEST(ReadText, ReadsAFile) {
  const TemporaryFolder folder;
  const std::string text = repeated("0123456789", 300'000);
  EXPECT_EQ(read_text(folder.write("a", text)), text);
  EXPECT_EQ(read_text(folder.write("b", "")), "");
}

TEST(ReadText, ReadsAFileThatDoesNotTellItsSize) {
  EXPECT_THAT(read_text("/proc/self/status"), testing::HasSubstr("Name:"));
}

TEST(ReadText, NamesWhatCannotBeRead) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "none.json").string();
  EXPECT_EQ(refusal([&] { (void)read_text(missing); }), missing + ": cannot be read: No such file or directory");
  EXPECT_EQ(refusal([&] { (void)read_text(folder.path()); }),
            folder.path().string() + ": is a folder; name a file in it");
}

TEST(Shown, IsShortAsciiOnOneLine) {
  EXPECT_EQ(shown("a\n\x1b\x7f\xe2\x82\xac"), R"("a\n\u001b\u007f\u20ac")");
  EXPECT_EQ(shown(std::string(1000, 'x')).size(), 60U);
  EXPECT_EQ(shown(json{{"a", 1}}), "an object");
  EXPECT_EQ(shown(json::array({1})), "an array");
  EXPECT_EQ(shown(json::array()), "[]");
}

TEST(LineOf, LosesNothingOverAByteThatIsNotUtf8) {
  EXPECT_EQ(line_of(json{{"name", "GPU \xff"}, {"n", 1}}), "{\"n\":1,\"name\":\"GPU \xef\xbf\xbd\"}");
}

}  // namespace
}  // namespace warpmark
