// SPDX-License-Identifier: Apache-2.0
#include "kernels/compute/matrix_cpu.h"
#include "kernels/compute/matrix_dots_cpu.h"

namespace warpmark::cpu {
namespace {

struct AddDots {
  // The instruction as it is: around the intrinsic g++ 12 copies every register. It takes B as numbers without a sign.
  static __m512i add(__m512i sums, const __m512i& a, const __m512i& b) {
    asm("vpdpbusd %1, %2, %0" : "+v"(sums) : "v"(a), "v"(b));
    return sums;
  }
  // The intrinsic for it begins with a vector that g++ 12 warns of as uninitialised.
  static __m512 to_f32(__m512i sums) { return __builtin_convertvector(__builtin_bit_cast(Numbers, sums), __m512); }

 private:
  using Numbers [[gnu::vector_size(64)]] = int;
};

void sum_dots(float* c, std::size_t n, std::size_t rounds) {
  constexpr int least_b = -2;
  sum_up<AddDots, __m512i>(Dots<signed char>([](int value) { return static_cast<signed char>(value); }, least_b), c, n,
                           rounds);
}

}  // namespace

constinit const MatrixLoop matrix_dots_i8 = sum_dots;

}  // namespace warpmark::cpu
