// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/option_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "harness/cli/app.h"
#include "tests/harness/cli/ran.h"
#include "tests/harness/store/refusal.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class OptionFileTest : public CommandTest {
 protected:
  [[nodiscard]] OptionFile read(const std::string& text) const {
    return OptionFile::read(folder_.write("x.toml", text).filename(), *line_->app);
  }
  [[nodiscard]] std::string complaint(const std::string& text) const {
    return refusal([&] { (void)read(text); });
  }

 private:
  Context context_ = plain_context();
  std::unique_ptr<CommandLine> line_ = make_command_line(context_);
};

TEST_F(OptionFileTest, finds_values_of_a_command_before_those_of_all) {
  const OptionFile file = read("suite = \"full\"\n[run]\nsuite = \"quick\"\nlabel = [\"a=1\", \"b=2\"]\n");
  EXPECT_EQ(file.find("run", "suite")->values, std::vector<std::string>{"quick"});
  EXPECT_EQ(file.find("worker", "suite")->values, std::vector<std::string>{"full"});
  EXPECT_EQ(file.find("run", "label")->values, (std::vector<std::string>{"a=1", "b=2"}));
  EXPECT_EQ(file.find("run", "label")->origin, "x.toml, line 4");
  EXPECT_FALSE(file.find("run", "seed").has_value());
}

struct Broken {
  const char* text = nullptr;
  const char* complaint = nullptr;
};

std::ostream& operator<<(std::ostream& out, const Broken& broken) { return out << as_name(broken.complaint); }

class BrokenFileTest : public OptionFileTest, public testing::WithParamInterface<Broken> {};

TEST_P(BrokenFileTest, is_refused_with_its_place) {
  EXPECT_THAT(complaint(GetParam().text), StartsWith(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    each, BrokenFileTest,
    testing::Values(
        Broken{"sute = \"x\"\n", "x.toml, line 1: there is no key sute; did you mean suite?"},
        Broken{"\n[run]\nrepeat = 3\n", "x.toml, line 3: there is no key repeat in [run]; did you mean repeats?"},
        Broken{"[rum]\n", "x.toml, line 1: there is no command [rum]; did you mean run?"},
        Broken{"[probe]\n", "x.toml, line 1: there is no command [probe]"},
        Broken{"[list]\njson = true\n", "x.toml, line 2: no file can set json; give --json on the command line"},
        Broken{"[report]\nout = \"x\"\n", "x.toml, line 2: no file can set out; give --out on the command line"},
        Broken{"[list]\nx = 1\n", "x.toml, line 2: there is no key x in [list]; nothing can be set here"},
        Broken{"help = true\n", "x.toml, line 1: no file can set help"},
        Broken{"repeats = [1, 2]\n", "x.toml, line 1: repeats takes one value, not a list"},
        Broken{"repeats = []\n", "x.toml, line 1: repeats takes one value, not a list"},
        Broken{"[run]\nsuite = 2026-01-01\n", "x.toml, line 2: suite has to be a string, a number or true or false"},
        Broken{"[run.suite]\nx = 1\n", "x.toml, line 1: suite has to be a string, a number or true or false"},
        Broken{"label = [[\"a=1\"]]\n", "x.toml, line 1: label has to be a string, a number or true or false"},
        Broken{"suite = \n", "x.toml, line 1, column 9: not TOML"},
        Broken{"suite = \"full\"\nsuite = \"quick\"\n", "x.toml, line 2, column "},
        Broken{"suite = \"full", "x.toml, line 1, column "},
        Broken{"\"\\u001b[2J\" = 1\n", "x.toml, line 1: there is no key \\x1b[2J; there are "},
        Broken{"label = {a = 1}\n", "x.toml, line 1: label has to be a list of strings, such as label = [\"rack=7\""}));

TEST_F(OptionFileTest, may_be_empty) { EXPECT_FALSE(read("# nothing\n").find("run", "suite").has_value()); }

// toml++ 3.3 ends the program, in some builds.
TEST_F(OptionFileTest, survives_a_table_without_a_name) {
  for (const char* text : {"[= \"x\"]\n", "[ = ]", "[[=]]\n"})
    EXPECT_THAT(complaint(text), HasSubstr(": not TOML: ")) << text;
}

// toml++ 3.3 is undefined for them where a blank may stand.
TEST_F(OptionFileTest, survives_letters_beyond_ascii) {
  EXPECT_EQ(read("# \u00e9\n[run]\nsuite = '\u00e9' # \u00e9\n").find("run", "suite")->values,
            std::vector<std::string>{"\u00e9"});
  for (const char* text :
       {"\nsuite = \u00e9\n", "# \n\ufa90 = 1\n", "\nsuite = 'x' \u00e9\n", "\nrepeats = 0:'\u0310\n"})
    EXPECT_THAT(complaint(text), StartsWith("x.toml, line 2, column ")) << text;
}

TEST_F(OptionFileTest, quotes_a_file_as_text) { EXPECT_THAT(complaint("seed = n\x02\n"), HasSubstr("saw 'n\\x02'")); }

TEST_F(OptionFileTest, survives_nesting) {
  EXPECT_THAT(complaint("suite = " + std::string(10'000, '[')), StartsWith("x.toml, line 1, column "));
}

TEST_F(OptionFileTest, survives_dots) {
  std::string dots;
  for (int i = 0; i < 100'000; ++i) dots += "a.";
  EXPECT_EQ(complaint(dots + "a = 1\n"), "x.toml is larger than 16 KiB; a file of options is short");
  EXPECT_THAT(complaint(dots.substr(0, 16'000) + "a = 1\n"), StartsWith("x.toml, line 1: there is no command [a]; "));
}

TEST_F(OptionFileTest, is_no_folder_and_no_pipe) {
  std::filesystem::create_directory("folder");
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  const auto line = make_command_line(plain_context());
  for (const char* path : {"folder", "pipe"})
    EXPECT_THAT(refusal([&] { (void)OptionFile::read(path, *line->app); }), HasSubstr("is no file of options")) << path;
}

}  // namespace
}  // namespace warpmark
