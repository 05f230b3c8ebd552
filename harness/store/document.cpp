// SPDX-License-Identifier: Apache-2.0
#include "harness/store/document.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "harness/core/error.h"
#include "harness/store/checked_record.h"
#include "harness/store/document_kind.h"
#include "harness/store/durable_file.h"
#include "harness/store/journal.h"
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

using nlohmann::json;

json parse_document(std::string_view text, std::string_view source) {
  try {
    return parse_json(text, source, " (was the disk full? its journal continues with: warpmark run --resume JOURNAL)");
  } catch (const UsageError&) {
    // A journal of more than one line is not one JSON value; that is not what its owner needs to hear.
    if (is_journal(text)) expect_kind(json{{"schema", journal_schema}}, result_schema, source);
    throw;
  }
}

}  // namespace

json to_json(const Document& document) {
  json records = json::array();
  for (const Record& record : document.records) records.push_back(to_json(record));
  return {{"schema", result_schema},
          {"run", document.run},
          {"machine", document.machine},
          {"devices", document.devices},
          {"records", std::move(records)}};
}

Document read_document(const std::filesystem::path& path) {
  const std::string source = path.string();
  json whole = parse_document(read_text(path), source);
  expect_kind(whole, result_schema, source);
  json records = json::array();
  if (whole.contains("records") && whole.at("records").is_array()) std::swap(records, whole.at("records"));
  expect_schema("document", whole, source);
  Document document{.run = std::move(whole.at("run")),
                    .machine = std::move(whole.at("machine")),
                    .devices = std::move(whole.at("devices"))};
  document.records.reserve(records.size());
  for (json& record : records) {
    document.records.push_back(checked_record(record, source, fmt::format("/records/{}", document.records.size())));
    record = nullptr;
  }
  return document;
}

void write_document(const std::filesystem::path& path, const Document& document) {
  replace_file(path, [&](DurableFile& file) {
    // One line per record, so that text tools and diffs get hold of them.
    file.write(fmt::format("{{\"schema\":{},\n\"run\":{},\n\"machine\":{},\n\"devices\":[", line_of(result_schema),
                           line_of(document.run), line_of(document.machine)));
    const char* separator = "\n";
    for (const json& device : document.devices) {
      file.write(separator + line_of(device));
      separator = ",\n";
    }
    file.write("\n],\n\"records\":[");
    separator = "\n";
    for (const Record& record : document.records) {
      file.write(separator + line_of(to_json(record)));
      separator = ",\n";
    }
    file.write("\n]}\n");
  });
}

}  // namespace warpmark
