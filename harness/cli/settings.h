// SPDX-License-Identifier: Apache-2.0
// The options of one command, wherever they come from: flags, then WARPMARK_* variables, then ./warpmark.toml, then the
// user's own file. The highest of these that has an option decides it alone.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cli/option_file.h"
#include "harness/core/error.h"

namespace warpmark {

/// "WARPMARK_CASE_TIMEOUT" of --case-timeout; empty for an option that only its flag sets.
[[nodiscard]] std::string variable_of(const CLI::Option& option);

/// One sentence for each WARPMARK_* variable that is set and sets no option of any command: most likely mistyped.
[[nodiscard]] std::vector<std::string> stray_variables(const CLI::App& program);

class Settings {
 public:
  /// Fills in what the flags of a parsed command left open. Values pass the checks of their option, as flags do. Throws
  /// UsageError that says where a bad value comes from.
  [[nodiscard]] static Settings complete(CLI::App& command);

  /// By option name without its dashes: {"value": ..., "from": "flag", "default", a variable or a file and line}.
  [[nodiscard]] nlohmann::json effective() const;

  /// Whether the option (without dashes) was given on the command line.
  [[nodiscard]] bool is_by_flag(std::string_view name) const;

  /// Runs a step that uses these options (without dashes). Its complaint gains where their values come from, when no
  /// flag on the command line shows that.
  template <class Step>
  auto blaming(std::initializer_list<std::string_view> names, Step&& step) const {
    try {
      return std::forward<Step>(step)();
    } catch (const UsageError& error) {
      throw UsageError(error.what() + blame(names));
    }
  }

 private:
  struct Setting {
    const CLI::Option* option = nullptr;
    std::string name{};
    std::string from{};
    bool is_layered = false;  // from a variable or a file
  };

  void settle(CLI::Option& option, const std::string& command, const std::vector<OptionFile>& files);
  [[nodiscard]] std::string blame(std::initializer_list<std::string_view> names) const;

  std::vector<Setting> settings_{};
};

}  // namespace warpmark
