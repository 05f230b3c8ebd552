// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/check_cuda.cuh"
#include "kernels/check/same_bytes_cuda.h"

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernel is of the C language

WARPMARK_CHECK_KERNEL check_same_bytes_u8(const SameBytesParameters p) {
  const auto* const got = static_cast<const unsigned char*>(p.op.got);
  const auto* const wanted = static_cast<const unsigned char*>(p.op.wanted);
  unsigned long long differences = 0;
  each_of_grid(p.op.n, [&](std::size_t i) { differences += got[i] == wanted[i] ? 0 : 1; });
  unsigned long long all = 0;
  if (fold_grid(differences, 0ULL, p.fold, Add{}, all) && threadIdx.x == 0) *p.op.out = static_cast<double>(all);
}
