// SPDX-License-Identifier: Apache-2.0
#include "embedded/same_bytes_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/same_bytes.h"

namespace warpmark::cuda {
namespace {

Bound bind(Stream& stream, const ops::SameBytesCheck& op) {
  static const DeviceCode code(embedded::same_bytes_cuda_code());
  return bind_check(code, stream, op, "same_bytes", DType::u8);
}

const Implements<ops::SameBytesCheck> check{{.id = {"cuda", "check", DType::u8}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cuda
