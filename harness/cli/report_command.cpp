// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "harness/cli/bands_option.h"
#include "harness/cli/commands.h"
#include "harness/cli/option_checks.h"
#include "harness/cli/output.h"
#include "harness/cli/report_target.h"
#include "harness/core/error.h"
#include "harness/core/printable.h"
#include "harness/store/document.h"
#include "harness/store/durable_file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view input_path = "/dev/stdin";
constexpr std::string_view input_name = "standard input";

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return a == b || fs::equivalent(a, b, ignored);
}

void expect_once(const std::vector<std::string>& results) {
  for (std::size_t i = 0; i < results.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(results[i], results[j]))
        throw UsageError(
            fmt::format("{} is given twice (as {}); its records would count twice", results[i], results[j]));
}

Document read_input() {
  try {
    return read_document(input_path);
  } catch (const UsageError& error) {
    std::string message = error.what();
    if (message.starts_with(input_path)) message.replace(0, input_path.size(), input_name);
    throw UsageError(message);
  }
}

std::string rendered(const ReportRequest& request, const ReportFormat& format, const BandTable& bands) {
  std::vector<Document> documents;
  std::vector<std::string> sources;
  for (const std::string& result : request.results) {
    const bool is_input = result == standard_stream;
    documents.push_back(is_input ? read_input() : read_document(result));
    tell_other_bands(documents.back().run, request.bands);
    sources.push_back(is_input ? std::string(input_name) : fs::path(result).filename().string());
  }
  return format.render(documents, sources, bands);
}

void replace(const fs::path& path, const std::string& text, bool is_chosen) {
  try {
    replace_file(path, [&](DurableFile& file) { file.write(text); });
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}{}", error.what(), is_chosen ? "" : "; choose another place with -o FILE"));
  }
}

ExitCode write(const ReportRequest& request, const BandTable& bands, const Context& context) {
  const ReportFormat& format = format_of(request, context);
  expect_once(request.results);
  const fs::path path = path_of(request, format);
  const std::string text = rendered(request, format, bands);
  if (path.empty()) {
    put(text);
  } else {
    replace(path, text, !request.out.empty());
    put(fmt::format("report  {}\n", one_line(path.string())));
  }
  return ExitCode::done;
}

}  // namespace

void add_report_command(CommandLine& line, const Context& context) {
  const auto request = std::make_shared<ReportRequest>();
  CLI::App* const command = add_command(line, "report", [request, &context](const Settings& settings) {
    request->format_by_flag = settings.is_by_flag("format");
    return write(*request, settings.blaming({"bands"}, [&] { return bands_of(request->bands); }), context);
  });
  CLI::Option* const results =
      command->add_option("RESULT.json", request->results, "Documents that `warpmark run` wrote; - is standard input")
          ->required();
  results->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  line.offers[results] = {.paths = Offer::Paths::files};
  // No setting: a file that happens to lie in the folder may not choose what is overwritten.
  CLI::Option* const out = command->add_option(
      "-o,--out", request->out, "File to write, or - for standard output; beside the first result otherwise");
  out->type_name("FILE")->configurable(false)->check(not_empty("a file to write"));
  line.offers[out] = {.paths = Offer::Paths::files};
  add_bands_option(line, *command, request->bands);
  std::vector<std::string> names;
  for (const ReportFormat& format : context.formats) names.emplace_back(format.name);
  CLI::Option* const format = command->add_option(
      "--format", request->format, fmt::format("{}; by the end of FILE's name otherwise", fmt::join(names, ", ")));
  offer_one_of(line, *format->type_name("FORMAT"), "format", names);
}

}  // namespace warpmark
