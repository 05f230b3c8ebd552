// SPDX-License-Identifier: Apache-2.0
#include "embedded/linear_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/check_cuda.h"

namespace warpmark::cuda {
namespace {

template <DType dtype>
Bound bind(Stream& stream, const ops::LinearCheck& op) {
  static const DeviceCode code(embedded::linear_cuda_code());
  return bind_check(code, stream, op, "linear", dtype);
}

const Implements<ops::LinearCheck> f64{{.id = {"cuda", "check", DType::f64}, .bind = bind<DType::f64>}};
const Implements<ops::LinearCheck> f32{{.id = {"cuda", "check", DType::f32}, .bind = bind<DType::f32>}};

}  // namespace
}  // namespace warpmark::cuda
