// SPDX-License-Identifier: Apache-2.0
#include "embedded/landing_cuda_code.h"
#include "kernels/check/bind_check_cuda.h"
#include "kernels/check/landing.h"

namespace warpmark::cuda {
namespace {

Bound bind(Stream& stream, const ops::LandingCheck& op) {
  static const DeviceCode code(embedded::landing_cuda_code());
  const LoadedKernel kernel = check_kernel(code, stream, "landing", DType::u64);
  return {.launch = [kernel, op](Stream& s) { cuda_stream(s).launch(kernel, {}, op); }};
}

const Implements<ops::LandingCheck> check{{.id = {"cuda", "check", DType::u64}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cuda
