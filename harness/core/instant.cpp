// SPDX-License-Identifier: Apache-2.0
#include "harness/core/instant.h"

#include <fmt/chrono.h>

#include <ctime>

namespace warpmark {

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace warpmark
