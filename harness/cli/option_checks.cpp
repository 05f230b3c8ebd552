// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/option_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "harness/cli/suggestion.h"
#include "harness/cli/suites.h"
#include "harness/core/error.h"
#include "harness/core/pattern.h"

namespace warpmark {
namespace {

/// A check from a function that returns what is wrong, or nothing.
template <class Complaint>
CLI::Validator check(Complaint complaint_about) {
  // The description stays empty: CLI11 would add it to the name of the value.
  return CLI::Validator([complaint_about](std::string& text) -> std::string { return complaint_about(text); }, "");
}

template <class Number>
bool parse_all(const std::string& text, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size();
}

std::optional<double> seconds_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{{{"min", 60}, {"h", 3600}, {"m", 60}, {"s", 1}}};
  double factor = 1;
  for (const auto& [name, seconds] : units) {
    if (!text.ends_with(name)) continue;
    text.remove_suffix(name.size());
    factor = seconds;
    break;
  }
  double number = 0;
  if (!parse_all(std::string(text), number)) return std::nullopt;
  return number * factor;
}

}  // namespace

CLI::Validator one_of(std::string kind, std::vector<std::string> names) {
  return check([kind = std::move(kind), names = std::move(names)](const std::string& text) {
    for (const std::string& name : names)
      if (name == text) return std::string();
    return fmt::format("there is no {} {}; {}", kind, as_typed(text), did_you_mean(text, names));
  });
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return check([least, most](const std::string& text) {
    std::uint64_t number = 0;
    if (parse_all(text, number) && number >= least && number <= most) return std::string();
    return fmt::format("{} is not a whole number from {} to {}", as_typed(text), least, most);
  });
}

CLI::Validator duration_in_seconds() {
  constexpr auto turn = [](std::string& text) {
    constexpr double most = 30 * 86400;
    const auto seconds = seconds_of(text);
    if (!seconds || !(*seconds > 0) || *seconds > most)
      return fmt::format("{} is no duration such as 90, 90s, 5m or 1h, more than 0 and at most {:.0f} s",
                         as_typed(text), most);
    text = fmt::format("{}", *seconds);
    return std::string();
  };
  return {turn, ""};
}

CLI::Validator regular_expression() {
  return check([](const std::string& text) {
    constexpr std::size_t longest = 1000;  // the library's compiler is recursive
    if (text.size() > longest) return fmt::format("is longer than {} characters", longest);
    try {
      (void)pattern_of(text);
      return std::string();
    } catch (const std::regex_error& error) {
      return fmt::format("{} is not a regular expression: {}", as_typed(text), error.what());
    }
  });
}

CLI::Validator key_value() {
  return check([](const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals != 0 && equals != std::string::npos) return std::string();
    return fmt::format("{} has to be KEY=VALUE, such as rack=7", as_typed(text));
  });
}

CLI::Validator not_empty(std::string what) {
  return check([what = std::move(what)](const std::string& text) {
    return text.empty() ? fmt::format("needs {}; what it was given is empty", what) : std::string();
  });
}

CLI::Validator suite_or_file(const Context& context) {
  return check([&context](const std::string& text) {
    const std::vector<std::string> names = suite_names(context);
    if (is_suite_file(text) || std::find(names.begin(), names.end(), text) != names.end()) return std::string();
    return fmt::format("there is no suite {}; {} (`warpmark list suites`); a file of your own has to end in .json",
                       as_typed(text), did_you_mean(text, names));
  });
}

void offer_one_of(CommandLine& line, CLI::Option& option, std::string kind, std::vector<std::string> names) {
  option.check(one_of(std::move(kind), names));
  line.offers[&option].words = std::move(names);
}

std::map<std::string, std::string> pairs_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> pairs;
  for (const std::string& text : texts) {
    const std::string key = text.substr(0, text.find('='));
    const auto [pair, is_new] = pairs.emplace(key, text.substr(key.size() + 1));
    if (!is_new)
      throw UsageError(fmt::format("--label {} is given twice, as {} and as {}", as_typed(key), as_typed(pair->second),
                                   as_typed(text.substr(key.size() + 1))));
  }
  return pairs;
}

}  // namespace warpmark
