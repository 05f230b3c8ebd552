// SPDX-License-Identifier: Apache-2.0
// What write, copy, scale and triad have in common: a[i] of s, b[i] and c[i], as far as the operation has them.
#pragma once

#include <cstddef>

#include "kernels/memory/copy.h"
#include "kernels/memory/scale.h"
#include "kernels/memory/triad.h"
#include "kernels/memory/write.h"

namespace warpmark::ops {

struct MapOperands {
  void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  double s = 0;
  std::size_t n = 0;
  std::size_t passes = 1;
};

[[nodiscard]] inline MapOperands operands(const Write& op) {
  return {.a = op.a, .s = op.s, .n = op.n, .passes = op.passes};
}
[[nodiscard]] inline MapOperands operands(const Copy& op) {
  return {.a = op.a, .b = op.b, .n = op.n, .passes = op.passes};
}
[[nodiscard]] inline MapOperands operands(const Scale& op) {
  return {.a = op.a, .b = op.b, .s = op.s, .n = op.n, .passes = op.passes};
}
[[nodiscard]] inline MapOperands operands(const Triad& op) {
  return {.a = op.a, .b = op.b, .c = op.c, .s = op.s, .n = op.n, .passes = op.passes};
}

}  // namespace warpmark::ops
