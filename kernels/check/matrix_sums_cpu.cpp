// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/matrix_sums.h"

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "kernels/check/check_cpu.h"

namespace warpmark::cpu {
namespace {

Bound bind(Stream&, const ops::MatrixSumsCheck& op) {
  return {.launch = [op](Stream& s) {
    const auto rounds = static_cast<double>(op.rounds);
    *op.out = largest(pool_of(s), op.n, [&](std::size_t i) {
      return std::abs(static_cast<double>(op.c[i]) - (i % 2 == 0 ? rounds : -rounds));
    });
  }};
}

// Results are f32 whatever the operands are.
const Implements<ops::MatrixSumsCheck> bf16{{.id = {"cpu", "check", DType::bf16}, .bind = bind}};
const Implements<ops::MatrixSumsCheck> i8{{.id = {"cpu", "check", DType::i8}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cpu
