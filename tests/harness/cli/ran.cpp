// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/cli/ran.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "embedded/suites_under_test.h"
#include "harness/cli/app.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

std::string sources_text(std::span<const Document> documents, const std::vector<std::string>& sources,
                         const BandTable& /*bands*/) {
  return fmt::format("{} of {}\n", documents.size(), fmt::join(sources, " "));
}

constexpr std::array formats{
    ReportFormat{.name = "html", .extension = ".html", .render = sources_text},
    ReportFormat{.name = "md", .extension = ".md", .render = sources_text},
    ReportFormat{.name = "csv", .extension = ".csv", .render = sources_text},
    ReportFormat{.name = "google-benchmark", .extension = ".gbench.json", .render = sources_text},
};

std::string in_quotes(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

/// A command that starts a role of the program starts this test program instead, which would run every test, and so
/// start itself again. Such a command belongs into run_program; what was started here ends at once.
const bool is_no_role = [] {
  std::ifstream file("/proc/self/cmdline");
  std::string first;
  if (std::getline(file, first, '\0') && first == "warpmark") _exit(1);
  return true;
}();

}  // namespace

Context plain_context(std::vector<std::string> words) {
  words.insert(words.begin(), "warpmark");
  return {.suites = embedded::suites_under_test(), .formats = formats, .command_line = std::move(words)};
}

Ran run_here(std::vector<std::string> words) {
  const Context context = plain_context(std::move(words));
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran ran{.code = run_command_line(context)};
  ran.out = testing::internal::GetCapturedStdout();
  ran.err = testing::internal::GetCapturedStderr();
  return ran;
}

Ran run_program(const std::vector<std::string>& words) {
  const TemporaryFolder streams;
  std::string command = in_quotes(WARPMARK_PROGRAM);
  for (const std::string& word : words) command += " " + in_quotes(word);
  const fs::path out = streams.path() / "out";
  const fs::path err = streams.path() / "err";
  const int status = std::system(fmt::format("{} >{} 2>{} </dev/null", command, out.string(), err.string()).c_str());
  return {.code = WEXITSTATUS(status), .out = text_of_file(out), .err = text_of_file(err)};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  return name.substr(0, 40);
}

CommandTest::CommandTest() {
  std::vector<std::string> ours;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (text.starts_with("WARPMARK_")) ours.push_back(text.substr(0, text.find('=')));
  }
  for (const std::string& variable : ours) set(variable, "");
  set("XDG_CONFIG_HOME", home_.path().string());
  set("HOME", home_.path().string());
  fs::current_path(folder_.path());
}

CommandTest::~CommandTest() {
  fs::current_path(before_);
  for (const auto& [variable, value] : environment_) {
    if (value) {
      setenv(variable.c_str(), value->c_str(), 1);
    } else {
      unsetenv(variable.c_str());
    }
  }
}

void CommandTest::set(const std::string& variable, const std::string& value) {
  const char* const now = std::getenv(variable.c_str());
  environment_.emplace(variable, now == nullptr ? std::nullopt : std::optional<std::string>(now));
  setenv(variable.c_str(), value.c_str(), 1);
}

void CommandTest::write_user_file(const std::string& text) {
  fs::create_directories(home_.path() / "warpmark");
  (void)home_.write("warpmark/config.toml", text);
}

bool CommandTest::nothing_written() const { return fs::is_empty(folder_.path()); }

}  // namespace warpmark
