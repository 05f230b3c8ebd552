// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "harness/cli/commands.h"
#include "harness/core/error.h"
#include "harness/core/nearest.h"
#include "harness/store/document.h"
#include "harness/store/durable_file.h"

namespace warpmark {
namespace {

struct ReportCommandOptions {
  std::vector<std::string> results{};
  std::string out{};
  std::string format{};
};

/// By --format, or by the extension of -o, or the default.
const ReportFormat& format_of(const ReportCommandOptions& options, const Context& context) {
  std::vector<std::string> names;
  for (const ReportFormat& format : context.formats) {
    names.emplace_back(format.name);
    if (options.format.empty() ? !options.out.empty() && options.out.ends_with(format.extension) : options.format == format.name) return format;
  }
  if (options.format.empty()) return context.formats.front();
  throw UsageError(fmt::format("there is no format {}; did you mean {}?", options.format, nearest(options.format, names)));
}

ExitCode write(const ReportCommandOptions& options, const Context& context) {
  const ReportFormat& format = format_of(options, context);
  std::vector<Document> documents;
  std::vector<std::string> sources;
  for (const std::string& result : options.results) {
    documents.push_back(read_document(result));
    sources.push_back(std::filesystem::path(result).filename().string());
  }
  const std::string text = format.render(documents, sources);
  if (options.out == "-") {
    fmt::print("{}", text);
    return ExitCode::done;
  }
  std::filesystem::path path = options.out;
  if (path.empty()) path = std::filesystem::path(options.results.front()).replace_extension(format.extension);
  replace_file(path, [&](DurableFile& file) { file.write(text); });
  fmt::print("report  {}\n", path.string());
  return ExitCode::done;
}

}  // namespace

void add_report_command(CommandLine& line, const Context& context) {
  CLI::App* const command = line.app->add_subcommand("report", "Turn result documents into a page, a table or a file for another tool");
  const auto options = std::make_shared<ReportCommandOptions>();
  command->add_option("results", options->results, "Result documents")->type_name("RESULT.json")->required();
  command->add_option("-o,--out", options->out, "File to write, - for standard output; beside the first result otherwise")->type_name("FILE");
  command->add_option("--format", options->format, "html, md, csv or google-benchmark; by the file's extension otherwise")->type_name("FORMAT");
  line.actions[command] = [options, &context] { return write(*options, context); };
}

}  // namespace warpmark
