// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/google_benchmark_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "harness/cli/suggestion.h"
#include "harness/core/error.h"
#include "harness/store/durable_file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

enum class Takes { anything, truth, seconds, count, format, color, time_unit, pairs, file };

struct Flag {
  std::string_view name;
  Takes takes;
  std::string_view otherwise = "";  // what the library has without the flag
};

constexpr std::string_view out_name = "benchmark_out";

constexpr std::array known{Flag{"benchmark_list_tests", Takes::truth, "false"},
                           Flag{"benchmark_filter", Takes::anything},
                           Flag{"benchmark_min_time", Takes::seconds, "0.5"},
                           Flag{"benchmark_min_warmup_time", Takes::seconds, "0"},
                           Flag{"benchmark_repetitions", Takes::count, "1"},
                           Flag{"benchmark_enable_random_interleaving", Takes::truth, "false"},
                           Flag{"benchmark_report_aggregates_only", Takes::truth, "false"},
                           Flag{"benchmark_display_aggregates_only", Takes::truth, "false"},
                           Flag{"benchmark_format", Takes::format, "console"},
                           Flag{"benchmark_out_format", Takes::format, "json"},
                           Flag{out_name, Takes::file},
                           Flag{"benchmark_color", Takes::color, "auto"},
                           Flag{"benchmark_counters_tabular", Takes::truth, "false"},
                           Flag{"benchmark_context", Takes::pairs},
                           Flag{"benchmark_perf_counters", Takes::anything},
                           Flag{"benchmark_time_unit", Takes::time_unit}};

constexpr std::array<std::string_view, 8> truths{"true", "false", "yes", "no", "on", "off", "1", "0"};
constexpr std::array<std::string_view, 3> formats{"console", "json", "csv"};
constexpr std::array<std::string_view, 9> colors{"auto", "true", "false", "yes", "no", "on", "off", "1", "0"};
constexpr std::array<std::string_view, 4> time_units{"ns", "us", "ms", "s"};

template <std::size_t n>
std::string none_of(const std::array<std::string_view, n>& words, std::string_view value) {
  if (std::find(words.begin(), words.end(), value) != words.end()) return "";
  return fmt::format("has to be one of {}", fmt::join(words, ", "));
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string no_seconds(std::string_view value) {
  const auto seconds = number_in<double>(value);
  return seconds && *seconds >= 0 && *seconds < 1e9 ? "" : "has to be a number of seconds";
}

std::string no_count(std::string_view value) {
  constexpr int most = 1000;
  const auto count = number_in<int>(value);
  return count && *count >= 1 && *count <= most ? "" : fmt::format("has to be a whole number from 1 to {}", most);
}

std::string no_pairs(std::string_view value) {
  while (!value.empty()) {
    const std::string_view pair = value.substr(0, value.find(','));
    if (pair.find('=') == std::string_view::npos || pair.front() == '=') return "has to be KEY=VALUE,...";
    value.remove_prefix(std::min(value.size(), pair.size() + 1));
  }
  return "";
}

/// Before anything is measured.
std::string no_file(std::string_view value) {
  if (value.empty()) return "needs a file to write";
  const fs::path path(value);
  std::error_code ignored;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored))
    return fmt::format("cannot be written: there is no folder {}", folder.string());
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) return "is no regular file; name one";
  if (access(folder.c_str(), W_OK | X_OK) != 0) return fmt::format("cannot be written: {}", std::strerror(errno));
  return "";
}

std::string problem_of(Takes takes, std::string_view value) {
  switch (takes) {
    case Takes::truth: return none_of(truths, value);
    case Takes::seconds: return no_seconds(value);
    case Takes::count: return no_count(value);
    case Takes::format: return none_of(formats, value);
    case Takes::color: return none_of(colors, value);
    case Takes::time_unit: return none_of(time_units, value);
    case Takes::pairs: return no_pairs(value);
    case Takes::file: return no_file(value);
    case Takes::anything: break;
  }
  return "";
}

std::string variable_of(std::string_view flag) {
  std::string variable(flag);
  for (char& c : variable) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

const Flag* flag_named(std::string_view name) {
  const auto* const found =
      std::find_if(known.begin(), known.end(), [name](const Flag& flag) { return flag.name == name; });
  return found == known.end() ? nullptr : found;
}

void take(const Flag& flag, std::string_view value, const std::string& shown, GoogleBenchmarkFlags& into) {
  if (const std::string problem = problem_of(flag.takes, value); !problem.empty())
    throw UsageError(fmt::format("{}={}: {}", shown, as_typed(value), problem));
  if (flag.name == out_name) {
    into.out = value;
  } else {
    into.flags.push_back(fmt::format("--{}={}", flag.name, value));
  }
}

}  // namespace

GoogleBenchmarkFlags checked_flags(const std::vector<std::string>& words) {
  GoogleBenchmarkFlags flags;
  for (const Flag& flag : known) {
    const char* const value = std::getenv(variable_of(flag.name).c_str());
    if (value == nullptr) continue;
    if (*value != '\0')
      take(flag, value, variable_of(flag.name), flags);
    else if (!flag.otherwise.empty())  // an empty one counts as not set, but the library has read it
      take(flag, flag.otherwise, variable_of(flag.name), flags);
  }
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Flag* const flag = name.starts_with("--") ? flag_named(std::string_view(name).substr(2)) : nullptr;
    if (flag == nullptr)
      flags.flags.push_back(word);  // the library knows more, or says that it does not
    else if (equals == std::string::npos && flag->takes != Takes::truth)
      throw UsageError(fmt::format("{0} needs a value: {0}=...", name));
    else
      take(*flag, equals == std::string::npos ? "true" : word.substr(equals + 1), name, flags);
  }
  return flags;
}

OutputInMemory::OutputInMemory() : descriptor_(memfd_create("warpmark", 0)) {
  if (descriptor_ < 0) throw UsageError(fmt::format("no memory for --benchmark_out: {}", std::strerror(errno)));
}

OutputInMemory::~OutputInMemory() { (void)close(descriptor_); }

std::string OutputInMemory::flag() const { return fmt::format("--{}=/proc/self/fd/{}", out_name, descriptor_); }

void OutputInMemory::save_as(const fs::path& path) const {
  (void)lseek(descriptor_, 0, SEEK_SET);
  const std::string text = read_all(descriptor_);
  replace_file(path, [&text](DurableFile& file) { file.write(text); });
}

}  // namespace warpmark
