// SPDX-License-Identifier: Apache-2.0
// What texts about a machine are made of: values of any JSON as safe text, and rows of a label and values that break
// where the line ends.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::shown {

inline constexpr std::size_t narrow_columns = 60;  // below that, values stand under their labels

/// The value at a JSON pointer; null where there is none.
[[nodiscard]] const nlohmann::json& at(const nlohmann::json& object, const char* pointer);
/// Printable ASCII, whatever it holds.
[[nodiscard]] std::string text(const nlohmann::json& object, const char* pointer, const char* otherwise = "unknown");
[[nodiscard]] std::optional<double> number(const nlohmann::json& object, const char* pointer);
[[nodiscard]] std::optional<bool> flag(const nlohmann::json& object, const char* pointer);
/// "1.5 GiB", or "unknown".
[[nodiscard]] std::string size(const nlohmann::json& object, const char* pointer);
/// "1 core", "2 cores".
[[nodiscard]] std::string counted(double count, std::string_view singular);
/// Adds that where the number is known.
void add_count(std::vector<std::string>& parts, const nlohmann::json& object, const char* pointer,
               std::string_view singular);
[[nodiscard]] std::vector<std::string> or_unknown(std::vector<std::string> parts);

[[nodiscard]] std::vector<std::string> words_of(const std::string& sentence);
/// `parts` with `glue` between them, broken into lines that start at `indent`; a part that no line holds breaks between
/// its words.
[[nodiscard]] std::string wrapped(const std::vector<std::string>& parts, const std::string& glue, std::size_t indent,
                                  std::size_t columns);

/// Lines "  Label       first, second" with the values in one column.
class Rows {
 public:
  explicit Rows(std::size_t columns) : columns_(columns) {}

  /// Nothing where there are no parts.
  void add(const std::string& label, const std::vector<std::string>& parts, const std::string& glue = ", ");
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::size_t columns_;
  std::string text_{};
};

}  // namespace warpmark::shown
