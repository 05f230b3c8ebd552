// SPDX-License-Identifier: Apache-2.0
// The replay sees what a fuzzer sees: here is one that finds something in a file that says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fuzz/csv_cells.h"
#include "tests/fuzz/expectation.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/marks.h"
#include "tests/fuzz/replay.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {

bool fuzz(std::string_view input) {
  expect(input != "planted", "nothing is planted");
  if (input == "thrown") throw std::out_of_range("no refusal");
  return unless_refused([&] { return input == "good" ? true : throw UsageError(std::string(input)); }).has_value();
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(Replay, TellsTheFileAndWhatWasFound) {
  const TemporaryFolder folder;
  for (const char* text : {"good", "planted", "thrown", "refused", "re\nfused", ""})
    folder.write("a" + std::string(text), text);
  const Replayed replayed = replay(folder.path());
  EXPECT_EQ(replayed.files, 6U);
  EXPECT_EQ(replayed.accepted, 1U);
  EXPECT_THAT(replayed.findings,
              UnorderedElementsAre(HasSubstr("aplanted: broken: nothing is planted"), HasSubstr("athrown: no refusal"),
                                   HasSubstr("re\\x0afused"), HasSubstr("a: broken: a refusal says why")));
}

TEST(Expectation, TextOfManyLinesMayNotSteerATerminal) {
  EXPECT_NO_THROW(expect_harmless("one\ntwo\n"));
  EXPECT_THROW(expect_harmless("one\ntwo\x1b[2J\n"), Broken);
}

TEST(Marks, CountOnlyOutsideCodeSpans) {
  EXPECT_FALSE(has_mark_outside_code("a `<fuzzed>` b\n"));
  EXPECT_TRUE(has_mark_outside_code("a `b` <fuzzed>\n"));
  EXPECT_TRUE(has_mark_outside_code("a \\`<fuzzed>\\`\n")) << "an escaped backtick begins no code";
  EXPECT_TRUE(has_mark_outside_code("`a\n<fuzzed>`\n")) << "nor does one on another line";
}

TEST(CsvCells, QuotesKeepCommasAndLineEnds) {
  EXPECT_THAT(csv_cells("a,b\n\"c,\nd\"\"\",e\n"), ElementsAre(2U, 2U));
  EXPECT_THAT(csv_cells("a,b\nc\n"), ElementsAre(2U, 1U));
}

}  // namespace
}  // namespace warpmark
