// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/cli/option_facts.h"
#include "harness/cli/option_file.h"
#include "harness/cli/suggestion.h"
#include "harness/core/printable.h"

namespace warpmark {
namespace {

const CLI::App& innermost(const CLI::App& app) {
  const std::vector<const CLI::App*> chosen =
      app.get_subcommands([](const CLI::App* command) { return command->count() > 0; });
  return chosen.empty() ? app : innermost(*chosen.front());
}

bool is_option(const std::string& word) { return word.starts_with('-'); }

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : visible_commands(program)) names.push_back(command->get_name());
  names.emplace_back("--help");
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : visible_options(command))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

bool has_option(const CLI::App& command, const std::string& name) {
  const std::vector<std::string> names = option_names(command);
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The command that has the option, the one that was typed before all others; nullptr when none has it.
const CLI::App* owner_of(const CLI::App& program, const CLI::App& typed, const std::string& option) {
  if (&typed != &program) return has_option(typed, option) ? &typed : nullptr;
  for (const CLI::App* command : visible_commands(program))
    if (has_option(*command, option)) return command;
  return nullptr;
}

/// The option that CLI11's message is about; it begins with the option's name.
const CLI::Option* subject_of(const CLI::App& command, std::string_view message) {
  for (const CLI::Option* option : command.get_options())
    if (message.starts_with(option->get_name() + ":")) return option;
  return nullptr;
}

/// "did you mean run? " or nothing.
std::string meant(const std::string& word, const std::vector<std::string>& choices) {
  const std::string question = did_you_mean(word, choices, "");
  return question.empty() ? "" : question + " ";
}

std::string missing_place(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      return fmt::format("`{}` needs {}: {}", spoken_name(command), option->get_name(), option->get_description());
  return "";
}

/// The words that stand by their place have no name that anybody typed; and "--resume: needs a journal" is a sentence.
std::string without_colon(const CLI::App& command, std::string_view message) {
  const CLI::Option* const option = subject_of(command, message);
  if (option == nullptr) return "";
  std::string said(message.substr(option->get_name().size() + 2));
  if (option->get_positional()) return said;
  return said.starts_with("needs ") ? option->get_name() + " " + said : "";
}

/// Too few words for an option, or too many: CLI11 counts both.
std::string miscounted(const CLI::App& command, std::string_view message) {
  const CLI::Option* const option = subject_of(command, message);
  if (option == nullptr) return "";
  if (message.ends_with(" missing"))
    return fmt::format("{} needs a value: {}", option->get_name(), value_name(*option));
  return fmt::format("{} is given {} times; give it once", option->get_name(), option->count());
}

/// CLI11: "Could not convert: --json = maybe". Every other value has a check of its own, which says what is wrong.
std::string value_for_a_flag(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && is_flag(*option) && option->as<std::string>() != "true")
      return fmt::format("{0} takes no value: leave out what follows {0}", option->get_name());
  return "";
}

/// Which of the options that were given shut each other out.
std::string rivals(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    for (const CLI::Option* rival : option->get_excludes())
      if (option->count() > 0 && rival->count() > 0 && option->get_name() != "--resume")
        return fmt::format("{} does not go with {}{}", option->get_name(), rival->get_name(),
                           rival->get_name() == "--resume" ? ": the journal says how that run goes on" : "");
  return "";
}

}  // namespace

std::string unknown_word(const CLI::App& program, const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string where = spoken_name(command);
  if (is_option(word)) {
    if (const CLI::App* const owner = owner_of(program, command, name))
      return fmt::format("{} goes after a command that has it: {} {}", name, spoken_name(*owner), name);
    return fmt::format("{} is no option of `{}`; {}`{} --help` lists them", as_typed(name), where,
                       meant(name, option_names(command)), where);
  }
  if (&command == &program)
    return fmt::format("{} is no command; {}`{} --help` lists them", as_typed(name),
                       meant(name, command_names(program)), where);
  return fmt::format("{} is one word too many for `{}`; `{} --help` shows what it takes", as_typed(word), where, where);
}

std::string explanation(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = innermost(program);
  const std::vector<std::string> words = program.remaining(true);
  std::string better;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !words.empty()) {
    better = unknown_word(program, command, words.front());
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    better = missing_place(command);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    better = miscounted(command, error.what());
  } else if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    better = value_for_a_flag(command);
  } else if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    better = rivals(command);
  } else if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    better = without_colon(command, error.what());
  }
  return better.empty() ? error.what() : better;
}

void complain(std::string_view message) {
  // Nobody may be there to read it, or its disk may be full: that changes nothing about how the command ends.
  const std::string line = fmt::format("warpmark: {}\n", one_line(message));
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace warpmark
