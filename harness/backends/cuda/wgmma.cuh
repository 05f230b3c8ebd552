// SPDX-License-Identifier: Apache-2.0
// Products of a warpgroup, as chips of compute capability 9.0 have them: both operands lie in shared memory, the sums
// in registers, and the unit works on while the warps go on. The one place that has these instructions, so that a
// simulated device can do the same in plain code.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

namespace warpmark::cuda {

inline constexpr unsigned warpgroup_threads = 128;
inline constexpr unsigned wgmma_rows = 64;
inline constexpr unsigned wgmma_columns = 240;
/// Of each row of A and column of B in one instruction, whatever the type.
inline constexpr unsigned wgmma_depth_bytes = 32;
/// Of a thread. Of warp w of the group and lane 4 g + t, c[4 j + i] is in row 16 w + g + 8 (i / 2) and column
/// 8 j + 2 t + i % 2.
inline constexpr unsigned wgmma_sums = wgmma_rows * wgmma_columns / warpgroup_threads;

/// Where byte `at` of a row of A, or of a column of B, lies in a tile: in blocks of eight rows of 16 bytes, which are
/// neighbours along the depth.
[[nodiscard]] __device__ __forceinline__ unsigned wgmma_offset(unsigned row, unsigned at) {
  return (row / 8 * 2 + at / 16) * 128 + row % 8 * 16 + at % 16;
}

#if defined(__CUDACC__)

/// A tile in shared memory, as the instruction takes it. Its address is a multiple of 16.
class SharedTile {
 public:
  __device__ explicit SharedTile(const void* tile) {
    constexpr std::uint64_t next_along_depth = 128;
    constexpr std::uint64_t next_rows = 256;
    const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(tile));
    bits_ = (address & 0x3ffff) >> 4 | next_along_depth >> 4 << 16 | next_rows >> 4 << 32;
  }
  [[nodiscard]] __device__ std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t bits_;
};

/// What threads have written to shared memory the unit sees after this, and a barrier.
__device__ __forceinline__ void wgmma_show_tiles() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// Before the first product, whose sums other instructions have written.
__device__ __forceinline__ void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
/// Ends a group of products.
__device__ __forceinline__ void wgmma_end_group() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Until at most so many groups are under way.
template <int groups>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
}

#define WARPMARK_SUMS_8(q, c, i) \
  q(c[i]), q(c[i + 1]), q(c[i + 2]), q(c[i + 3]), q(c[i + 4]), q(c[i + 5]), q(c[i + 6]), q(c[i + 7])
#define WARPMARK_SUMS_40(q, c, i)                                                            \
  WARPMARK_SUMS_8(q, c, i), WARPMARK_SUMS_8(q, c, (i) + 8), WARPMARK_SUMS_8(q, c, (i) + 16), \
      WARPMARK_SUMS_8(q, c, (i) + 24), WARPMARK_SUMS_8(q, c, (i) + 32)
#define WARPMARK_SUMS_120(q, c) WARPMARK_SUMS_40(q, c, 0), WARPMARK_SUMS_40(q, c, 40), WARPMARK_SUMS_40(q, c, 80)
#define WARPMARK_SUM_NAMES                                                                                             \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "                         \
  "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, "               \
  "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, "               \
  "%60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "               \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, "               \
  "%100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, " \
  "%119"
/// c += A B. `flags` keep operands as they are: their signs, and where there is a choice their order.
#define WARPMARK_WGMMA(name, shape, type, sum, constraint, flags)                                                     \
  struct name {                                                                                                       \
    using Sum = sum;                                                                                                  \
    static __device__ __forceinline__ void multiply(sum (&c)[wgmma_sums], const SharedTile& a, const SharedTile& b) { \
      asm volatile("{\n.reg .pred adds;\nsetp.eq.u32 adds, 0, 0;\nwgmma.mma_async.sync.aligned." shape "." type       \
                   " {" WARPMARK_SUM_NAMES "}, %120, %121, adds" flags ";\n}\n"                                       \
                   : WARPMARK_SUMS_120(constraint, c)                                                                 \
                   : "l"(a.bits()), "l"(b.bits()));                                                                   \
    }                                                                                                                 \
  };
WARPMARK_WGMMA(WgmmaF16, "m64n240k16", "f32.f16.f16", float, "+f", ", 1, 1, 0, 0")
WARPMARK_WGMMA(WgmmaBf16, "m64n240k16", "f32.bf16.bf16", float, "+f", ", 1, 1, 0, 0")
WARPMARK_WGMMA(WgmmaTf32, "m64n240k8", "f32.tf32.tf32", float, "+f", ", 1, 1")
WARPMARK_WGMMA(WgmmaE4m3, "m64n240k32", "f32.e4m3.e4m3", float, "+f", ", 1, 1")
WARPMARK_WGMMA(WgmmaI8, "m64n240k32", "s32.s8.s8", int, "+r", "")
#undef WARPMARK_WGMMA
#undef WARPMARK_SUM_NAMES
#undef WARPMARK_SUMS_120
#undef WARPMARK_SUMS_40
#undef WARPMARK_SUMS_8

#else
// A simulated device.
class SharedTile {
 public:
  explicit SharedTile(const unsigned char* tile) : tile_(tile) {}
  /// Element `index` of a row of A, or of a column of B.
  template <class T>
  [[nodiscard]] float element(unsigned row, unsigned index) const {
    T element;
    __builtin_memcpy(static_cast<void*>(&element), tile_ + wgmma_offset(row, index * sizeof(T)), sizeof element);
    return static_cast<float>(element);
  }

 private:
  const unsigned char* tile_;
};

inline void wgmma_show_tiles() {}
inline void wgmma_begin() {}
inline void wgmma_end_group() {}
template <int groups>
void wgmma_wait() {}

template <class T, class S>
struct Wgmma {
  using Sum = S;
  static void multiply(Sum (&c)[wgmma_sums], const SharedTile& a, const SharedTile& b) {
    constexpr unsigned depth = wgmma_depth_bytes / sizeof(T);
    const unsigned lane = threadIdx.x % 32;
    const unsigned first_row = threadIdx.x % warpgroup_threads / 32 * 16 + lane / 4;
    for (unsigned r = 0; r < wgmma_sums; ++r) {
      const unsigned row = first_row + r % 4 / 2 * 8;
      const unsigned column = r / 4 * 8 + lane % 4 * 2 + r % 2;
      float gain = 0;
      for (unsigned k = 0; k < depth; ++k) gain += a.element<T>(row, k) * b.element<T>(column, k);
      c[r] += static_cast<Sum>(gain);
    }
  }
};
using WgmmaF16 = Wgmma<__half, float>;
using WgmmaBf16 = Wgmma<__nv_bfloat16, float>;
using WgmmaTf32 = Wgmma<float, float>;
using WgmmaE4m3 = Wgmma<__nv_fp8_e4m3, float>;
using WgmmaI8 = Wgmma<std::int8_t, int>;
#endif

}  // namespace warpmark::cuda
