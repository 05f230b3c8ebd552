// SPDX-License-Identifier: Apache-2.0
// Reads a JSON object field by field and refuses what nobody asked for, naming the place.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace warpmark::fakes {

/// Text from a file, as JSON writes it in ASCII but without the quotes: what is said of it goes to a terminal.
[[nodiscard]] std::string in_ascii(const std::string& text);

class JsonFields {
 public:
  /// `place` is how the object is called in complaints. Throws BadScenario where the value is no object.
  JsonFields(const nlohmann::json& object, std::string place);

  [[nodiscard]] bool has(const std::string& key);
  [[nodiscard]] std::string text(const std::string& key);
  /// All of it matches the regular expression.
  [[nodiscard]] std::string text_like(const std::string& key, const char* form);
  [[nodiscard]] bool yes_or_no(const std::string& key);
  /// A finite number that is at least the least.
  [[nodiscard]] double number(const std::string& key, double least);
  /// More than 0.
  [[nodiscard]] double positive(const std::string& key);
  [[nodiscard]] std::int64_t whole(const std::string& key, std::int64_t least);
  /// A whole number that fits into an int.
  [[nodiscard]] int count(const std::string& key, int least);
  [[nodiscard]] JsonFields object(const std::string& key);
  [[nodiscard]] std::vector<JsonFields> objects(const std::string& key);
  [[nodiscard]] std::vector<std::string> texts(const std::string& key);
  /// Whole numbers from 0 on, each fits into an int.
  [[nodiscard]] std::vector<int> counts(const std::string& key);
  /// Every field, each of which has to be an object.
  [[nodiscard]] std::vector<std::pair<std::string, JsonFields>> each_object();
  /// To be called last: throws for a field that was not asked for.
  void refuse_others() const;
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

 private:
  [[nodiscard]] const nlohmann::json& at(const std::string& key);

  const nlohmann::json& object_;
  std::string place_;
  std::set<std::string> known_{};
};

}  // namespace warpmark::fakes
