// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/option_checks.h"
#include "harness/cli/terminal.h"
#include "harness/core/error.h"
#include "harness/store/document.h"
#include "harness/store/durable_file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

struct ReportCommandOptions {
  std::vector<std::string> results{};
  std::string out{};
  std::string format{};
};

constexpr std::string_view standard_output = "-";

/// By --format, or by the end of the file's name, or the default.
const ReportFormat& format_of(const ReportCommandOptions& options, const Context& context) {
  const ReportFormat* by_name = nullptr;
  const ReportFormat* by_extension = nullptr;
  for (const ReportFormat& format : context.formats) {
    if (format.name == options.format) by_name = &format;
    // Of .json and .gbench.json the longer one is meant.
    if (options.out.ends_with(format.extension) &&
        (by_extension == nullptr || format.extension.size() > by_extension->extension.size()))
      by_extension = &format;
  }
  if (by_name != nullptr) return *by_name;
  return by_extension != nullptr ? *by_extension : context.formats.front();
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

/// Where the report goes. Throws UsageError when that is one of the results.
fs::path path_of(const ReportCommandOptions& options, const ReportFormat& format) {
  fs::path path = options.out.empty() ? fs::path(options.results.front()).replace_extension(format.extension)
                                      : fs::path(options.out);
  for (const std::string& result : options.results)
    if (same_file(path, result))
      throw UsageError(
          fmt::format("{} is a result, and the report would replace it; choose another -o", path.string()));
  return path;
}

void expect_once(const std::vector<std::string>& results) {
  for (std::size_t i = 0; i < results.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(results[i], results[j]))
        throw UsageError(
            fmt::format("{} is given twice (as {}); its records would count twice", results[i], results[j]));
}

std::string rendered(const ReportCommandOptions& options, const ReportFormat& format) {
  std::vector<Document> documents;
  std::vector<std::string> sources;
  for (const std::string& result : options.results) {
    documents.push_back(read_document(result));
    sources.push_back(fs::path(result).filename().string());
  }
  return format.render(documents, sources);
}

ExitCode write(const ReportCommandOptions& options, const Context& context) {
  const ReportFormat& format = format_of(options, context);
  expect_once(options.results);
  if (options.out == standard_output) {
    fmt::print("{}", rendered(options, format));
    return ExitCode::done;
  }
  const fs::path path = path_of(options, format);
  const std::string text = rendered(options, format);
  replace_file(path, [&](DurableFile& file) { file.write(text); });
  fmt::print("report  {}\n", one_line(path.string()));
  return ExitCode::done;
}

}  // namespace

void add_report_command(CommandLine& line, const Context& context) {
  const auto options = std::make_shared<ReportCommandOptions>();
  CLI::App* const command =
      add_command(line, "report", [options, &context](const Settings&) { return write(*options, context); });
  CLI::Option* const results =
      command->add_option("RESULT.json", options->results, "Documents that `warpmark run` wrote")->required();
  results->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  line.offers[results] = {.paths = Offer::Paths::files};
  // No setting: a file that happens to lie in the folder may not choose what is overwritten.
  CLI::Option* const out = command->add_option(
      "-o,--out", options->out, "File to write, or - for standard output; beside the first result otherwise");
  out->type_name("FILE")->configurable(false);
  line.offers[out] = {.paths = Offer::Paths::files};
  std::vector<std::string> names;
  for (const ReportFormat& format : context.formats) names.emplace_back(format.name);
  CLI::Option* const format = command->add_option(
      "--format", options->format, fmt::format("{}; by the end of FILE's name otherwise", fmt::join(names, ", ")));
  offer_one_of(line, *format->type_name("FORMAT"), "format", names);
}

}  // namespace warpmark
