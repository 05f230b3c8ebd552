// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/marks.h"

#include <cstddef>
#include <string>
#include <utility>

namespace warpmark {
namespace {

using nlohmann::json;

void add_mark(std::string& text) { text += marked_text; }

/// Every text below; keys too where anybody may choose them.
void add_marks(json& value) {
  if (value.is_string()) add_mark(value.get_ref<std::string&>());
  if (value.is_structured())
    for (json& each : value) add_marks(each);
}

void add_marks(Record& record) {
  for (std::string* text : {&record.id, &record.benchmark, &record.device, &record.why, &record.started_at,
                            &record.at.kernel.backend, &record.at.kernel.variant})
    add_mark(*text);
  for (auto& [axis, value] : record.at.at) {
    add_mark(axis);
    if (auto* const word = std::get_if<std::string>(&value)) add_mark(*word);
  }
  for (Metric& metric : record.metrics)
    for (std::string* text : {&metric.name, &metric.unit, &metric.ceiling_source}) add_mark(*text);
  for (json* open : {&record.about, &record.data, &record.telemetry}) add_marks(*open);
}

/// Whether the end of a line lies inside a code span. A backslash takes the meaning from what follows, outside.
bool is_in_code(std::string_view line) {
  bool in_code = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`') in_code = !in_code;
    if (line[i] == '\\' && !in_code) ++i;
  }
  return in_code;
}

}  // namespace

void add_marks(Document& document) {
  for (json* part : {&document.run, &document.machine, &document.devices}) add_marks(*part);
  document.run["labels"][std::string(marked_text)] = marked_text;
  document.machine[std::string(marked_text)] = marked_text;
  for (Record& record : document.records) add_marks(record);
}

bool has_mark_outside_code(std::string_view markdown) {
  for (std::size_t at = markdown.find(mark); at != std::string_view::npos; at = markdown.find(mark, at + 1)) {
    const std::size_t line = markdown.rfind('\n', at) + 1;  // npos + 1 is 0
    if (!is_in_code(markdown.substr(line, at - line))) return true;
  }
  return false;
}

}  // namespace warpmark
