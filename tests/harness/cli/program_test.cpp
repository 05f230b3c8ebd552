// SPDX-License-Identifier: Apache-2.0
// The program among its streams, limits and signals: a shell sets them as a person would.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/harness/cli/ran.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class ShellTest : public CommandTest {
 protected:
  ShellTest() {
    std::filesystem::copy_file(std::filesystem::path(WARPMARK_SOURCE_DIR) / "tests/fixtures/result.json", "a.json");
  }

  /// Runs a script, in which $w is the program; what it prints and says.
  [[nodiscard]] Ran shell(const std::string& script) const {
    const TemporaryFolder streams;
    const auto out = streams.path() / "out";
    const auto err = streams.path() / "err";
    const std::string path = (streams.write("script", fmt::format("w='{}'\n{}\n", WARPMARK_PROGRAM, script))).string();
    const int status =
        std::system(fmt::format("bash {} >{} 2>{} </dev/null", path, out.string(), err.string()).c_str());
    return {.code = WEXITSTATUS(status), .out = text_of_file(out), .err = text_of_file(err)};
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename().string());
    return names;
  }
};

TEST_F(ShellTest, ends_with_2_where_its_data_goes_nowhere) {
  for (const char* command :
       {"list suites", "info --json", "report a.json -o -", "explain", "--version", "run --help"}) {
    const Ran closed = shell(fmt::format("\"$w\" {} >&-", command));
    EXPECT_EQ(closed.code, 2) << command;
    EXPECT_EQ(closed.err, "warpmark: standard output cannot be written: it is closed\n") << command;
    EXPECT_EQ(shell(fmt::format("\"$w\" {} >/dev/null", command)).code, 0) << command;
  }
}

TEST_F(ShellTest, names_standard_output_where_that_is_full) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  for (const char* command : {"info --json", "report a.json -o - --format csv", "explain"}) {
    const Ran full = shell(fmt::format("\"$w\" {} >/dev/full", command));
    EXPECT_EQ(full.code, 2) << command;
    EXPECT_THAT(full.err, HasSubstr("standard output cannot be written: No space left")) << command;
  }
}

TEST_F(ShellTest, has_no_complaint_about_a_reader_that_left) {
  const Ran ran = shell("set -o pipefail; \"$w\" explain | head -1");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(lines_of(ran.out).size(), 1U);
}

TEST_F(ShellTest, leaves_nothing_behind_where_files_may_not_be_large) {
  const Ran small = shell("ulimit -f 8; \"$w\" report a.json -o x.html");
  EXPECT_EQ(small.code, 2);
  EXPECT_THAT(small.err, HasSubstr("x.html: cannot be written: File too large"));
  EXPECT_THAT(files(), testing::ElementsAre("a.json"));
  EXPECT_EQ(shell("\"$w\" report a.json -o x.html").code, 0);
}

TEST_F(ShellTest, says_that_too_few_files_may_be_open) {
  const Ran few = shell("ulimit -n 16; \"$w\" list devices");
  EXPECT_EQ(few.code, 2);
  EXPECT_THAT(few.err, HasSubstr("only 16 files may be open at once (ulimit -n), and warpmark needs 32"));
  EXPECT_EQ(shell("ulimit -n 32; \"$w\" list devices").code, 0);
}

TEST_F(ShellTest, ends_with_130_when_stopped_before_it_measures) {
  for (const char* signal : {"TERM", "HUP"}) {
    // The shell's pipe opens when the program opens it to read: it is in the middle of its preparations.
    const std::string script = "rm -f s.json; mkfifo s.json; \"$w\" {} & exec 3>s.json; kill -{} $!; wait $!";
    const Ran run = shell(fmt::format(fmt::runtime(script), "run --suite s.json", signal));
    EXPECT_EQ(run.code, 130) << signal;
    EXPECT_EQ(run.err, "warpmark: interrupted; nothing was measured\n") << signal;
    EXPECT_GT(shell(fmt::format(fmt::runtime(script), "report s.json", signal)).code, 128) << "others just end";
  }
  EXPECT_THAT(files(), testing::UnorderedElementsAre("a.json", "s.json"));
}

TEST_F(ShellTest, leaves_an_ignored_signal_ignored) {
  const Ran ran = shell(
      "mkfifo s.json; (trap '' HUP; exec \"$w\" run --suite s.json) & exec 3>s.json; kill -HUP $!; exec 3>&-; wait $!");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("s.json: is empty"));
}

TEST_F(ShellTest, reads_a_result_from_standard_input) {
  const Ran piped = shell("cat a.json | \"$w\" report - --format csv");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_THAT(piped.out, HasSubstr("standard input"));
  EXPECT_EQ(shell("\"$w\" report - -o x.html <a.json").out, "report  x.html\n");
  const Ran empty = shell("\"$w\" report - </dev/null");
  EXPECT_EQ(empty.code, 2);
  EXPECT_THAT(empty.err, HasSubstr("warpmark: standard input: is empty"));
  EXPECT_THAT(shell("\"$w\" report - - <a.json").err, HasSubstr("- is given twice"));
}

TEST_F(ShellTest, says_nothing_for_libraries_without_sys) {
  const Ran ran = shell("unshare -rm sh -c 'mount -t tmpfs none /sys && exec \"$0\" info' \"$w\"");
  if (ran.out.find("Machine") == std::string::npos) GTEST_SKIP() << "no mount namespace to be had: " << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST_F(ShellTest, ends_whatever_the_filter) {
  const Ran ran = shell("\"$w\" run --device cpu:0 --filter '(.*)*(.*)*(.*)*(.*)*zzz$' --dry-run");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("matches no case"));
}

TEST_F(ShellTest, tells_how_long_a_run_takes) {
  const Ran ran = shell("\"$w\" run --device cpu:0 --dry-run");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(lines_of(ran.out).back(), testing::MatchesRegex("[0-9]+ cases?, 3 repeats each: about .* on cpu:0"));
}

}  // namespace
}  // namespace warpmark
