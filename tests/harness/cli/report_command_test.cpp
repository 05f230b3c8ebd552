// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <unistd.h>

#include "harness/cli/report_target.h"
#include "tests/harness/cli/ran.h"

namespace warpmark {
namespace {

using testing::HasSubstr;

class ReportCommandTest : public CommandTest {
 protected:
  ReportCommandTest() {
    std::filesystem::copy_file(std::filesystem::path(WARPMARK_SOURCE_DIR) / "tests/fixtures/result.json", "a.json");
    std::filesystem::copy_file("a.json", "b.json");
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("."), {}));
  }
  void expect_refusal(const std::vector<std::string>& words, const std::string& why) const {
    const std::string before = text_of_file("a.json");
    const std::size_t count = files();
    const Ran ran = run_here(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr(why));
    EXPECT_EQ(lines_of(ran.err).size(), 1U);
    EXPECT_EQ(text_of_file("a.json"), before);
    EXPECT_EQ(files(), count);
  }
};

TEST_F(ReportCommandTest, writes_beside_the_first_result) {
  const Ran ran = run_here({"report", "a.json", "b.json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "report  a.html\n");
  EXPECT_EQ(text_of_file("a.html"), "2 of a.json b.json\n");
}

TEST_F(ReportCommandTest, takes_the_format_from_the_end_of_the_name) {
  EXPECT_EQ(run_here({"report", "a.json", "-o", "x.csv"}).code, 0);
  EXPECT_EQ(run_here({"report", "a.json", "--format", "google-benchmark"}).out, "report  a.gbench.json\n");
}

TEST_F(ReportCommandTest, takes_the_format_from_the_layers) {
  (void)folder_.write("warpmark.toml", "[report]\nformat = \"md\"\n");
  EXPECT_EQ(run_here({"report", "a.json"}).out, "report  a.md\n");
}

TEST_F(ReportCommandTest, writes_to_standard_output) {
  const Ran ran = run_here({"report", "a.json", "-o", "-"});
  EXPECT_EQ(ran.out, "1 of a.json\n");
  EXPECT_EQ(files(), 2U);
}

TEST_F(ReportCommandTest, replaces_a_report_and_never_a_result) {
  EXPECT_EQ(run_here({"report", "a.json"}).code, 0);
  EXPECT_EQ(run_here({"report", "a.json"}).code, 0);
  expect_refusal({"report", "a.json", "-o", "a.json"}, "a.json is a result, and the report would replace it");
  expect_refusal({"report", "a.json", "b.json", "-o", "./b.json"}, "./b.json is a result");
  std::filesystem::create_symlink("a.json", "link.html");
  expect_refusal({"report", "a.json", "-o", "link.html"}, "link.html is a result");
}

TEST_F(ReportCommandTest, lets_the_flag_decide_then_the_ending_then_the_layers) {
  set("WARPMARK_FORMAT", "md");
  EXPECT_EQ(run_here({"report", "a.json"}).out, "report  a.md\n");
  const Context context = plain_context();
  const auto format = [&](const ReportRequest& request) { return std::string(format_of(request, context).name); };
  EXPECT_EQ(format({.out = "X.HTML", .format = "md"}), "html");
  EXPECT_EQ(format({.out = "x.Gbench.json", .format = "md"}), "google-benchmark");
  EXPECT_EQ(format({.out = "x.html", .format = "md", .format_by_flag = true}), "md");
  EXPECT_EQ(format({.out = "-", .format = "csv"}), "csv");
  EXPECT_EQ(format({}), "html");
}

TEST_F(ReportCommandTest, replaces_no_journal_and_no_suite) {
  (void)folder_.write("j.jsonl", "{\"schema\":\"warpmark.journal/1\"}\n{}\n");
  (void)folder_.write("j.html", text_of_file("j.jsonl"));
  (void)folder_.write("s.csv", "{\"schema\": \"warpmark.suite/1\"}");
  (void)folder_.write("cut.html", "{\"schema\":\"warpmark.result/1\",\n\"run\":{");
  expect_refusal({"report", "a.json", "-o", "j.jsonl"},
                 "j.jsonl is the journal of a run, and the report would replace it");
  expect_refusal({"report", "a.json", "-o", "j.html"}, "j.html is the journal of a run");
  expect_refusal({"report", "a.json", "-o", "s.csv"}, "s.csv is a suite");
  expect_refusal({"report", "a.json", "-o", "cut.html"}, "cut.html is a result");
  expect_refusal({"report", "a.json", "-o", "b.json", "--format", "csv"}, "b.json is a result");
  (void)folder_.write("old.html", "an older report of \"warpmark.result/1\"");
  EXPECT_EQ(run_here({"report", "a.json", "-o", "old.html"}).code, 0);
}

TEST_F(ReportCommandTest, refuses_an_ending_that_is_no_formats) {
  expect_refusal({"report", "a.json", "-o", "x.pdf"},
                 "no report format has the ending .pdf; give --format, or one of .html,");
  expect_refusal({"report", "a.json", "--format", "pdf"},
                 "there is no format pdf; there are html, md, csv and google-benchmark");
}

TEST_F(ReportCommandTest, refuses_a_result_that_would_count_twice) {
  expect_refusal({"report", "a.json", "./a.json"}, "./a.json is given twice");
}

TEST_F(ReportCommandTest, refuses_places_that_cannot_be_written) {
  std::filesystem::create_directory("folder");
  expect_refusal({"report", "a.json", "-o", "folder"}, "folder");
  expect_refusal({"report", "a.json", "-o", "no/x.html"}, "there is no folder no");
  std::filesystem::permissions("folder", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (access("folder", W_OK) != 0) {
    expect_refusal({"report", "a.json", "-o", "folder/x.html"}, "cannot be written");
    std::filesystem::permissions(".", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    expect_refusal({"report", "a.json"}, "; choose another place with -o FILE");
    std::filesystem::permissions(".", std::filesystem::perms::owner_all);
  }
}

TEST_F(ReportCommandTest, refuses_what_is_no_result_and_writes_nothing) {
  (void)folder_.write("empty.json", "");
  expect_refusal({"report", "a.json", "empty.json"}, "empty.json: is empty");
  expect_refusal({"report", "a.json", "missing.json"}, "missing.json: cannot be read");
  expect_refusal({"report", "."}, "is a folder");
}

}  // namespace
}  // namespace warpmark
