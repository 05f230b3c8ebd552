// SPDX-License-Identifier: Apache-2.0
#include "embedded/launched_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/launched.h"

namespace warpmark::cuda {
namespace {

Bound bind(Stream& stream, const ops::LaunchedCheck& op) {
  static const DeviceCode code(embedded::launched_cuda_code());
  const LoadedKernel kernel = check_kernel(code, stream, "launched", DType::u8);
  return {.launch = [kernel, op](Stream& s) { cuda_stream(s).launch(kernel, {}, op); }};
}

const Implements<ops::LaunchedCheck> check{{.id = {"cuda", "check", DType::u8}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cuda
