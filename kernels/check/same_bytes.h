// SPDX-License-Identifier: Apache-2.0
// The contract of the check of copies: how many bytes are not what they should be.
#pragma once

#include <cstddef>

namespace warpmark::ops {

struct SameBytesCheck {
  const void* got = nullptr;
  const void* wanted = nullptr;
  std::size_t n = 0;
  double* out = nullptr;
};

}  // namespace warpmark::ops
