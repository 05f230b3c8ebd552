// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/core_clock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace warpmark::cpu {

#if defined(__x86_64__)
namespace {

constexpr int chain = 4096;
constexpr double cycles_per_link = 3;

double chain_seconds() {
  std::uint64_t x = 3;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < chain / 8; ++i)
    asm volatile(
        "imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0"
        : "+r"(x));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::optional<double> core_clock_hz() {
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) shortest = std::min(shortest, chain_seconds());  // an interrupt only ever lengthens it
  return chain * cycles_per_link / shortest;
}
#else
std::optional<double> core_clock_hz() { return std::nullopt; }
#endif

}  // namespace warpmark::cpu
