// SPDX-License-Identifier: Apache-2.0
#include "embedded/sums_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/check_cuda.h"

namespace warpmark::cuda {
namespace {

const DeviceCode& code() {
  static const DeviceCode own(embedded::sums_cuda_code());
  return own;
}

template <DType dtype>
Bound bind_read(Stream& stream, const ops::ReadCheck& op) {
  return bind_check(code(), stream, op, "read", dtype);
}

template <DType dtype>
Bound bind_dot(Stream& stream, const ops::DotCheck& op) {
  return bind_check(code(), stream, op, "dot", dtype);
}

const Implements<ops::ReadCheck> read_f64{{.id = {"cuda", "check", DType::f64}, .bind = bind_read<DType::f64>}};
const Implements<ops::ReadCheck> read_f32{{.id = {"cuda", "check", DType::f32}, .bind = bind_read<DType::f32>}};
const Implements<ops::DotCheck> dot_f64{{.id = {"cuda", "check", DType::f64}, .bind = bind_dot<DType::f64>}};
const Implements<ops::DotCheck> dot_f32{{.id = {"cuda", "check", DType::f32}, .bind = bind_dot<DType::f32>}};

}  // namespace
}  // namespace warpmark::cuda
