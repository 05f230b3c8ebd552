// SPDX-License-Identifier: Apache-2.0
// What a fuzzer holds against the product, beyond that it does not crash.
#pragma once

#include <optional>
#include <stdexcept>
#include <string_view>

#include "harness/core/error.h"

namespace warpmark {

/// A property that does not hold.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Broken with `what` unless it holds.
void expect(bool holds, std::string_view what);

/// Throws Broken unless a text is such as a person can be told: not empty, on one line, nothing in it that steers a
/// terminal.
void expect_sentence(std::string_view text);

/// The same for text of many lines.
void expect_harmless(std::string_view text);

/// What the step returns; empty where it refuses its input in a sentence.
template <class Refusal = UsageError, class Step>
auto unless_refused(Step&& step) -> std::optional<decltype(step())> {
  try {
    return step();
  } catch (const Refusal& refusal) {
    expect_sentence(refusal.what());
    return std::nullopt;
  }
}

}  // namespace warpmark
