// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/check_cuda.cuh"
#include "kernels/check/check_cuda.h"

namespace {

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language

template <class Bits>
__device__ void read(const ReadCheckParameters& p) {
  unsigned long long sum = 0;
  each_of_grid(p.op.n, [&](std::size_t i) { sum += static_cast<const Bits*>(p.op.x)[i]; });
  unsigned long long all = 0;
  if (fold_grid(sum, 0ULL, p.fold, Add{}, all) && threadIdx.x == 0)
    *p.op.out = *p.op.got == static_cast<Bits>(all * p.op.passes) ? 0 : 1;
}

template <class T>
__device__ void dot(const DotCheckParameters& p) {
  const AddLong add{};
  LongDouble sum = make_double2(0, 0);
  each_of_grid(p.op.n, [&](std::size_t i) {
    sum =
        add(sum, two_product(as_double(static_cast<const T*>(p.op.x)[i]), as_double(static_cast<const T*>(p.op.y)[i])));
  });
  LongDouble all = make_double2(0, 0);
  if (fold_grid(sum, make_double2(0, 0), p.fold, add, all) && threadIdx.x == 0)
    *p.op.out = fabs((*p.op.got - all.x) - all.y);
}

}  // namespace

WARPMARK_CHECK_KERNEL check_read_f64(const ReadCheckParameters p) { read<std::uint64_t>(p); }
WARPMARK_CHECK_KERNEL check_read_f32(const ReadCheckParameters p) { read<std::uint32_t>(p); }
WARPMARK_CHECK_KERNEL check_dot_f64(const DotCheckParameters p) { dot<double>(p); }
WARPMARK_CHECK_KERNEL check_dot_f32(const DotCheckParameters p) { dot<float>(p); }
