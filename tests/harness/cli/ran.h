// SPDX-License-Identifier: Apache-2.0
// Commands as a person runs them: words in; exit code, standard output and standard error out.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/context.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {

struct Ran {
  int code = 0;
  std::string out{};
  std::string err{};
};

/// A context like the program's own, with report formats that print the names of their sources.
[[nodiscard]] Context plain_context(std::vector<std::string> words = {});

/// In this process. Only for what starts no other process.
[[nodiscard]] Ran run_here(std::vector<std::string> words);

/// The program itself, in a process of its own, in the current folder.
[[nodiscard]] Ran run_program(const std::vector<std::string>& words);

/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// A text as part of a test's name: letters, digits and underscores.
[[nodiscard]] std::string as_name(std::string_view text);

/// A test in an empty folder, with no WARPMARK_* variable and no user's file.
class CommandTest : public testing::Test {
 protected:
  CommandTest();
  ~CommandTest() override;

  /// Until the end of the test.
  void set(const std::string& variable, const std::string& value);
  void write_user_file(const std::string& text);
  [[nodiscard]] bool nothing_written() const;

  TemporaryFolder home_{};    // of the user's file
  TemporaryFolder folder_{};  // where the command runs

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  std::map<std::string, std::optional<std::string>> environment_{};  // as it was
};

}  // namespace warpmark
