// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "harness/cli/commands.h"
#include "harness/core/nearest.h"

namespace warpmark {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string name_without_dashes(const CLI::Option& option) {
  return option.get_lnames().empty() ? "" : option.get_lnames().front();
}

constexpr std::string_view prefix = "WARPMARK_";

/// All begin alike; what follows has to be near.
std::string near_enough_variable(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::string> rests;
  for (const std::string& variable : known) rests.push_back(variable.substr(prefix.size()));
  const std::string near = near_enough(name.substr(prefix.size()), rests);
  return near.empty() ? "" : std::string(prefix) + near;
}

std::string variable_named(const CLI::Option& option) {
  std::string variable = std::string(prefix) + name_without_dashes(option);
  std::transform(variable.begin(), variable.end(), variable.begin(),
                 [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::toupper(c)); });
  return variable;
}

bool given(const CLI::Option& option) { return option.count() > 0; }

/// Whether a layer may still set it: what a given option excludes stays out, such as --device beside --resume.
bool is_open(const CLI::Option& option) {
  const std::set<CLI::Option*> rivals = option.get_excludes();
  return is_layered_option(option) && !given(option) &&
         std::none_of(rivals.begin(), rivals.end(), [](const CLI::Option* rival) { return given(*rival); });
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::optional<GivenValue> from_environment(const CLI::Option& option) {
  const std::string variable = variable_of(option);
  const char* const text = std::getenv(variable.c_str());
  if (text == nullptr || *text == '\0') return std::nullopt;
  return GivenValue{.values = takes_several(option) ? split_at_commas(text) : std::vector<std::string>{text},
                    .origin = variable};
}

std::optional<GivenValue> from_files(const std::vector<OptionFile>& files, const std::string& command,
                                     const std::string& name) {
  for (const OptionFile& file : files)
    if (auto value = file.find(command, name)) return value;
  return std::nullopt;
}

std::string environment(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

/// The user's own file; empty where there is no place for one. The XDG rules: a relative folder is to be ignored.
fs::path user_file() {
  fs::path folder = environment("XDG_CONFIG_HOME");
  if (!folder.is_absolute()) folder = fs::path(environment("HOME")) / ".config";
  return folder.is_absolute() ? folder / "warpmark" / "config.toml" : fs::path{};
}

std::vector<OptionFile> files_in_order(const CLI::App& program) {
  std::vector<OptionFile> files;
  for (const fs::path& path : {fs::path("./warpmark.toml"), user_file()}) {
    std::error_code ignored;
    if (!path.empty() && fs::exists(path, ignored)) files.push_back(OptionFile::read(path, program));
  }
  return files;
}

/// Gives the option what a layer has, as if its flag had been there.
void assign(CLI::Option& option, const GivenValue& value) {
  try {
    for (const std::string& text : value.values)
      option.add_result(is_flag(option) ? option.get_flag_value(option.get_lnames().front(), text) : text);
    if (!value.values.empty()) option.run_callback();
  } catch (const CLI::Error& error) {
    throw UsageError(fmt::format("{} (from {})", error.what(), value.origin));
  }
}

json value_of(const CLI::Option& option) {
  if (is_flag(option)) return given(option) && option.results().back() != "false";
  if (takes_several(option)) return option.results();
  if (given(option)) return option.results().back();
  return option.get_default_str().empty() ? json(nullptr) : json(option.get_default_str());
}

}  // namespace

std::string variable_of(const CLI::Option& option) { return is_layered_option(option) ? variable_named(option) : ""; }

std::vector<std::string> stray_variables(const CLI::App& program) {
  std::vector<std::string> known;
  std::map<std::string, std::string> flags;  // what the variable would be called, of those that only a flag sets
  for (const CLI::App* command : visible_commands(program)) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_group().empty() || option->get_lnames().empty()) continue;
      if (is_layered_option(*option))
        known.push_back(variable_of(*option));
      else
        flags.emplace(variable_named(*option), "--" + name_without_dashes(*option));
    }
  }
  std::vector<std::string> sentences;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with(prefix) || std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (text.ends_with("=")) continue;  // an empty one counts as not set
    if (const auto flag = flags.find(name); flag != flags.end()) {
      sentences.push_back(
          fmt::format("the variable {} is ignored: {} comes only as a flag on the command line", name, flag->second));
      continue;
    }
    const std::string near = near_enough_variable(name, known);
    sentences.push_back(fmt::format(
        "the variable {} sets no option and is ignored; {}", name,
        near.empty() ? "each command's --help names those that do" : fmt::format("did you mean {}?", near)));
  }
  return sentences;
}

Settings Settings::complete(CLI::App& command) {
  Settings settings;
  std::vector<CLI::Option*> options = command.get_options([](const CLI::Option*) { return true; });
  // A command that asks no layer reads no file: a broken one may not keep it from working.
  const bool ask =
      std::any_of(options.begin(), options.end(), [](const CLI::Option* option) { return is_open(*option); });
  const std::vector<OptionFile> files = ask ? files_in_order(*command.get_parent()) : std::vector<OptionFile>{};
  for (CLI::Option* option : options)
    if (option->nonpositional() && option != command.get_help_ptr())
      settings.settle(*option, command.get_name(), files);
  return settings;
}

void Settings::settle(CLI::Option& option, const std::string& command, const std::vector<OptionFile>& files) {
  const std::string name = name_without_dashes(option);
  Setting setting{.option = &option, .name = name, .from = given(option) ? "flag" : "default"};
  if (is_open(option)) {
    std::optional<GivenValue> value = from_environment(option);
    if (!value) value = from_files(files, command, name);
    if (value) {
      assign(option, *value);
      setting.from = value->origin;
      setting.is_layered = true;
    }
  }
  settings_.push_back(std::move(setting));
}

bool Settings::is_by_flag(std::string_view name) const {
  return std::any_of(settings_.begin(), settings_.end(), [name](const Setting& setting) {
    return setting.name == name && given(*setting.option) && !setting.is_layered;
  });
}

json Settings::effective() const {
  json options = json::object();
  for (const Setting& setting : settings_)
    options[setting.name] = {{"value", value_of(*setting.option)}, {"from", setting.from}};
  return options;
}

std::string Settings::blame(std::initializer_list<std::string_view> names) const {
  std::string text;
  for (const Setting& setting : settings_)
    if (setting.is_layered && std::find(names.begin(), names.end(), setting.name) != names.end())
      text += fmt::format(" (--{} comes from {})", setting.name, setting.from);
  return text;
}

}  // namespace warpmark
