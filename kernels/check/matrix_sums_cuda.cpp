// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/matrix_sums.h"

#include "embedded/matrix_sums_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"

namespace warpmark::cuda {
namespace {

Bound bind(Stream& stream, const ops::MatrixSumsCheck& op) {
  static const DeviceCode code(embedded::matrix_sums_cuda_code());
  return bind_check(code, stream, op, "matrix_sums", DType::f32);  // whatever the operands are
}

const Implements<ops::MatrixSumsCheck> f64{{.id = {"cuda", "check", DType::f64}, .bind = bind}};
const Implements<ops::MatrixSumsCheck> f32{{.id = {"cuda", "check", DType::f32}, .bind = bind}};
const Implements<ops::MatrixSumsCheck> f16{{.id = {"cuda", "check", DType::f16}, .bind = bind}};
const Implements<ops::MatrixSumsCheck> bf16{{.id = {"cuda", "check", DType::bf16}, .bind = bind}};
const Implements<ops::MatrixSumsCheck> e4m3{{.id = {"cuda", "check", DType::e4m3}, .bind = bind}};
const Implements<ops::MatrixSumsCheck> i8{{.id = {"cuda", "check", DType::i8}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cuda
