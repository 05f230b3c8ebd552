// SPDX-License-Identifier: Apache-2.0
// How a device is kept while it is measured. Numbers of different regimes are different numbers: none is compared with
// another's.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/core/protocol.h"

namespace warpmark {

/// burst: as it comes, warmed for a moment. steady: warmed until its rate stays where it is. locked: at a clock that
/// somebody fixed.
enum class Regime : std::uint8_t { burst, steady, locked };

inline constexpr std::array regimes{Regime::burst, Regime::steady, Regime::locked};

[[nodiscard]] constexpr std::string_view name_of(Regime regime) {
  return regime == Regime::burst ? "burst" : regime == Regime::steady ? "steady" : "locked";
}

[[nodiscard]] constexpr std::optional<Regime> regime_named(std::string_view name) {
  for (const Regime regime : regimes)
    if (name_of(regime) == name) return regime;
  return std::nullopt;
}

/// A suite's protocol in that regime: steady warms up for 5 s at least, and until the rate has settled or 15 s are
/// over.
[[nodiscard]] constexpr Protocol protocol_in(Regime regime, Protocol protocol) {
  constexpr double least_seconds = 5, longest_seconds = 15;
  if (regime != Regime::steady) return protocol;
  protocol.min_warmup_seconds = std::max(protocol.min_warmup_seconds, least_seconds);
  protocol.max_warmup_seconds = std::max(protocol.max_warmup_seconds, longest_seconds);
  return protocol;
}

}  // namespace warpmark
