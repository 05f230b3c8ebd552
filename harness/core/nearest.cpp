// SPDX-License-Identifier: Apache-2.0
#include "harness/core/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <vector>

namespace warpmark {
namespace {

constexpr std::size_t longest_word = 256;  // distance costs the product of both lengths, and words come from outside

/// Optimal string alignment distance, three rows at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> older(b.size() + 1);
  std::vector<std::size_t> old(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) old[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({old[j] + 1, now[j - 1] + 1, old[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], older[j - 2] + 1);
    }
    older.swap(old);
    old.swap(now);
  }
  return old[b.size()];
}

std::string small_letters(std::string_view text) {
  std::string small(text.substr(0, longest_word));
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> choices) {
  std::string best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string& choice : choices) {
    const std::size_t d = distance(word.substr(0, longest_word), choice);
    if (d < least) {
      least = d;
      best = choice;
    }
  }
  return best;
}

std::string near_enough(std::string_view word, std::span<const std::string> choices) {
  const std::string small = small_letters(word);
  std::string best;
  std::size_t least = std::max<std::size_t>(2, small.size() / 3) + 1;
  for (const std::string& choice : choices) {
    const std::size_t d = distance(small, small_letters(choice));
    if (d >= least || 2 * d > std::max(small.size(), choice.size())) continue;
    least = d;
    best = choice;
  }
  return best;
}

}  // namespace warpmark
