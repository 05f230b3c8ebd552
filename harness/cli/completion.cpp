// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "embedded/completion.h"
#include "harness/cli/commands.h"
#include "harness/cli/option_facts.h"
#include "harness/cli/option_file.h"

namespace warpmark {
namespace {

/// A shell's script with what the program knows put in the place of its line @name@.
std::string filled(std::string_view file, std::initializer_list<std::pair<std::string_view, std::string>> places) {
  std::string script;
  for (const embedded::File& candidate : embedded::completion())
    if (candidate.name == file) script = candidate.text;
  for (const auto& [name, text] : places) {
    const std::string line = fmt::format("@{}@\n", name);
    script.replace(script.find(line), line.size(), text);
  }
  return script;
}

/// Replaces characters; the rest stays.
std::string replaced(std::string_view text, std::initializer_list<std::pair<char, std::string_view>> by) {
  std::string result;
  for (const char c : text) {
    std::string_view put(&c, 1);
    for (const auto& [from, to] : by)
      if (from == c) put = to;
    result += put;
  }
  return result;
}

std::string shell_word(std::string_view text) { return "'" + replaced(text, {{'\'', R"('\'')"}}) + "'"; }

Offer offer_of(const CommandLine& line, const CLI::Option& option) {
  const auto found = line.offers.find(&option);
  return found == line.offers.end() ? Offer{} : found->second;
}

std::string_view name_of(Offer::Paths paths) {
  return paths == Offer::Paths::files ? "files" : paths == Offer::Paths::folders ? "folders" : "";
}

// ---- bash

std::string bash_case(std::string_view pattern, const Offer& offer) {
  return fmt::format("{}) choices='{}' paths={} ;;\n", pattern, fmt::join(offer.words, " "), name_of(offer.paths));
}

std::string bash_values(const CommandLine& line, const CLI::App& command) {
  std::string cases;
  for (const CLI::Option* option : visible_options(command)) {
    if (option->get_positional() || is_flag(*option)) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : names_of(*option))
      patterns.push_back(fmt::format("'{} {}'", command.get_name(), name));
    cases += "    " + bash_case(fmt::format("{}", fmt::join(patterns, " | ")), offer_of(line, *option));
  }
  return cases;
}

/// What can begin a word: what stands in a place, or the options where nothing does.
std::string bash_words(const CommandLine& line, const CLI::App& command) {
  const bool at_top = command.get_parent() == nullptr;
  Offer options;
  std::optional<Offer> place;
  for (const CLI::Option* option : visible_options(command)) {
    if (option->get_positional()) {
      place = offer_of(line, *option);
    } else {
      options.words.push_back(names_of(*option).back());
    }
  }
  if (at_top) place.emplace();
  for (const CLI::App* visible : visible_commands(command)) place->words.push_back(visible->get_name());
  const std::string name = at_top ? "" : command.get_name();
  return "        " + bash_case(fmt::format("'{} -'*", name), options) + "        " +
         bash_case(fmt::format("'{} '*", name), place.value_or(options));
}

// ---- zsh

std::string zsh_text(std::string_view text) {
  return replaced(text, {{':', "\\:"}, {'[', "\\["}, {']', "\\]"}, {'\\', "\\\\"}});
}

std::string zsh_action(const Offer& offer) {
  if (offer.paths == Offer::Paths::folders) return "_files -/";
  const std::string words = zsh_text(fmt::format("{}", fmt::join(offer.words, " ")));
  if (offer.paths == Offer::Paths::none) return words.empty() ? " " : "(" + words + ")";
  return words.empty() ? "_files" : " _warpmark_words_and_files " + words;
}

std::string zsh_option(const CommandLine& line, const CLI::Option& option) {
  const std::string value =
      is_flag(option) ? "" : fmt::format(":{}:{}", zsh_text(value_name(option)), zsh_action(offer_of(line, option)));
  if (option.get_positional())
    return fmt::format("        {}\n",
                       shell_word(fmt::format("{}:{}:{}", takes_several(option) ? "*" : "1",
                                              zsh_text(option.get_name()), zsh_action(offer_of(line, option)))));
  std::string specs;
  for (const std::string& name : names_of(option)) {
    const std::string_view sign = value.empty() ? "" : name.starts_with("--") ? "=" : "+";
    specs += fmt::format("        {}\n", shell_word(fmt::format("{}{}{}[{}]{}", takes_several(option) ? "*" : "", name,
                                                                sign, zsh_text(option.get_description()), value)));
  }
  return specs;
}

std::string zsh_options(const CommandLine& line, const CLI::App& command) {
  std::string specs;
  for (const CLI::Option* option : visible_options(command)) specs += zsh_option(line, *option);
  return specs;
}

// ---- fish

std::string fish_option(const CommandLine& line, const CLI::App& command, const CLI::Option& option) {
  const Offer offer = offer_of(line, option);
  std::string text = "complete -c warpmark";
  text += command.get_parent() == nullptr ? " -n __fish_use_subcommand"
                                          : fmt::format(" -n '__fish_seen_subcommand_from {}'", command.get_name());
  for (const std::string& name : option.get_snames()) text += " -s " + name;
  for (const std::string& name : option.get_lnames()) text += " -l " + name;
  if (offer.paths != Offer::Paths::none) text += " -F";
  if (!option.get_positional() && !is_flag(option)) text += " -r";
  if (!offer.words.empty()) text += " -a " + shell_word(fmt::format("{}", fmt::join(offer.words, " ")));
  return text + " -d " + replaced(shell_word(option.get_description()), {{'\n', " "}}) + "\n";
}

}  // namespace

std::string bash_completion(const CommandLine& line) {
  std::string cases;
  for (const CLI::App* command : visible_commands(*line.app)) cases += bash_values(line, *command);
  std::string words;
  for (const CLI::App* command : visible_commands(*line.app)) words += bash_words(line, *command);
  return filled("warpmark.bash", {{"values", cases}, {"words", words + bash_words(line, *line.app)}});
}

std::string zsh_completion(const CommandLine& line) {
  std::string commands;
  std::string options;
  for (const CLI::App* command : visible_commands(*line.app)) {
    commands += fmt::format("    {}\n", shell_word(command->get_name() + ":" + zsh_text(command->get_description())));
    options += fmt::format("      {})\n        _arguments -s \\\n", command->get_name());
    std::string specs = zsh_options(line, *command);
    specs.pop_back();
    options += replaced(specs, {{'\n', " \\\n"}}) + "\n        ;;\n";
  }
  return filled("warpmark.zsh", {{"commands", commands}, {"options", options}});
}

std::string fish_completion(const CommandLine& line) {
  std::string text;
  for (const CLI::Option* option : visible_options(*line.app)) text += fish_option(line, *line.app, *option);
  for (const CLI::App* command : visible_commands(*line.app)) {
    text += fmt::format("complete -c warpmark -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                        shell_word(command->get_description()));
    for (const CLI::Option* option : visible_options(*command)) text += fish_option(line, *command, *option);
  }
  return filled("warpmark.fish", {{"options", text}});
}

}  // namespace warpmark
