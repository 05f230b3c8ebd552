// SPDX-License-Identifier: Apache-2.0
// gemv of weights of f16 as a matrix product of cublasLt with one row.
#include "harness/core/kernel.h"
#include "kernels/gemm/cublaslt_plan_cuda.h"
#include "kernels/gemv/gemv.h"

namespace warpmark::cuda {
namespace {

/// x is a row of A, and W lies as B does where it is transposed.
Bound bind(Stream& stream, const ops::Gemv& op) {
  return bind_plan(cuda_stream(stream), recipe_of_f16_tn, Choice::fastest,
                   {.c = op.y, .a = op.x, .b = op.w, .m = 1, .n = op.rows, .k = op.columns});
}

const Implements<ops::Gemv> w16{{.id = {"cuda", "w16-cublaslt", DType::f16}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cuda
