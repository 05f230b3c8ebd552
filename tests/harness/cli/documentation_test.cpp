// SPDX-License-Identifier: Apache-2.0
// The man page and the completions, as the programs that read them take them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "harness/cli/commands.h"
#include "harness/cli/man_page.h"
#include "harness/cli/option_facts.h"
#include "harness/cli/settings.h"
#include "tests/harness/cli/ran.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

/// Runs a shell command; its standard output and error together.
std::string said_by(const std::string& command) {
  const TemporaryFolder streams;
  const auto path = streams.path() / "said";
  (void)std::system(fmt::format("{{ {} ; }} >{} 2>&1 </dev/null", command, path.string()).c_str());
  return text_of_file(path);
}

class ManPageTest : public CommandTest {};

TEST_F(ManPageTest, has_no_warning_and_sets_every_option) {
  const Ran ran = run_here({"man"});
  EXPECT_EQ(ran.code, 0);
  if (!has_program("man") || !has_program("nroff")) GTEST_SKIP() << "man is not installed";
  (void)folder_.write("warpmark.1", ran.out);
  EXPECT_EQ(said_by("man --warnings -l warpmark.1 >page"), "");
  const Context context = plain_context();
  const auto line = make_command_line(context);
  const std::string page = said_by("MANWIDTH=200 man -E ascii -l warpmark.1 | col -bx");
  EXPECT_THAT(page, HasSubstr("warpmark - measures a GPU machine"));
  for (const CLI::App* command : visible_commands(*line->app)) {
    for (const CLI::Option* option : visible_options(*command)) {
      EXPECT_THAT(page, HasSubstr(label_of(*option)));
      EXPECT_THAT(page, HasSubstr(variable_of(*option)));
    }
  }
}

TEST_F(ManPageTest, would_be_warned_about) {
  if (!has_program("man") || !has_program("nroff")) GTEST_SKIP() << "man is not installed";
  (void)folder_.write("broken.1", run_here({"man"}).out + ".nosuchmacro\n");
  EXPECT_THAT(said_by("man --warnings -l broken.1 >page"), HasSubstr("nosuchmacro"));
}

TEST_F(ManPageTest, fits_a_narrow_terminal) {
  if (!has_program("man") || !has_program("nroff")) GTEST_SKIP() << "man is not installed";
  (void)folder_.write("warpmark.1", run_here({"man"}).out);
  for (const std::string& line : lines_of(said_by("MANWIDTH=80 man -E ascii -l warpmark.1 | col -bx")))
    EXPECT_LE(line.size(), 80U) << line;
}

/// The words that bash would offer for the last of these words.
class BashCompletionTest : public CommandTest {
 protected:
  BashCompletionTest() { (void)folder_.write("completion", run_here({"completion", "bash"}).out); }

  [[nodiscard]] std::vector<std::string> offered(const std::vector<std::string>& words) const {
    std::string script = "source ./completion\nCOMP_WORDS=(warpmark";
    for (const std::string& word : words) script += " '" + word + "'";
    script += fmt::format(")\nCOMP_CWORD={}\n_warpmark\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n", words.size());
    (void)folder_.write("script", script);
    std::vector<std::string> lines = lines_of(said_by("bash script"));
    if (lines == std::vector<std::string>{""}) lines.clear();
    return lines;
  }
};

TEST_F(BashCompletionTest, is_what_bash_can_read) {
  EXPECT_EQ(said_by("bash -n completion"), "");
  (void)folder_.write("broken", text_of_file("completion") + "\nif\n");
  EXPECT_NE(said_by("bash -n broken"), "");
}

TEST_F(BashCompletionTest, offers_commands) {
  EXPECT_THAT(offered({""}), ElementsAre("run", "report", "info", "list", "explain", "worker", "sampler"));
  EXPECT_THAT(offered({"r"}), ElementsAre("run", "report"));
  EXPECT_THAT(offered({"--"}), ElementsAre("--version", "--help"));
  EXPECT_THAT(offered({"prob"}), IsEmpty());
}

TEST_F(BashCompletionTest, offers_options_of_the_command) {
  EXPECT_THAT(offered({"run", "--s"}), ElementsAre("--suite", "--seed"));
  EXPECT_THAT(offered({"run", ""}), IsSupersetOf({"--suite", "--device", "--help"}));
  EXPECT_THAT(offered({"info", "--s"}), IsEmpty());
}

TEST_F(BashCompletionTest, offers_values) {
  EXPECT_THAT(offered({"run", "--suite", "st"}), ElementsAre("standard"));
  EXPECT_THAT(offered({"run", "--json", "--suite", "q"}), ElementsAre("quick"));
  EXPECT_THAT(offered({"report", "x.json", "--format", ""}), ElementsAre("html", "md", "csv", "google-benchmark"));
  EXPECT_THAT(offered({"list", "d"}), ElementsAre("devices"));
  EXPECT_THAT(offered({"list", ""}), ElementsAre("benchmarks", "devices", "suites", "metrics"));
  EXPECT_THAT(offered({"explain", "not"}), ElementsAre("not_converged"));
  EXPECT_THAT(offered({"run", "--filter", ""}), IsEmpty());
}

TEST_F(BashCompletionTest, knows_how_readline_parts_words) {
  EXPECT_THAT(offered({"run", "--suite", "=", "q"}), ElementsAre("quick"));
  EXPECT_THAT(offered({"run", "--color", "="}), ElementsAre("auto", "always", "never"));
  EXPECT_THAT(offered({"run", "--device", "cpu", ":"}), ElementsAre("0"));
  EXPECT_THAT(offered({"run", "--device", "=", "cpu", ":", "0"}), ElementsAre("0"));
}

TEST_F(BashCompletionTest, offers_files_and_folders) {
  (void)folder_.write("mine.json", "");
  std::filesystem::create_directory("mined");
  EXPECT_THAT(offered({"run", "--suite", "mi"}), testing::UnorderedElementsAre("mine.json", "mined"));
  EXPECT_THAT(offered({"report", "mi"}), testing::UnorderedElementsAre("mine.json", "mined"));
  EXPECT_THAT(offered({"info", "--root", "mi"}), ElementsAre("mined"));
}

TEST_F(ManPageTest, has_companions_for_other_shells) {
  const Context context = plain_context();
  const auto line = make_command_line(context);
  for (const std::string shell : {"zsh", "fish"}) {
    const Ran ran = run_here({"completion", shell});
    EXPECT_EQ(ran.code, 0);
    for (const CLI::App* command : visible_commands(*line->app)) {
      EXPECT_THAT(ran.out, HasSubstr(command->get_name()));
      for (const CLI::Option* option : visible_options(*command))
        for (const std::string& name : option->get_lnames()) EXPECT_THAT(ran.out, HasSubstr(name)) << shell;
    }
    EXPECT_THAT(ran.out, Not(testing::ContainsRegex("@[a-z]+@")));
    (void)folder_.write(shell, ran.out);
    if (has_program(shell)) {
      EXPECT_EQ(said_by(fmt::format("{0} -n {0}", shell)), "");
    }
  }
}

}  // namespace
}  // namespace warpmark
