// SPDX-License-Identifier: Apache-2.0
// Points in time as documents have them: by the date, and by the clock that readings and records share.
#pragma once

#include <string>

namespace warpmark {

/// Now, in UTC, by ISO 8601: "2026-11-30T05:30:00Z".
[[nodiscard]] std::string utc_now();

/// Seconds of CLOCK_MONOTONIC, which all processes of a machine share until it restarts.
[[nodiscard]] double monotonic_seconds();

}  // namespace warpmark
