// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/core/nearest.h"
#include "harness/core/printable.h"

namespace warpmark {
namespace {

std::string all_of(std::span<const std::string> choices) {
  if (choices.empty()) return "there is none";
  if (choices.size() == 1) return "there is " + choices.front();
  return fmt::format("there are {} and {}", fmt::join(choices.first(choices.size() - 1), ", "), choices.back());
}

}  // namespace

std::string as_typed(std::string_view word) {
  const bool is_plain = !word.empty() && word.find_first_of(" '") == std::string_view::npos;
  return is_plain ? printable(word) : fmt::format("'{}'", printable(word));
}

std::string did_you_mean(std::string_view word, std::span<const std::string> choices, std::string_view otherwise) {
  const std::string near = near_enough(word, choices);
  return near.empty() ? std::string(otherwise) : fmt::format("did you mean {}?", near);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> choices) {
  return did_you_mean(word, choices, all_of(choices));
}

}  // namespace warpmark
