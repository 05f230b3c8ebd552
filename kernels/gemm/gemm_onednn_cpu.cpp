// SPDX-License-Identifier: Apache-2.0
// The matrix product of oneDNN, through its C interface, which is the same in 2.x and 3.x.
#include <dnnl.h>

#include <string>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/error.h"
#include "harness/core/kernel.h"
#include "kernels/gemm/gemm.h"

namespace warpmark::cpu {
namespace {

void multiply(const ops::Gemm& op) {
  const auto m = static_cast<dnnl_dim_t>(op.m);
  const auto n = static_cast<dnnl_dim_t>(op.n);
  const auto k = static_cast<dnnl_dim_t>(op.k);
  const dnnl_status_t status = dnnl_sgemm('N', 'N', m, n, k, 1.0F, static_cast<const float*>(op.a), k,
                                          static_cast<const float*>(op.b), n, 0.0F, static_cast<float*>(op.c), n);
  if (status != dnnl_success) throw Error("dnnl_sgemm failed with status " + std::to_string(status));
}

std::string version() {
  const dnnl_version_t* const v = dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

Bound bind(Stream& stream, const ops::Gemm& op) {
  // OpenMP starts its threads at the first call, on the CPUs that the calling thread may use at that moment: all, not
  // the one it is pinned to.
  const Unpinned everywhere(pool_of(stream));
  multiply(op);
  return {.launch = [op](Stream&) { multiply(op); },
          .about = {{"library", "oneDNN " + version()}, {"threads", pool_of(stream).size()}}};
}

const Implements<ops::Gemm> f32{{.id = {"cpu", "onednn", DType::f32}, .bind = bind}};

}  // namespace
}  // namespace warpmark::cpu
