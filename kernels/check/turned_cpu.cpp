// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/turned.h"

#include <array>
#include <limits>

#include "harness/backends/cpu/cpu_device.h"
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
Pair<T> turned(std::size_t start, std::size_t rounds) {
  constexpr auto angle = static_cast<T>(ops::fma_angle);
  Pair<T> pair{.u = static_cast<T>(ops::fma_start(start)), .v = static_cast<T>(ops::fma_other_start)};
  for (std::size_t round = 0; round < rounds; ++round) {
    pair.u = std::fma(angle, pair.v, pair.u);
    pair.v = std::fma(-angle, pair.u, pair.v);
  }
  return pair;
}

template <class T>
double off(const void* got, std::size_t i, T want) {
  const double distance = std::abs(static_cast<double>(static_cast<const T*>(got)[i]) - static_cast<double>(want));
  return distance / static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <class T>
Bound bind(Stream&, const ops::TurnedCheck& op) {
  return {.launch = [op](Stream& s) {
    std::array<Pair<T>, ops::fma_starts> right{};
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = turned<T>(i, op.rounds);
    *op.out = largest(pool_of(s), op.n, [&](std::size_t i) {
      const Pair<T>& want = right[i % right.size()];
      return larger_or_nan(off(op.u, i, want.u), off(op.v, i, want.v));
    });
  }};
}

const Implements<ops::TurnedCheck> f64{{.id = {"cpu", "check", DType::f64}, .bind = bind<double>}};
const Implements<ops::TurnedCheck> f32{{.id = {"cpu", "check", DType::f32}, .bind = bind<float>}};

}  // namespace
}  // namespace warpmark::cpu
