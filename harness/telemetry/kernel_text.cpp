// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/kernel_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace warpmark {
namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

std::optional<std::int64_t> integer_in(const std::optional<std::string>& text) {
  return text ? integer(std::string_view(*text)) : std::nullopt;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{} || stopped != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::vector<int>> cpu_list(std::string_view text) {
  constexpr std::int64_t most = 65536;  // a hostile "0-999999999999" must not fill the memory
  std::vector<int> cpus;
  text = trim(text);
  if (text.empty()) return cpus;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = integer(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= most) return std::nullopt;
    for (std::int64_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
    if (static_cast<std::int64_t>(cpus.size()) > most) return std::nullopt;
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string cpu_list_text(const std::vector<int>& sorted) {
  std::string text;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t last = i;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(sorted[i]);
    if (last > i) text += '-' + std::to_string(sorted[last]);
    i = last + 1;
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return parts;
    text.remove_prefix(first);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<std::string_view> value_of(std::string_view text, std::string_view key, char separator) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t end = line.find(separator);
    if (end != std::string_view::npos && trim(line.substr(0, end)) == key) return trim(line.substr(end + 1));
  }
  return std::nullopt;
}

std::optional<std::int64_t> kib_line_bytes(std::string_view text, std::string_view key) {
  const auto parts = words(value_of(text, key, ':').value_or(""));
  const auto kib = parts.size() == 2 && parts[1] == "kB" ? integer(parts[0]) : std::nullopt;
  if (!kib || *kib < 0 || *kib >= std::int64_t{1} << 50) return std::nullopt;
  return *kib * 1024;
}

std::optional<std::string> chosen(std::string_view text) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  return std::string(text.substr(open + 1, close - open - 1));
}

}  // namespace warpmark
