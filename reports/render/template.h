// SPDX-License-Identifier: Apache-2.0
// Fills a Mustache template. The one place where text from a document is made harmless for a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warpmark {

/// {{name}} is escaped; {{{name}}} is not and is for the program's own text only. A section
/// {{#name}} is left out for null, false and an empty list, but not for an empty string. Throws std::logic_error for a
/// template that is not whole.
[[nodiscard]] std::string fill_template(std::string_view text, const nlohmann::json& values);

/// The text with characters that steer a terminal or turn the direction of writing replaced by U+FFFD.
[[nodiscard]] std::string without_steering(std::string_view text);

/// The same for HTML: markup becomes entities.
[[nodiscard]] std::string html_text(std::string_view text);

/// The same values with such characters replaced in every text, for scripts that show it.
[[nodiscard]] nlohmann::json displayable(nlohmann::json values);

/// JSON for a <script type="application/json">: no "<" in it, so nothing in it can end the script.
[[nodiscard]] std::string script_json(const nlohmann::json& json);

}  // namespace warpmark
