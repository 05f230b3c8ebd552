// SPDX-License-Identifier: Apache-2.0
// NVTX ranges of the run: suite > benchmark > case > phase, all in the domain "warpmark" with registered strings, which
// is what nsys can start a capture on. Without NVTX's headers at build time, and for nobody who does not listen, they
// cost next to nothing.
#pragma once

#include <string_view>

namespace warpmark {

/// Whether this program was built with NVTX.
[[nodiscard]] bool nvtx_built_in();

/// Open from construction to destruction, on the calling thread.
class Range {
 public:
  explicit Range(std::string_view name);
  ~Range();  // NOLINT(performance-trivially-destructible): without NVTX it is, with it it is not
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

}  // namespace warpmark
