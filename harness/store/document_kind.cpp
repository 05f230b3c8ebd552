// SPDX-License-Identifier: Apache-2.0
#include "harness/store/document_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "harness/core/error.h"
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

struct Kind {
  std::string_view schema;  // without its version
  std::string_view called;
  std::string_view advice;
};

constexpr std::array kinds{
    Kind{"warpmark.result", "a warpmark result", "look at it with: warpmark report FILE"},
    Kind{"warpmark.journal", "the journal of a run", "finish that run with: warpmark run --resume JOURNAL"},
    Kind{"warpmark.suite", "a warpmark suite", "measure it with: warpmark run --suite FILE"},
};

const Kind* kind_of(std::string_view schema) {
  const std::string_view name = schema.substr(0, schema.find('/'));
  const auto* found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.schema == name; });
  return found == kinds.end() ? nullptr : found;
}

std::optional<int> version_of(std::string_view schema) {
  const std::size_t slash = schema.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  int version = 0;
  const char* const end = schema.data() + schema.size();
  const auto [last, error] = std::from_chars(schema.data() + slash + 1, end, version);
  if (error != std::errc() || last != end) return std::nullopt;
  return version;
}

std::string_view schema_of(const nlohmann::json& json) {
  if (!json.is_object()) return {};
  const auto found = json.find("schema");
  if (found == json.end() || !found->is_string()) return {};
  return found->get_ref<const std::string&>();
}

}  // namespace

void expect_kind(const nlohmann::json& json, std::string_view expected, std::string_view source) {
  const std::string_view schema = schema_of(json);
  if (schema == expected) return;
  const Kind& wanted = *kind_of(expected);
  const Kind* is = kind_of(schema);
  if (!json.is_object()) throw UsageError(fmt::format("{}: not {}: found {}", source, wanted.called, shown(json)));
  if (is == nullptr)
    throw UsageError(fmt::format(R"({}: not {}: it does not say "schema": "{}")", source, wanted.called, expected));
  if (is != &wanted)
    throw UsageError(fmt::format("{}: is {}, not {}; {}", source, is->called, wanted.called, is->advice));
  const auto version = version_of(schema);
  if (version.has_value() && *version > version_of(expected).value_or(0))
    throw UsageError(fmt::format("{}: written by a newer warpmark (schema {}; this one reads {}): update warpmark",
                                 source, shown(std::string(schema)), expected));
  throw UsageError(fmt::format("{}: has the schema {}, which no warpmark wrote; this one reads {}", source,
                               shown(std::string(schema)), expected));
}

bool is_journal(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (line.substr(0, 1) != "{") return false;
  try {
    const Kind* kind = kind_of(schema_of(parse_json(line, "first line")));
    return kind != nullptr && kind->schema == "warpmark.journal";
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace warpmark
