// SPDX-License-Identifier: Apache-2.0
// Files of options: reading one, and giving what it says to the options of each command.
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "harness/cli/app.h"
#include "harness/cli/commands.h"
#include "harness/cli/option_file.h"
#include "harness/store/json_text.h"
#include "tests/fuzz/expectation.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

constexpr std::array suites{embedded::File{.name = "quick.json", .text = "{}"}};
constexpr std::array formats{ReportFormat{.name = "html", .extension = ".html"},
                             ReportFormat{.name = "md", .extension = ".md"}};

const Context& context() {
  static const Context made{.suites = suites, .formats = formats, .command_line = {"warpmark"}};
  return made;
}

/// The place of the user's own file, for as long as the program runs.
fs::path user_file() {
  static const TemporaryFolder folder;
  static const bool is_set = setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1) == 0;
  expect(is_set, "the environment can be set");
  fs::create_directories(folder.path() / "warpmark");
  return folder.path() / "warpmark" / "config.toml";
}

using Values = std::map<std::string, std::map<std::string, std::vector<std::string>>>;  // by command and option

Values values_in(const OptionFile& file, const CLI::App& program, const std::string& path) {
  Values values;
  for (const CLI::App* command : visible_commands(program)) {
    for (const CLI::Option* option : command->get_options()) {
      if (!is_layered_option(*option)) continue;
      const auto given = file.find(command->get_name(), option->get_lnames().front());
      if (!given) continue;
      expect(given->origin.starts_with(path + ", line "), "a value has a place");
      expect(takes_several(*option) || given->values.size() == 1, "an option that takes one value gets one");
      values[command->get_name()][option->get_lnames().front()] = given->values;
    }
  }
  return values;
}

/// As TOML: its strings are JSON's, but for one character.
std::string text_of(const Values& values, const CLI::App& program) {
  std::string text;
  for (const auto& [command, options] : values) {
    text += "[" + command + "]\n";
    for (const auto& [name, given] : options) {
      const bool several = takes_several(*program.get_subcommand(command)->get_option("--" + name));
      text += name + " = " + line_of(several ? nlohmann::json(given) : nlohmann::json(given.front())) + "\n";
    }
  }
  for (std::size_t at = 0; (at = text.find('\x7f', at)) != std::string::npos;) text.replace(at, 1, "\\u007f");
  return text;
}

void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

std::optional<OptionFile> file_of(std::string_view text, const CLI::App& program) {
  write(user_file(), text);
  return unless_refused([&] { return OptionFile::read(user_file(), program); });
}

/// Every command takes what the file has for it, or says what is wrong with it and where.
void give_to_commands() {
  const auto line = make_command_line(context());
  for (const CLI::App* command : visible_commands(*line->app))
    (void)unless_refused(
        [&] { return Settings::complete(*line->app->get_subcommand(command->get_name())).effective(); });
}

}  // namespace

bool fuzz(std::string_view input) {
  static const auto line = make_command_line(context());
  const auto file = file_of(input, *line->app);
  if (!file) return false;
  const Values values = values_in(*file, *line->app, user_file());
  give_to_commands();
  const std::string text = text_of(values, *line->app);
  constexpr std::size_t longest_file = 16 * 1024;
  if (text.size() > longest_file) return true;  // escapes made it longer than a file of options may be
  const auto again = file_of(text, *line->app);
  expect(again.has_value(), "what was read can be read once it is written");
  expect(values_in(*again, *line->app, user_file()) == values, "what was read is the same once it is written");
  return true;
}

}  // namespace warpmark
