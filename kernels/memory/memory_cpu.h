// SPDX-License-Identifier: Apache-2.0
// The loops of the memory kernels on the cpu by instruction set: one thread's part of the arrays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/backends/cpu/isa.h"

namespace warpmark::cpu {

/// a[i] from b[i], c[i] and s; a kernel uses those that its operation has. Arrays of T, apart from each other.
template <class T>
using MapLoop = void (*)(T* a, const T* b, const T* c, T s, std::size_t n, std::size_t passes);

/// The sum over all passes of the elements' bits.
template <class T>
using ReadLoop = std::uint64_t (*)(const T* x, std::size_t n, std::size_t passes);

/// The sum of x[i] y[i], found anew in every pass.
template <class T>
using DotLoop = double (*)(const T* x, const T* y, std::size_t n, std::size_t passes);

/// How a map writes: stores past the caches save reading the line that is overwritten, and leave nothing to find there.
template <class T>
struct MapLoops {
  MapLoop<T> write = nullptr;
  MapLoop<T> copy = nullptr;
  MapLoop<T> scale = nullptr;
  MapLoop<T> triad = nullptr;
};

template <class T>
struct MemoryLoopsOf {
  MapLoops<T> plain{};        // ordinary stores
  MapLoops<T> nontemporal{};  // stores past the caches; null where the architecture has none
  ReadLoop<T> read = nullptr;
  DotLoop<T> dot = nullptr;
};

struct MemoryLoops {
  MemoryLoopsOf<double> f64{};
  MemoryLoopsOf<float> f32{};

  template <class T>
  [[nodiscard]] const MemoryLoopsOf<T>& of() const {
    if constexpr (sizeof(T) == sizeof(double)) {
      return f64;
    } else {
      return f32;
    }
  }
};

// Constants and no functions: whatever runs in a wide file may use instructions that this machine does not have.
extern const MemoryLoops memory_loops_baseline;
extern const MemoryLoops memory_loops_avx2;
extern const MemoryLoops memory_loops_avx512;

/// Every set of loops that was compiled, the baseline first.
#if defined(__x86_64__)
inline constexpr std::array memory_loops{Compiled<const MemoryLoops*>{Isa::baseline, &memory_loops_baseline},
                                         Compiled<const MemoryLoops*>{Isa::avx2, &memory_loops_avx2},
                                         Compiled<const MemoryLoops*>{Isa::avx512, &memory_loops_avx512}};
#else
inline constexpr std::array memory_loops{Compiled<const MemoryLoops*>{Isa::baseline, &memory_loops_baseline}};
#endif

}  // namespace warpmark::cpu
