// SPDX-License-Identifier: Apache-2.0
// How long what depends on the kind of the host's memory takes: copies of it, and making it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpmark::fakes {

enum class HostKind : std::uint8_t { pageable, pinned, write_combined, registered };

/// As a scenario names them, in the order of HostKind.
inline constexpr std::array<std::string_view, 4> host_kind_names{"pageable", "pinned", "write_combined", "registered"};

/// So long, and the bytes at that rate on top.
struct CopyTruth {
  double latency_seconds = 0;
  double bandwidth = 1;

  [[nodiscard]] double seconds_of(std::size_t bytes) const {
    return latency_seconds + static_cast<double>(bytes) / bandwidth;
  }
};

/// By kind, in the order of HostKind. Empty: as `link_bandwidth` says, and memory is made at once.
struct HostMemoryTruth {
  std::array<std::optional<CopyTruth>, host_kind_names.size()> copies{};
  std::array<std::optional<CopyTruth>, host_kind_names.size()> making{};
};

}  // namespace warpmark::fakes
