// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/report_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "harness/cli/suggestion.h"
#include "harness/core/error.h"
#include "harness/store/document_kind.h"
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

std::string small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

const ReportFormat* named(const std::string& name, const Context& context) {
  for (const ReportFormat& format : context.formats)
    if (format.name == name) return &format;
  return nullptr;
}

const ReportFormat* ending(const std::string& path, const Context& context) {
  for (const ReportFormat& format : context.formats)
    if (small_letters(path).ends_with(format.extension)) return &format;
  return nullptr;
}

/// What the file says it is: "warpmark.result/1"; empty for a report, and for what cannot be read.
std::string schema_in(const fs::path& path) {
  constexpr std::string_view first_words = R"({"schema":"warpmark.result)";  // of one that was cut off
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return "";
  try {
    const std::string text = read_text(path);
    if (is_journal(text)) return "warpmark.journal";
    if (text.starts_with(first_words)) return "warpmark.result";
    if (text.find("\"warpmark.") == std::string::npos) return "";
    const nlohmann::json whole = parse_json(text, "it");
    const auto schema = whole.is_object() ? whole.find("schema") : whole.end();
    return schema != whole.end() && schema->is_string() ? schema->get<std::string>() : "";
  } catch (const UsageError&) {
    return "";
  }
}

void expect_no_document(const fs::path& path) {
  const std::string schema = schema_in(path);
  if (!schema.starts_with("warpmark.")) return;
  const char* const kind = schema.starts_with("warpmark.journal") ? "the journal of a run"
                           : schema.starts_with("warpmark.suite") ? "a suite"
                                                                  : "a result";
  throw UsageError(fmt::format("{} is {}, and the report would replace it; choose another -o", path.string(), kind));
}

}  // namespace

const ReportFormat& format_of(const ReportRequest& request, const Context& context) {
  const ReportFormat* const by_name = named(request.format, context);
  if (by_name != nullptr && request.format_by_flag) return *by_name;
  if (const ReportFormat* const by_ending = ending(request.out, context)) return *by_ending;
  if (by_name != nullptr) return *by_name;
  if (const std::string extension = fs::path(request.out).extension(); !extension.empty()) {
    expect_no_document(request.out);  // that it would be replaced is worse than its ending
    std::vector<std::string_view> extensions;
    for (const ReportFormat& format : context.formats) extensions.push_back(format.extension);
    throw UsageError(fmt::format("no report format has the ending {}; give --format, or one of {}", as_typed(extension),
                                 fmt::join(extensions, ", ")));
  }
  return context.formats.front();
}

fs::path path_of(const ReportRequest& request, const ReportFormat& format) {
  const std::string& first = request.results.front();
  if (request.out == standard_stream || (request.out.empty() && first == standard_stream)) return {};
  fs::path path = request.out.empty() ? fs::path(first).replace_extension(format.extension) : fs::path(request.out);
  expect_no_document(path);
  return path;
}

}  // namespace warpmark
