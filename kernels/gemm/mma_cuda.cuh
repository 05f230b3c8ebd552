// SPDX-License-Identifier: Apache-2.0
// The matrix unit's instruction, from compute capability 8.0 on. The one place that has it, so that a simulated device
// can do the same by the warp's shuffles.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace warpmark::cuda {

// c[16 x 8] += a[16 x 16] b[16 x 8] by a warp. Of lane 4 g + t, c[i] is row g + 8 (i / 2), column 2 t + i % 2; a[r]
// holds row g + 8 (r % 2), columns 2 t + 8 (r / 2) and the next; b[r] holds column g, rows 2 t + 8 r and the next.
#ifdef __CUDACC__
#define WARPMARK_UNROLL _Pragma("unroll")

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class T>
__device__ void mma_m16n8k16(float (&)[4], const unsigned (&)[4], const unsigned (&)[2]) {
  __trap();  // whoever launches such a kernel is to ask first
}
#else
template <class T>
__device__ void mma_m16n8k16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]);

#define WARPMARK_MMA(T, type)                                                                                   \
  template <>                                                                                                   \
  __device__ __forceinline__ void mma_m16n8k16<T>(float(&c)[4], const unsigned(&a)[4], const unsigned(&b)[2]) { \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type                                         \
                 ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                   \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                               \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                           \
  }
WARPMARK_MMA(__half, "f16")
WARPMARK_MMA(__nv_bfloat16, "bf16")
#undef WARPMARK_MMA
#endif

#else
#define WARPMARK_UNROLL

template <class T>
void unpack(unsigned both, float* to) {
  T halves[2];
  __builtin_memcpy(static_cast<void*>(halves), &both, sizeof both);
  for (int i = 0; i < 2; ++i) to[i] = static_cast<float>(halves[i]);
}

template <class T>
void mma_m16n8k16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  const int group = static_cast<int>(threadIdx.x % 32 / 4);
  const int place = static_cast<int>(threadIdx.x % 4);
  float rows[2][16];
  float columns[2][16];
  for (int from = 0; from < 4; ++from) {
    for (int r = 0; r < 4; ++r) unpack<T>(__shfl_sync(~0U, a[r], group * 4 + from), &rows[r % 2][2 * from + r / 2 * 8]);
    for (int r = 0; r < 4; ++r)
      unpack<T>(__shfl_sync(~0U, b[r % 2], (2 * place + r / 2) * 4 + from), &columns[r / 2][2 * from + r % 2 * 8]);
  }
  for (int i = 0; i < 4; ++i)
    for (int l = 0; l < 16; ++l) c[i] += rows[i / 2][l] * columns[i % 2][l];
}

#endif

}  // namespace warpmark::cuda
