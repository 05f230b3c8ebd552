// SPDX-License-Identifier: Apache-2.0
#include "harness/store/journal.h"

#include <gmock/gmock.h>

#include <string>

#include "harness/store/json_text.h"
#include "tests/harness/store/full_disk.h"
#include "tests/harness/store/refusal.h"
#include "tests/harness/store/sample_records.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class JournalTest : public testing::Test {
 protected:
  [[nodiscard]] Journal created() const { return Journal::create(path_, journal_head()); }
  [[nodiscard]] std::string complaint() const {
    return refusal([&] { (void)read_journal(path_); });
  }
  [[nodiscard]] std::string named(const std::string& words) const { return path_.string() + words; }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "run.jsonl";
};

/// A journal's head as its first line has it.
std::string head_line() {
  json head = journal_head();
  head["schema"] = journal_schema;
  return head.dump() + "\n";
}

TEST_F(JournalTest, KeepsHeadAndRecords) {
  {
    Journal journal = created();
    journal.append(full_record());
    EXPECT_EQ(read_journal(path_).records.size(), 1U) << "on disk at once";
    journal.append(bare_record());
    EXPECT_EQ(journal.path(), path_);
  }
  const JournalContent content = read_journal(path_);
  EXPECT_EQ(content.head.dump() + "\n", head_line());
  ASSERT_EQ(content.records.size(), 2U);
  EXPECT_EQ(to_json(content.records[0]), to_json(full_record()));
  EXPECT_EQ(to_json(content.records[1]), to_json(bare_record()));
}

TEST_F(JournalTest, IsNotCreatedOverAFile) {
  (void)folder_.write("run.jsonl", "mine");
  EXPECT_EQ(refusal([&] { (void)created(); }),
            named(": exists already; continue that run with: warpmark run --resume ") + path_.string());
  EXPECT_EQ(text_of_file(path_), "mine");
}

TEST_F(JournalTest, NamesAFolderThatIsNotThere) {
  path_ = folder_.path() / "none" / "run.jsonl";
  EXPECT_EQ(refusal([&] { (void)created(); }), named(": the journal cannot be created: No such file or directory"));
  EXPECT_EQ(refusal([&] { (void)Journal::reopen(path_); }),
            named(": the journal cannot be continued: No such file or directory"));
}

TEST_F(JournalTest, ATornLastLineIsLeftOutAndCutOff) {
  { created().append(bare_record()); }
  const std::string whole = text_of_file(path_);
  const std::string line = to_json(full_record()).dump();
  for (const std::size_t length : {std::size_t{1}, line.size() / 2, line.size()}) {
    (void)folder_.write("run.jsonl", whole + line.substr(0, length));
    EXPECT_EQ(read_journal(path_).records.size(), 1U) << length;
    Journal journal = Journal::reopen(path_);
    EXPECT_EQ(text_of_file(path_), whole) << length;
    journal.append(full_record());
    EXPECT_EQ(text_of_file(path_), whole + line + "\n") << length;
  }
}

TEST_F(JournalTest, AWholeLineThatIsWrongIsNamed) {
  const std::string record = to_json(full_record()).dump() + "\n";
  json status = to_json(full_record());
  status["status"] = "okay";
  (void)folder_.write("run.jsonl", head_line() + record + status.dump() + "\n");
  EXPECT_THAT(complaint(), testing::StartsWith(named(", line 3: at /status: expected one of ok, ")));
  (void)folder_.write("run.jsonl", head_line() + "{\"a\":\n" + record);
  EXPECT_EQ(complaint(), named(", line 2: ends in the middle at line 1, column 6"));
  (void)folder_.write("run.jsonl", head_line() + "\n" + record);
  EXPECT_EQ(complaint(), named(", line 2: is empty"));
  (void)folder_.write("run.jsonl", record);
  EXPECT_EQ(complaint(), named(": not the journal of a run: it does not say \"schema\": \"warpmark.journal/1\""));
  json head = json::parse(head_line());
  head.erase("plan");
  (void)folder_.write("run.jsonl", head.dump() + "\n");
  EXPECT_EQ(complaint(), named(", line 1: at the top: the key \"plan\" is missing"));
  head["schema"] = "warpmark.journal/2";
  (void)folder_.write("run.jsonl", head.dump() + "\n");
  EXPECT_THAT(complaint(), testing::StartsWith(named(": written by a newer warpmark (schema \"warpmark.journal/2\"")));
}

TEST_F(JournalTest, NamesOneInWhichNothingIs) {
  (void)folder_.write("run.jsonl", "");
  EXPECT_EQ(complaint(), named(": is empty: nothing was measured; start the run again"));
  (void)folder_.write("run.jsonl", head_line().substr(0, 40));
  EXPECT_EQ(complaint(), named(": ends in the middle at line 1, column 41: nothing was measured; start the run again"));
  (void)folder_.write("run.jsonl", head_line().substr(0, head_line().size() - 1));
  EXPECT_EQ(complaint(), named(": ends in its first line: nothing was measured; start the run again"));
}

TEST_F(JournalTest, ReopeningWhatIsNoJournalLeavesItAlone) {
  const std::string result = to_json(document_of({})).dump();  // no line end: everything would count as torn
  const std::string suite = "{\"schema\":\"warpmark.suite/1\",\n\"name\":\"a\"}\n";
  for (const std::string& text : {result, suite, std::string("a,b\n1,2\n3"), std::string("text")}) {
    (void)folder_.write("run.jsonl", text);
    EXPECT_NE(refusal([&] { (void)Journal::reopen(path_); }), "");
    EXPECT_EQ(text_of_file(path_), text);
  }
  (void)folder_.write("run.jsonl", result);
  EXPECT_EQ(refusal([&] { (void)Journal::reopen(path_); }),
            named(": is a warpmark result, not the journal of a run; look at it with: warpmark report FILE"));
}

TEST_F(JournalTest, TwoRunsCannotContinueOne) {
  const std::string busy = named(": another warpmark run is writing this journal; wait for it or stop it");
  {
    const Journal journal = created();
    EXPECT_EQ(refusal([&] { (void)Journal::reopen(path_); }), busy);
  }
  const Journal journal = Journal::reopen(path_);
  EXPECT_EQ(refusal([&] { (void)Journal::reopen(path_); }), busy);
}

TEST_F(JournalTest, MovesWithItsLock) {
  Journal first = created();
  Journal second = std::move(first);
  second.append(bare_record());
  EXPECT_NE(refusal([&] { (void)Journal::reopen(path_); }), "");
}

/// Appends until the disk is full and again after `free_space`; says what went wrong, or "ok" and the complaint.
std::string fill_disk(const fs::path& path, const std::function<void()>& free_space) {
  Journal journal = Journal::create(path, journal_head());
  std::size_t appended = 0;
  std::string said;
  for (; said.empty() && appended < 1000; appended += said.empty() ? 1 : 0)
    said = refusal([&] { journal.append(full_record()); });
  if (appended == 0 || appended == 1000) return "appended " + std::to_string(appended);
  if (text_of_file(path).back() != '\n') return "the torn line is still there";
  if (read_journal(path).records.size() != appended) return "records were lost";
  if (refusal([&] { journal.append(full_record()); }).empty()) return "a second try went through";
  free_space();
  journal.append(full_record());
  if (read_journal(path).records.size() != appended + 1) return "it does not continue";
  return "ok: " + said;
}

std::string full_disk_words(const fs::path& path, const std::string& reason) {
  return path.string() + ": the journal cannot be written: " + reason +
         "; everything measured before is in it; free space and continue with: warpmark run --resume " + path.string();
}

TEST_F(JournalTest, AFileThatMayNotGrowKeepsItsWholeLines) {
  const std::string said = with_file_limit(20'000, [&] { return fill_disk(path_, lift_file_limit); });
  EXPECT_EQ(said, "ok: " + full_disk_words(path_, "File too large"));
  EXPECT_EQ(complaint(), "");
}

TEST_F(JournalTest, AFullDiskKeepsItsWholeLines) {
  const auto said = on_small_disk(folder_.path(), 65536, [&] {
    const fs::path ballast = folder_.write("ballast", std::string(20'000, 'x'));
    return fill_disk(path_, [&] { fs::remove(ballast); });
  });
  if (!said) GTEST_SKIP() << "no file system may be mounted here";
  EXPECT_EQ(*said, "ok: " + full_disk_words(path_, "No space left on device"));
}

TEST_F(JournalTest, AHeadThatDoesNotFitLeavesNoFile) {
  const std::string said = with_file_limit(100, [&] { return refusal([&] { (void)created(); }); });
  EXPECT_EQ(said, named(": the journal cannot be written: File too large; nothing was measured: free space, or choose "
                        "another --out"));
  EXPECT_FALSE(fs::exists(path_));
}

}  // namespace
}  // namespace warpmark
