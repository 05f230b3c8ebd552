// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/option_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/cli/option_file.h"
#include "harness/cli/settings.h"

namespace warpmark {

std::vector<const CLI::Option*> visible_options(const CLI::App& command) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty() && option != command.get_help_ptr()) options.push_back(option);
  if (command.get_help_ptr() != nullptr) options.push_back(command.get_help_ptr());
  return options;
}

std::string spoken_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : spoken_name(*command.get_parent()) + " " + command.get_name();
}

std::string value_name(const CLI::Option& option) { return is_flag(option) ? "" : option.get_type_name(); }

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  if (names.empty()) names.push_back(option.get_name());
  return names;
}

std::string label_of(const CLI::Option& option) {
  std::string label = fmt::format("{}", fmt::join(names_of(option), ", "));
  if (!option.get_positional() && !is_flag(option)) label += " " + value_name(option);
  return label + (option.get_positional() && takes_several(option) ? "..." : "");
}

std::string origin_note(const CLI::Option& option) {
  std::vector<std::string> parts;
  if (!option.get_default_str().empty()) parts.push_back("default: " + option.get_default_str());
  if (const std::string variable = variable_of(option); !variable.empty()) parts.push_back(variable);
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace warpmark
