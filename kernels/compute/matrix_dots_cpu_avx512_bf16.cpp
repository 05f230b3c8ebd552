// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "kernels/compute/matrix_cpu.h"
#include "kernels/compute/matrix_dots_cpu.h"

namespace warpmark::cpu {
namespace {

struct AddDots {
  // The instruction as it is: around the intrinsic g++ 12 copies every register.
  static __m512 add(__m512 sums, const __m512i& a, const __m512i& b) {
    asm("vdpbf16ps %1, %2, %0" : "+v"(sums) : "v"(a), "v"(b));
    return sums;
  }
  static __m512 to_f32(__m512 sums) { return sums; }
};

/// A small whole number's upper half is all of it.
std::uint16_t narrow(int value) {
  const auto wide = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &wide, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16U);
}

void sum_dots(float* c, std::size_t n, std::size_t rounds) {
  sum_up<AddDots, __m512>(Dots<std::uint16_t>(narrow, 0), c, n, rounds);
}

}  // namespace

constinit const MatrixLoop matrix_dots_bf16 = sum_dots;

}  // namespace warpmark::cpu
