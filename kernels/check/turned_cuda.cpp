// SPDX-License-Identifier: Apache-2.0
#include "embedded/turned_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/turned.h"

namespace warpmark::cuda {
namespace {

template <DType dtype>
Bound bind(Stream& stream, const ops::TurnedCheck& op) {
  static const DeviceCode code(embedded::turned_cuda_code());
  return bind_check(code, stream, op, "turned", dtype);
}

const Implements<ops::TurnedCheck> f64{{.id = {"cuda", "check", DType::f64}, .bind = bind<DType::f64>}};
const Implements<ops::TurnedCheck> f32{{.id = {"cuda", "check", DType::f32}, .bind = bind<DType::f32>}};
const Implements<ops::TurnedCheck> f16{{.id = {"cuda", "check", DType::f16}, .bind = bind<DType::f16>}};
const Implements<ops::TurnedCheck> bf16{{.id = {"cuda", "check", DType::bf16}, .bind = bind<DType::bf16>}};
const Implements<ops::TurnedCheck> i32{{.id = {"cuda", "check", DType::i32}, .bind = bind<DType::i32>}};

}  // namespace
}  // namespace warpmark::cuda
