// SPDX-License-Identifier: Apache-2.0
// A TOML file of options: a key at the top is for every command that has the option, one in [run] for that command
// alone. Read by toml++ and not by CLI11's own reader, which skips what it does not understand and knows no line.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpmark {

/// Whether a variable or a file may set it: it has a long name, and is no act of one call (--help, --resume).
[[nodiscard]] bool is_layered_option(const CLI::Option& option);
[[nodiscard]] bool is_flag(const CLI::Option& option);
/// Whether it may be given more than once.
[[nodiscard]] bool takes_several(const CLI::Option& option);

struct GivenValue {
  std::vector<std::string> values{};
  std::string origin{};  // "WARPMARK_REPEATS", "./warpmark.toml, line 3"
};

class OptionFile {
 public:
  /// Reads all of it and checks every key against the options of the program. Throws UsageError with file and line,
  /// and with the nearest valid key for one that is not known.
  [[nodiscard]] static OptionFile read(const std::filesystem::path& path, const CLI::App& program);

  [[nodiscard]] std::optional<GivenValue> find(const std::string& command, const std::string& option) const;

 private:
  explicit OptionFile(std::map<std::pair<std::string, std::string>, GivenValue> values) : values_(std::move(values)) {}

  std::map<std::pair<std::string, std::string>, GivenValue> values_;  // by command (empty: every one) and option
};

}  // namespace warpmark
