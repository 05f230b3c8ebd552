// SPDX-License-Identifier: Apache-2.0
#include "harness/core/toml_text.h"

#include <fmt/format.h>

#include "harness/core/error.h"
#include "harness/core/printable.h"

namespace warpmark {

toml::table parse_toml(std::string_view text, std::string_view source) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw UsageError(fmt::format("{}, line {}, column {}: not TOML: {}", source, at.line, at.column,
                                 printable(error.description())));
  } catch (const UnexpectedToml&) {
    throw UsageError(
        fmt::format("{}: not TOML: a key or a [table] begins with what none can begin with; put it in quotes", source));
  }
}

}  // namespace warpmark
