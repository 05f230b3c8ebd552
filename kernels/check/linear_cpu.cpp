// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "kernels/check/check_cpu.h"
#include "kernels/check/linear.h"

namespace warpmark::cpu {
namespace {

template <class T>
double distance(const ops::LinearCheck& op, std::size_t i) {
  const double first = op.x == nullptr ? op.alpha : op.alpha * static_cast<double>(static_cast<const T*>(op.x)[i]);
  const double second = op.y == nullptr ? 0 : op.beta * static_cast<double>(static_cast<const T*>(op.y)[i]);
  const double off = std::abs(static_cast<double>(static_cast<const T*>(op.got)[i]) - (first + second));
  const double scale = static_cast<double>(std::numeric_limits<T>::epsilon()) * (std::abs(first) + std::abs(second));
  return off == 0 ? 0 : off / scale;  // 0 / 0 is a right 0; anything else over 0 is infinitely wrong
}

template <class T>
Bound bind(Stream&, const ops::LinearCheck& op) {
  return {.launch = [op](Stream& s) {
    *op.out = largest(pool_of(s), op.n, [&op](std::size_t i) { return distance<T>(op, i); });
  }};
}

const Implements<ops::LinearCheck> f64{{.id = {"cpu", "check", DType::f64}, .bind = bind<double>}};
const Implements<ops::LinearCheck> f32{{.id = {"cpu", "check", DType::f32}, .bind = bind<float>}};

}  // namespace
}  // namespace warpmark::cpu
