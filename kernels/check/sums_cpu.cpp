// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/sums.h"

#include <cstring>
#include <type_traits>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "kernels/check/check_cpu.h"

namespace warpmark::cpu {
namespace {

/// The sum of value(i) for i < n, over all threads.
template <class Sum, class Value>
Sum sum_of(ThreadPool& pool, std::size_t n, const Value& value) {
  std::vector<Sum> sums(pool.size(), 0);
  pool.run([&](std::size_t index, std::size_t count) {
    const Part part = part_of(n, 1, index, count);
    Sum mine = 0;
    for (std::size_t i = part.begin; i < part.end; ++i) mine += value(i);
    sums[index] = mine;
  });
  Sum all = 0;
  for (const Sum each : sums) all += each;
  return all;
}

template <class Bits>
Bound bind_read(Stream&, const ops::ReadCheck& op) {
  return {.launch = [op](Stream& s) {
    const auto once = sum_of<std::uint64_t>(pool_of(s), op.n, [&op](std::size_t i) {
      Bits bits{};
      std::memcpy(&bits, static_cast<const Bits*>(op.x) + i, sizeof bits);
      return std::uint64_t{bits};
    });
    *op.out = *op.got == static_cast<Bits>(once * op.passes) ? 0 : 1;
  }};
}

template <class T>
Bound bind_dot(Stream&, const ops::DotCheck& op) {
  return {.launch = [op](Stream& s) {
    const auto once = sum_of<long double>(pool_of(s), op.n, [&op](std::size_t i) {
      return static_cast<long double>(static_cast<const T*>(op.x)[i]) * static_cast<const T*>(op.y)[i];
    });
    *op.out = std::abs(*op.got - static_cast<double>(once));
  }};
}

const Implements<ops::ReadCheck> read_f64{{.id = {"cpu", "check", DType::f64}, .bind = bind_read<std::uint64_t>}};
const Implements<ops::ReadCheck> read_f32{{.id = {"cpu", "check", DType::f32}, .bind = bind_read<std::uint32_t>}};
const Implements<ops::DotCheck> dot_f64{{.id = {"cpu", "check", DType::f64}, .bind = bind_dot<double>}};
const Implements<ops::DotCheck> dot_f32{{.id = {"cpu", "check", DType::f32}, .bind = bind_dot<float>}};

}  // namespace
}  // namespace warpmark::cpu
