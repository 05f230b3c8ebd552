// SPDX-License-Identifier: Apache-2.0
// What a person gets to read when something is refused.
#pragma once

#include <string>

#include "harness/core/error.h"

namespace warpmark {

/// The message of the UsageError that `act` throws; empty when it throws none. Other exceptions pass through and fail
/// the test.
template <class Act>
[[nodiscard]] std::string refusal(Act&& act) {
  try {
    act();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace warpmark
