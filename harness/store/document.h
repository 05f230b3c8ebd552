// SPDX-License-Identifier: Apache-2.0
// The result document warpmark.result/1: what `run` writes and every other command reads. Its JSON Schema is
// schema/result.schema.json.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/record.h"

namespace warpmark {

inline constexpr std::string_view result_schema = "warpmark.result/1";

/// run, machine and devices stay JSON: they are facts to show, not to compute with. The schema names their keys.
struct Document {
  nlohmann::json run = nlohmann::json::object();
  nlohmann::json machine = nlohmann::json::object();
  nlohmann::json devices = nlohmann::json::array();
  std::vector<Record> records{};
};

[[nodiscard]] nlohmann::json to_json(const Record& record);
[[nodiscard]] nlohmann::json to_json(const Document& document);

/// Reads what to_json(Record) wrote. Throws nlohmann::json::exception for anything else.
[[nodiscard]] Record record_from_json(const nlohmann::json& json);

/// Throws UsageError that names the file, the place (line and column, or JSON pointer) and what to do: for a file that
/// is missing, empty, truncated, not JSON, nested too deep, of a newer schema, or not a result document.
[[nodiscard]] Document read_document(const std::filesystem::path& path);

/// Writes to a temporary file beside `path`, fsyncs, renames, fsyncs the folder: there is the old file or the new,
/// never half. Throws UsageError when the file system refuses.
void write_document(const std::filesystem::path& path, const Document& document);

}  // namespace warpmark
