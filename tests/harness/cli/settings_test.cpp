// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/settings.h"

#include <gmock/gmock.h>

#include "harness/cli/app.h"
#include "tests/harness/cli/ran.h"
#include "tests/harness/store/refusal.h"

namespace warpmark {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Words = std::vector<std::string>;

/// The settings of a command line, as its action would get them.
json effective(Words words) {
  const Context context = plain_context();
  const auto line = make_command_line(context);
  const std::string command = words.front();
  line->app->parse(Words(words.rbegin(), words.rend()));
  return Settings::complete(*line->app->get_subcommand(command)).effective();
}

class SettingsTest : public CommandTest {
 protected:
  void write_project_file(const std::string& text) const { (void)folder_.write("warpmark.toml", text); }
};

json setting(const json& value, const std::string& from) { return {{"value", value}, {"from", from}}; }

TEST_F(SettingsTest, are_the_defaults_when_no_layer_says_anything) {
  EXPECT_EQ(effective({"run"}).at("suite"), setting("quick", "default"));
  EXPECT_EQ(effective({"run"}).at("repeats"), setting(nullptr, "default"));
  EXPECT_EQ(effective({"run"}).at("label"), setting(json::array(), "default"));
  EXPECT_EQ(effective({"run"}).at("dry-run"), setting(false, "default"));
}

/// Every subset of the four layers: bit 3 the flag, 2 the variable, 1 the folder's file, 0 the user's file.
class PrecedenceTest : public SettingsTest, public testing::WithParamInterface<int> {};

TEST_P(PrecedenceTest, takes_the_highest_layer_that_has_it) {
  const auto has = [&](int bit) { return ((GetParam() >> bit) & 1) != 0; };
  Words words{"run"};
  if (has(3)) words.insert(words.end(), {"--repeats", "14"});
  if (has(2)) set("WARPMARK_REPEATS", "13");
  if (has(1)) write_project_file("[run]\nrepeats = 12\n");
  if (has(0)) write_user_file("repeats = 11\n");
  const json expected = has(3)   ? setting("14", "flag")
                        : has(2) ? setting("13", "WARPMARK_REPEATS")
                        : has(1) ? setting("12", "./warpmark.toml, line 2")
                        : has(0) ? setting("11", (home_.path() / "warpmark/config.toml").string() + ", line 1")
                                 : setting(nullptr, "default");
  EXPECT_EQ(effective(words).at("repeats"), expected);
}

INSTANTIATE_TEST_SUITE_P(every_subset, PrecedenceTest, testing::Range(0, 16));

TEST_F(SettingsTest, are_decided_one_by_one) {
  set("WARPMARK_DEVICE", "cpu:0");
  write_project_file("suite = \"full\"\n");
  write_user_file("[run]\nfilter = \"n=512\"\n");
  const json settings = effective({"run", "--seed", "5"});
  EXPECT_EQ(settings.at("device").at("value"), "cpu:0");
  EXPECT_EQ(settings.at("suite").at("value"), "full");
  EXPECT_EQ(settings.at("filter").at("value"), "n=512");
  EXPECT_EQ(settings.at("seed").at("value"), "5");
}

TEST_F(SettingsTest, of_a_commands_table_outrank_the_top_of_the_same_file) {
  write_project_file("suite = \"full\"\n[worker]\nsuite = \"standard\"\n");
  EXPECT_EQ(effective({"run"}).at("suite").at("value"), "full");
  EXPECT_EQ(effective({"worker"}).at("suite").at("value"), "standard");
}

TEST_F(SettingsTest, that_may_be_given_again_come_from_one_layer_alone) {
  write_project_file("label = [\"a=1\", \"b=2\"]\n");
  write_user_file("label = \"c=3\"\n");
  EXPECT_EQ(effective({"run"}).at("label").at("value"), (json{"a=1", "b=2"}));
  set("WARPMARK_LABEL", "d=4,e=5");
  EXPECT_EQ(effective({"run"}).at("label").at("value"), (json{"d=4", "e=5"}));
  EXPECT_EQ(effective({"run", "--label", "f=6,7", "--label", "g=8"}).at("label").at("value"), (json{"f=6,7", "g=8"}));
}

TEST_F(SettingsTest, ignore_an_empty_variable) {
  set("WARPMARK_SUITE", "");
  EXPECT_EQ(effective({"run"}).at("suite"), setting("quick", "default"));
}

TEST_F(SettingsTest, take_numbers_and_truths_of_a_file_as_flags_would) {
  write_project_file("case-timeout = 2.5\nseed = 7\n");
  EXPECT_EQ(effective({"run"}).at("case-timeout").at("value"), "2.5");
  CLI::App program("", "warpmark");
  CLI::App* const command = program.add_subcommand("run");
  bool counters = false;
  command->add_flag("--counters", counters);
  write_project_file("counters = true\n");
  program.parse(Words{"run"});
  EXPECT_EQ(Settings::complete(*command).effective().at("counters"), setting(true, "./warpmark.toml, line 1"));
  EXPECT_TRUE(counters);
}

TEST_F(SettingsTest, find_the_users_file_in_the_home_folder_without_xdg) {
  std::filesystem::create_directories(home_.path() / ".config/warpmark");
  (void)home_.write(".config/warpmark/config.toml", "suite = \"full\"\n");
  set("XDG_CONFIG_HOME", "relative/is/ignored");
  EXPECT_EQ(effective({"run"}).at("suite").at("value"), "full");
  set("HOME", "");
  EXPECT_EQ(effective({"run"}).at("suite").at("value"), "quick");
}

TEST_F(SettingsTest, of_a_resumed_run_stay_with_its_journal) {
  set("WARPMARK_DEVICE", "cuda:7");
  write_project_file("repeats = 9\ncolor = \"never\"\n");
  const json settings = effective({"run", "--resume", "x.jsonl"});
  EXPECT_EQ(settings.at("device").at("from"), "default");
  EXPECT_EQ(settings.at("repeats").at("from"), "default");
  EXPECT_EQ(settings.at("color").at("value"), "never");
}

TEST_F(SettingsTest, of_a_worker_under_orders_are_not_asked_for) {
  write_project_file("this is no TOML");
  EXPECT_EQ(effective({"worker", "--order"}).at("suite").at("from"), "default");
  EXPECT_THAT(refusal([] { (void)effective({"worker"}); }), HasSubstr("not TOML"));
}

struct BadValue {
  const char* option = nullptr;
  const char* value = nullptr;
  const char* complaint = nullptr;
};

std::ostream& operator<<(std::ostream& out, const BadValue& bad) {
  return out << as_name(std::string(bad.option) + "_" + bad.value);
}

/// Each bad value from each layer: the same complaint, and where it comes from.
class BadValueTest : public SettingsTest, public testing::WithParamInterface<BadValue> {
 protected:
  [[nodiscard]] std::string variable() const {
    std::string name = "WARPMARK_";
    for (const char* c = GetParam().option; *c != '\0'; ++c)
      name += *c == '-' ? '_' : static_cast<char>(std::toupper(*c));
    return name;
  }
  [[nodiscard]] std::string line() const {
    return std::string(GetParam().option) + " = \"" + GetParam().value + "\"\n";
  }
  void expect_refusal(const std::string& origin) const {
    const std::string why = refusal([] { (void)effective({"run"}); });
    EXPECT_THAT(why, HasSubstr(GetParam().complaint));
    EXPECT_THAT(why, HasSubstr(std::string("--") + GetParam().option));
    EXPECT_THAT(why, HasSubstr("(from " + origin + ")"));
  }
};

TEST_P(BadValueTest, of_a_flag_is_refused) {
  const Ran ran = run_here({"run", std::string("--") + GetParam().option, GetParam().value});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr(GetParam().complaint));
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("(from ")));
}

TEST_P(BadValueTest, of_a_variable_is_refused_by_its_name) {
  set(variable(), GetParam().value);
  expect_refusal(variable());
}

TEST_P(BadValueTest, of_the_folders_file_is_refused_by_its_line) {
  write_project_file("\n" + line());
  expect_refusal("./warpmark.toml, line 2");
}

TEST_P(BadValueTest, of_the_users_file_is_refused_by_its_line) {
  write_user_file(line());
  expect_refusal((home_.path() / "warpmark/config.toml").string() + ", line 1");
}

INSTANTIATE_TEST_SUITE_P(each, BadValueTest,
                         testing::Values(BadValue{"suite", "quik", "there is no suite quik; did you mean quick?"},
                                         BadValue{"repeats", "0", "0 is not a whole number from 1 to 1000"},
                                         BadValue{"repeats", "3.5", "3.5 is not a whole number"},
                                         BadValue{"seed", "9007199254740993", "is not a whole number"},
                                         BadValue{"case-timeout", "-1", "-1 is no duration such as 90, 90s, 5m or 1h"},
                                         BadValue{"case-timeout", "nan", "nan is no duration"},
                                         BadValue{"time-budget", "5 minutes", "'5 minutes' is no duration"},
                                         BadValue{"time-budget", "0m", "0m is no duration"},
                                         BadValue{"time-budget", "m", "m is no duration"},
                                         BadValue{"time-budget", "800h", "more than 0 and at most 2592000 s"},
                                         BadValue{"filter", "(", "is not a regular expression"},
                                         BadValue{"label", "rack", "rack has to be KEY=VALUE"},
                                         BadValue{"label", "=7", "=7 has to be KEY=VALUE"},
                                         BadValue{"color", "alway", "there is no mode alway; did you mean always?"}));

TEST_F(SettingsTest, take_a_duration_in_any_unit) {
  for (const auto& [text, seconds] : std::map<std::string, std::string>{
           {"90", "90"}, {"90s", "90"}, {"2m", "120"}, {"1.5min", "90"}, {"0.5h", "1800"}})
    EXPECT_EQ(effective({"run", "--time-budget", text}).at("time-budget"), setting(seconds, "flag")) << text;
  set("WARPMARK_TIME_BUDGET", "2m");
  EXPECT_EQ(effective({"run"}).at("time-budget").at("value"), "120");
}

TEST_F(SettingsTest, say_where_a_value_comes_from_that_an_action_refuses) {
  set("WARPMARK_OUT", "no/where");
  const Ran ran = run_here({"run"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("there is no folder no/where"));
  EXPECT_THAT(ran.err, HasSubstr("(--out comes from WARPMARK_OUT)"));
  EXPECT_THAT(run_here({"run", "--out", "no/where"}).err, testing::Not(HasSubstr("comes from")));
}

TEST_F(SettingsTest, do_not_choose_the_command) {
  write_project_file("[run]\nsuite = \"full\"\n");
  const Ran ran = run_here({});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("Usage: warpmark COMMAND"));
}

TEST_F(SettingsTest, of_a_broken_file_stop_no_command_that_needs_none) {
  write_project_file("[run");
  for (const Words& words : {Words{"explain"}, Words{"list", "suites"}, Words{"run", "--help"}, Words{"--version"}})
    EXPECT_EQ(run_here(words).code, 0) << words.front();
  EXPECT_EQ(run_here({"run"}).code, 2);
}

TEST_F(SettingsTest, of_a_mistyped_variable_are_named) {
  set("WARPMARK_REPEATS", "3");
  EXPECT_EQ(run_here({"list", "suites"}).err, "");
  set("WARPMARK_REPEAT", "3");
  const Ran ran = run_here({"list", "suites"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("the variable WARPMARK_REPEAT sets no option and is ignored; did you mean "
                                 "WARPMARK_REPEATS?"));
}

TEST_F(SettingsTest, of_a_variable_that_only_a_flag_sets_are_named) {
  for (const char* name : {"JSON", "DRY_RUN", "RESUME", "ALL"}) set(std::string("WARPMARK_") + name, "1");
  const Ran ran = run_here({"list", "suites"});
  EXPECT_EQ(ran.code, 0);
  for (const char* flag : {"--json", "--dry-run", "--resume", "--all"})
    EXPECT_THAT(ran.err, HasSubstr(std::string(flag) + " comes only as a flag on the command line"));
}

TEST_F(SettingsTest, of_a_variable_that_resembles_none_suggest_none) {
  set("WARPMARK_BANANA", "1");
  EXPECT_THAT(run_here({"list", "suites"}).err,
              HasSubstr("WARPMARK_BANANA sets no option and is ignored; each command"));
}

TEST_F(SettingsTest, refuse_a_label_that_is_given_twice) {
  const Ran ran = run_here({"run", "--label", "a=1", "--label", "a=2"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--label a is given twice, as 1 and as 2"));
}

TEST(variable_of, is_the_option_in_capitals) {
  CLI::App app;
  bool flag = false;
  EXPECT_EQ(variable_of(*app.add_flag("--case-timeout", flag)), "WARPMARK_CASE_TIMEOUT");
  EXPECT_EQ(variable_of(*app.add_flag("--act", flag)->configurable(false)), "");
}

}  // namespace
}  // namespace warpmark
