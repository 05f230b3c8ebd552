// SPDX-License-Identifier: Apache-2.0
#include "harness/store/json_text.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "harness/core/error.h"
#include "harness/store/durable_file.h"

namespace warpmark {
namespace {

/// Finds where a text stops being JSON: accepts everything and remembers the first error.
class ErrorFinder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& error) override {
    bytes_read = position;
    last_token = token;
    is_range_error = dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr;
    return false;
  }

  std::size_t bytes_read = 0;  // with the byte that was one too many
  std::string last_token{};
  bool is_range_error = false;  // a number that no double holds
};

/// "line 3, column 14" of a byte; columns count characters, not bytes.
std::string place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const std::string_view same_line = before.substr(start);
  const auto column = 1 + std::count_if(same_line.begin(), same_line.end(), is_start);
  return fmt::format("line {}, column {}", line, column);
}

/// The end of what is JSON, with the byte that no longer is.
std::string excerpt(std::string_view text, std::size_t offset) {
  constexpr std::size_t length = 24;
  const std::string_view until = text.substr(0, offset + 1);
  return shown(std::string(until.substr(until.size() - std::min(until.size(), length))));
}

/// Byte of the bracket that nests deeper than allowed, or npos. The parser agrees on what is a string up to its first
/// error, and builds nothing after that.
std::size_t too_deep_at(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > max_json_depth) return i;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

[[noreturn]] void refuse(std::string_view text, std::string_view source, std::string_view if_truncated) {
  ErrorFinder found;
  nlohmann::json::sax_parse(text, &found);
  const std::size_t offset = std::min(found.bytes_read - std::min<std::size_t>(found.bytes_read, 1), text.size());
  const std::string place = place_of(text, offset);
  if (found.is_range_error)
    throw UsageError(fmt::format("{}: the number {} at {} is too large", source, shown(found.last_token), place));
  if (found.bytes_read > text.size())
    throw UsageError(fmt::format("{}: ends in the middle at {}{}", source, place, if_truncated));
  throw UsageError(fmt::format("{}: not JSON at {}, where {} ends", source, place, excerpt(text, offset)));
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  try {
    if (file.get() < 0) throw std::system_error(errno, std::generic_category());
    return read_all(file.get());
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::is_a_directory)
      throw UsageError(fmt::format("{}: is a folder; name a file in it", path.string()));
    if (error.code() == std::errc::file_too_large)
      throw UsageError(
          fmt::format("{}: is larger than {} MiB; no warpmark wrote this", path.string(), max_text_bytes >> 20U));
    throw UsageError(fmt::format("{}: cannot be read: {}", path.string(), error.code().message()));
  }
}

nlohmann::json parse_json(std::string_view text, std::string_view source, std::string_view if_truncated) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw UsageError(fmt::format("{}: is empty{}", source, if_truncated));
  if (const std::size_t at = too_deep_at(text); at != std::string_view::npos)
    throw UsageError(fmt::format("{}: nested deeper than {} at {}; no warpmark wrote this", source, max_json_depth,
                                 place_of(text, at)));
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_discarded()) refuse(text, source, if_truncated);
  return parsed;
}

std::string shown(const nlohmann::json& value) {
  constexpr std::size_t limit = 60;
  if (value.is_structured() && !value.empty()) return value.is_array() ? "an array" : "an object";
  std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > limit) text = text.substr(0, limit - 3) + "...";
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\x7f'; }, '?');
  return text;
}

std::string line_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace warpmark
