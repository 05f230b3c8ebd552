// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/gemv.h"

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/f16.h"
#include "harness/core/kernel.h"
#include "kernels/check/check_cpu.h"

namespace warpmark::cpu {
namespace {

double weight_at(const ops::GemvCheck& check, std::size_t row, std::size_t column) {
  const std::size_t at = row * check.op.columns + column;
  const auto* const scales = static_cast<const float*>(check.op.scales);
  switch (check.weights) {
    case ops::Weights::w16: return static_cast<double>(static_cast<const F16*>(check.op.w)[at]);
    case ops::Weights::w8: return static_cast<const std::int8_t*>(check.op.w)[at] * static_cast<double>(scales[row]);
    case ops::Weights::w4: break;
  }
  const std::size_t place = at % 32;
  const unsigned both = static_cast<const std::uint8_t*>(check.op.w)[at / 32 * 16 + place % 16];
  const int value = static_cast<int>(place < 16 ? both & 15U : both >> 4U) - 8;
  return value * static_cast<double>(scales[at / ops::gemv_group]);
}

double distance(const ops::GemvCheck& check, std::size_t row) {
  const auto* const x = static_cast<const float*>(check.op.x);
  double want = 0, squares = 0;
  for (std::size_t column = 0; column < check.op.columns; ++column) {
    const double product = weight_at(check, row, column) * static_cast<double>(x[column]);
    want += product;
    squares += product * product;
  }
  const double off = std::abs(static_cast<double>(static_cast<const float*>(check.op.y)[row]) - want);
  const double allowed = 0x1p-23 * (std::abs(want) + std::sqrt(squares * static_cast<double>(check.op.columns)));
  return off == 0 ? 0 : off / allowed;
}

Bound bind(Stream&, const ops::GemvCheck& op) {
  return {.launch = [op](Stream& s) {
    *op.out = largest(pool_of(s), op.n, [&op](std::size_t row) { return distance(op, row); });
  }};
}

const Implements<ops::GemvCheck> f32{{.id = {"cpu", "check", DType::f32}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cpu
