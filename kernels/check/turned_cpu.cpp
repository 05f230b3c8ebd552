// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/turned.h"

#include <array>
#include <cmath>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/f16.h"
#include "harness/core/kernel.h"
#include "kernels/check/check_cpu.h"

namespace warpmark::cpu {
namespace {

template <class T>
struct Pair {
  T u{};
  T v{};
};

template <class T>
T fused(T a, T b, T c) {
  return std::fma(a, b, c);
}
/// f64 holds product and sum of two such numbers, so this rounds once.
template <>
F16 fused(F16 a, F16 b, F16 c) {
  return F16(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

template <class T>
Pair<T> turned(std::size_t start, std::size_t rounds) {
  const auto angle = static_cast<T>(ops::fma_angle);
  const auto minus_angle = static_cast<T>(-ops::fma_angle);
  Pair<T> pair{.u = static_cast<T>(ops::fma_start(start)), .v = static_cast<T>(ops::fma_other_start)};
  for (std::size_t round = 0; round < rounds; ++round) {
    pair.u = fused(angle, pair.v, pair.u);
    pair.v = fused(minus_angle, pair.u, pair.v);
  }
  return pair;
}

template <class T>
double off(const void* got, std::size_t i, T want, double epsilon) {
  const double distance = std::abs(static_cast<double>(static_cast<const T*>(got)[i]) - static_cast<double>(want));
  return distance / epsilon;
}

template <class T, DType dtype>
Bound bind(Stream&, const ops::TurnedCheck& op) {
  return {.launch = [op](Stream& s) {
    std::array<Pair<T>, ops::fma_starts> right{};
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = turned<T>(i, op.rounds);
    *op.out = largest(pool_of(s), op.n, [&](std::size_t i) {
      const Pair<T>& want = right[i % right.size()];
      return larger_or_nan(off(op.u, i, want.u, epsilon_of(dtype)), off(op.v, i, want.v, epsilon_of(dtype)));
    });
  }};
}

const Implements<ops::TurnedCheck> f64{{.id = {"cpu", "check", DType::f64}, .bind = bind<double, DType::f64>}};
const Implements<ops::TurnedCheck> f32{{.id = {"cpu", "check", DType::f32}, .bind = bind<float, DType::f32>}};
const Implements<ops::TurnedCheck> f16{{.id = {"cpu", "check", DType::f16}, .bind = bind<F16, DType::f16>}};

}  // namespace
}  // namespace warpmark::cpu
