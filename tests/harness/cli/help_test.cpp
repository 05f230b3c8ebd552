// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/help.h"

#include <gmock/gmock.h>

#include <set>

#include "embedded/manual.h"
#include "harness/cli/commands.h"
#include "harness/cli/manual.h"
#include "harness/cli/option_facts.h"
#include "harness/cli/settings.h"
#include "tests/golden.h"
#include "tests/harness/cli/ran.h"

namespace warpmark {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Le;
using testing::Not;
using testing::Property;
using testing::StartsWith;

constexpr std::size_t widest = 80;

/// The help of the program itself.
class GoldenHelpTest : public testing::WithParamInterface<std::string>, public CommandTest {
 protected:
  // CommandTest clears WARPMARK_* for the commands that it runs: this asks before.
  static void SetUpTestSuite() { (void)approving(); }
};

TEST_P(GoldenHelpTest, is_what_was_approved) {
  const std::string& name = GetParam();
  const Ran ran = name == "warpmark" ? run_program({"--help"}) : run_program({name, "--help"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  expect_golden("help/" + name + ".txt", ran.out);
}

TEST_P(GoldenHelpTest, opens_with_examples_and_fits) {
  const std::string& name = GetParam();
  const Ran ran = name == "warpmark" ? run_program({"--help"}) : run_program({name, "--help"});
  const std::vector<std::string> lines = lines_of(ran.out);
  EXPECT_THAT(std::vector(lines.begin(), lines.begin() + 4), Contains("Examples:"));
  EXPECT_THAT(lines, testing::Each(Property(&std::string::size, Le(widest))));
  EXPECT_THAT(lines, testing::Each(Not(testing::EndsWith(" "))));
}

INSTANTIATE_TEST_SUITE_P(of, GoldenHelpTest,
                         testing::Values("warpmark", "run", "report", "info", "list", "explain", "worker", "sampler"));

class HelpTest : public CommandTest {
 protected:
  Context context_ = plain_context();
  std::unique_ptr<CommandLine> line_ = make_command_line(context_);
};

TEST_F(HelpTest, has_a_manual_for_every_command_and_none_besides) {
  std::set<std::string> commands{"warpmark"};
  for (const CLI::App* command : visible_commands(*line_->app)) commands.insert(command->get_name());
  std::set<std::string> manuals;
  for (const embedded::File& file : embedded::manual()) manuals.emplace(file.name.substr(0, file.name.rfind('.')));
  EXPECT_EQ(manuals, commands);
  EXPECT_THROW((void)manual_of("nothing"), std::out_of_range);
}

TEST_F(HelpTest, of_every_command_has_the_sections_that_are_made) {
  for (const CLI::App* command : visible_commands(*line_->app)) {
    const Manual manual = manual_of(command->get_name());
    EXPECT_EQ(manual.sections.front().title, "Examples") << command->get_name();
    EXPECT_EQ(manual.section("Options").blocks.size(), 0U) << command->get_name();
    EXPECT_THROW((void)manual.section("Optoins"), std::out_of_range);
  }
}

TEST_F(HelpTest, shows_every_option_with_its_variable_and_default) {
  for (const CLI::App* command : visible_commands(*line_->app)) {
    const std::string help = help_text(*command, Terminal(stdout));
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_group().empty()) continue;
      EXPECT_THAT(help, HasSubstr(label_of(*option)));
      EXPECT_THAT(help, HasSubstr(variable_of(*option)));
    }
  }
  EXPECT_THAT(help_text(*line_->app->get_subcommand("run"), Terminal(stdout)),
              HasSubstr("[default: quick; WARPMARK_SUITE]"));
}

TEST_F(HelpTest, lists_commands_in_the_order_of_use_and_hides_the_others) {
  std::vector<std::string> names;
  for (const CLI::App* command : visible_commands(*line_->app)) names.push_back(command->get_name());
  EXPECT_EQ(names, (std::vector<std::string>{"run", "report", "info", "list", "explain", "worker", "sampler"}));
  for (const char* hidden : {"probe", "completion", "--order"}) {
    EXPECT_THAT(help_text(*line_->app, Terminal(stdout)), Not(HasSubstr(hidden)));
    EXPECT_THAT(help_text(*line_->app->get_subcommand("worker"), Terminal(stdout)), Not(HasSubstr(hidden)));
  }
}

TEST_F(HelpTest, says_what_is_measured) {
  EXPECT_THAT(help_text(*line_->app, Terminal(stdout)), HasSubstr("its NVIDIA GPUs, and its CPU"));
}

TEST_F(HelpTest, is_a_command_as_well_as_an_option) {
  EXPECT_EQ(run_here({"help"}).out, run_here({"--help"}).out);
  EXPECT_EQ(run_here({"help", "run"}).out, run_here({"run", "--help"}).out);
  EXPECT_NE(run_here({"help", "run"}).out, run_here({"help", "report"}).out);
  EXPECT_EQ(run_here({"help", "rum"}).code, 2);
}

TEST_F(HelpTest, short_help_is_one_line_for_each_command) {
  const std::string help = short_help(*line_->app, Terminal(stdout));
  for (const CLI::App* command : visible_commands(*line_->app))
    EXPECT_THAT(lines_of(help), Contains(StartsWith("  " + command->get_name() + " ")));
  EXPECT_EQ(lines_of(help).size(), visible_commands(*line_->app).size() + 4);
}

}  // namespace
}  // namespace warpmark
