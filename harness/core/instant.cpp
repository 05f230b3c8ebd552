// SPDX-License-Identifier: Apache-2.0
#include "harness/core/instant.h"

#include <fmt/chrono.h>

#include <chrono>
#include <ctime>

namespace warpmark {

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace warpmark
