// SPDX-License-Identifier: Apache-2.0
// The contract of read: every element of x is loaded once a pass, and proves it by going into a sum of their bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::ops {

/// *sum = passes * (x[0] + ... + x[n-1]), where x[i] are the elements' bits as unsigned integers of their size, modulo
/// two to the number of those bits. Integers, because their sum is exact in any order.
struct Read {
  const void* x = nullptr;
  std::size_t n = 0;
  std::size_t passes = 1;
  std::uint64_t* sum = nullptr;
};

}  // namespace warpmark::ops
