// SPDX-License-Identifier: Apache-2.0
// Points in time as documents have them.
#pragma once

#include <string>

namespace warpmark {

/// Now, in UTC, by ISO 8601: "2026-11-30T05:30:00Z".
[[nodiscard]] std::string utc_now();

}  // namespace warpmark
