// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/option_file.h"

#include <fmt/format.h>

#include <set>

#include "harness/cli/commands.h"
#include "harness/cli/suggestion.h"
#include "harness/core/error.h"
#include "harness/core/printable.h"
#include "harness/core/toml_text.h"
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

/// The reader of TOML calls itself for each dot of a.a.a.a: longer files could take its stack. Ours have a few lines.
constexpr std::size_t most_bytes = std::size_t{16} << 10U;
using Values = std::map<std::pair<std::string, std::string>, GivenValue>;

/// What one table of the file is for: a command, or at the top every command.
struct Scope {
  std::string command{};
  std::vector<const CLI::App*> commands{};
};

/// Reads one file; every complaint begins with its place.
class Reader {
 public:
  Reader(std::string path, const CLI::App& program) : path_(std::move(path)), program_(program) {}

  Values read(const toml::table& file) {
    const Scope everywhere{.command = "", .commands = visible_commands(program_)};
    for (const auto& [key, node] : file) {
      // `label = {a = 1}` is no [label]: whoever wrote it meant the option.
      if (const toml::table* table = node.as_table(); table != nullptr && !table->is_inline()) {
        read_table(key, *table);
      } else {
        take(everywhere, key, node);
      }
    }
    return std::move(values_);
  }

 private:
  [[nodiscard]] std::string place(const toml::source_region& region) const {
    return fmt::format("{}, line {}", path_, region.begin.line);
  }

  void read_table(const toml::key& key, const toml::table& table) {
    std::vector<std::string> names;
    for (const CLI::App* command : visible_commands(program_)) {
      names.push_back(command->get_name());
      if (command->get_name() != key.str()) continue;
      for (const auto& [inner, node] : table)
        take(Scope{.command = command->get_name(), .commands = {command}}, inner, node);
      return;
    }
    throw UsageError(fmt::format("{}: there is no command [{}]; {}", place(key.source()), printable(key.str()),
                                 did_you_mean(key.str(), names)));
  }

  void take(const Scope& scope, const toml::key& key, const toml::node& node) {
    const std::string name(key.str());
    const CLI::Option& option = option_named(scope, key);
    if (takes_several(option) && node.is_table())
      throw UsageError(fmt::format(R"({}: {} has to be a list of strings, such as {} = ["rack=7", "owner=me"])",
                                   place(key.source()), name, name));
    GivenValue value{.values = values_of(key, node), .origin = place(key.source())};
    if (value.values.size() != 1 && !takes_several(option))
      throw UsageError(fmt::format("{}: {} takes one value, not a list", value.origin, name));
    values_.emplace(std::pair(scope.command, name), std::move(value));
  }

  [[nodiscard]] const CLI::Option& option_named(const Scope& scope, const toml::key& key) const {
    const std::string name(key.str());
    std::set<std::string> keys;
    bool is_act = false;
    for (const CLI::App* command : scope.commands) {
      for (const CLI::Option* option : command->get_options()) {
        const bool layered = is_layered_option(*option);
        if (layered && option->check_lname(name)) return *option;
        if (layered) keys.insert(option->get_lnames().front());
        is_act = is_act || option->check_lname(name);
      }
    }
    if (is_act)
      throw UsageError(
          fmt::format("{}: no file can set {}; give --{} on the command line", place(key.source()), name, name));
    const std::string table = scope.command.empty() ? "" : fmt::format(" in [{}]", scope.command);
    const std::vector<std::string> names(keys.begin(), keys.end());
    const std::string advice = names.empty() ? "nothing can be set here" : did_you_mean(name, names);
    throw UsageError(fmt::format("{}: there is no key {}{}; {}", place(key.source()), as_typed(name), table, advice));
  }

  [[nodiscard]] std::vector<std::string> values_of(const toml::key& key, const toml::node& node) const {
    const toml::array* const array = node.as_array();
    if (array == nullptr) return {value_of(key, node)};
    std::vector<std::string> values;
    for (const toml::node& element : *array) values.push_back(value_of(key, element));
    return values;
  }

  [[nodiscard]] std::string value_of(const toml::key& key, const toml::node& node) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
    throw UsageError(fmt::format("{}: {} has to be a string, a number or true or false", place(node.source()),
                                 printable(key.str())));
  }

  std::string path_;
  const CLI::App& program_;
  Values values_{};
};

}  // namespace

bool is_layered_option(const CLI::Option& option) { return option.get_configurable() && !option.get_lnames().empty(); }

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

bool takes_several(const CLI::Option& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}

OptionFile OptionFile::read(const fs::path& path, const CLI::App& program) {
  const std::string shown_path = printable(path.string());
  if (!fs::is_regular_file(path))
    throw UsageError(shown_path + " is no file of options; remove it or put one in its place");
  const std::string text = read_text(path);
  if (text.size() > most_bytes)
    throw UsageError(
        fmt::format("{} is larger than {} KiB; a file of options is short", shown_path, most_bytes >> 10U));
  return OptionFile(Reader(shown_path, program).read(parse_toml(text, shown_path)));
}

std::optional<GivenValue> OptionFile::find(const std::string& command, const std::string& option) const {
  for (const std::string& scope : {command, std::string()})
    if (const auto found = values_.find({scope, option}); found != values_.end()) return found->second;
  return std::nullopt;
}

}  // namespace warpmark
