// SPDX-License-Identifier: Apache-2.0
// The memory loops, compiled once per instruction set. In an anonymous namespace, because each including file makes
// other code of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/memory/dot.h"
#include "kernels/memory/memory_cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpmark::cpu {
namespace {

template <class T, std::size_t bytes>
struct VectorOf {
  using Type [[gnu::vector_size(bytes)]] = T;
};
template <class T, std::size_t bytes>
using Vector = typename VectorOf<T, bytes>::Type;

template <class V, class T>
V load(const T* from) {
  V value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

// Every pass is done, though it reads or writes what the last one did.
inline void end_pass() { asm volatile("" : : : "memory"); }

struct OrdinaryStore {
  template <class V, class T>
  static void store(T* to, V value) {
    __builtin_memcpy(to, &value, sizeof value);
  }
  static void finish() {}
};

#if defined(__x86_64__)
/// `to` is aligned to the vector.
struct NonTemporalStore {
  template <class V, class T>
  static void store(T* to, V value) {
    if constexpr (sizeof value == 16)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to), __builtin_bit_cast(__m128i, value));
#if defined(__AVX2__)
    if constexpr (sizeof value == 32)
      _mm256_stream_si256(reinterpret_cast<__m256i*>(to), __builtin_bit_cast(__m256i, value));
#endif
#if defined(__AVX512F__)
    if constexpr (sizeof value == 64)
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to), __builtin_bit_cast(__m512i, value));
#endif
  }
  static void finish() { _mm_sfence(); }  // the stores have to be seen before the launch counts as done
};
#endif

// What the maps do with a vector or an element of each array; `load_b` and `load_c` are called only where it is used.
struct WriteValue {
  template <class V, class B, class C>
  static V of(V s, const B&, const C&) {
    return s;
  }
};
struct CopyValue {
  template <class V, class B, class C>
  static V of(V, const B& load_b, const C&) {
    return load_b();
  }
};
struct ScaleValue {
  template <class V, class B, class C>
  static V of(V s, const B& load_b, const C&) {
    return s * load_b();
  }
};
struct TriadValue {
  template <class V, class B, class C>
  static V of(V s, const B& load_b, const C& load_c) {
    return load_b() + s * load_c();
  }
};

template <class Value, class Store, class T, std::size_t bytes>
void map_loop(T* __restrict a, const T* __restrict b, const T* __restrict c, T s, std::size_t n, std::size_t passes) {
  using V = Vector<T, bytes>;
  constexpr std::size_t lanes = bytes / sizeof(T);
  constexpr std::size_t stride = 4 * lanes;  // four vectors in flight: one address computation for all
  const V factor = V{} + s;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    std::size_t i = 0;
    for (; i + stride <= n; i += stride) {
#pragma GCC unroll 4
      for (std::size_t k = i; k < i + stride; k += lanes)
        Store::store(a + k, Value::template of<V>(
                                factor, [&] { return load<V>(b + k); }, [&] { return load<V>(c + k); }));
    }
    for (; i < n; ++i)
      a[i] = Value::template of<T>(
          s, [&] { return b[i]; }, [&] { return c[i]; });
    end_pass();
  }
  Store::finish();
}

template <class T, std::size_t bytes>
std::uint64_t read_loop(const T* x, std::size_t n, std::size_t passes) {
  using Bits = std::conditional_t<sizeof(T) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
  using V = Vector<Bits, bytes>;
  constexpr std::size_t lanes = bytes / sizeof(T);
  constexpr std::size_t chains = 4;  // an addition takes one cycle, two loads are issued in it
  V sums[chains] = {};
  Bits rest = 0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    std::size_t i = 0;
    for (; i + chains * lanes <= n; i += chains * lanes) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k < chains; ++k) sums[k] += load<V>(x + i + k * lanes);
    }
    for (; i < n; ++i) rest += __builtin_bit_cast(Bits, x[i]);
    end_pass();
  }
  const V all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (std::size_t lane = 0; lane < lanes; ++lane) rest += all[lane];
  return rest;
}

/// Of n elements, few enough for their sum to be kept in T.
template <class T, std::size_t bytes>
double short_dot(const T* x, const T* y, std::size_t n) {
  using V = Vector<T, bytes>;
  constexpr std::size_t lanes = bytes / sizeof(T);
  constexpr std::size_t chains = 8;  // a multiply-add takes four cycles, and two are issued in one
  V sums[chains] = {};
  std::size_t i = 0;
  for (; i + chains * lanes <= n; i += chains * lanes) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < chains; ++k) sums[k] += load<V>(x + i + k * lanes) * load<V>(y + i + k * lanes);
  }
  double sum = 0;
  const V all = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  for (std::size_t lane = 0; lane < lanes; ++lane) sum += static_cast<double>(all[lane]);
  for (; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return sum;
}

template <class T, std::size_t bytes>
double dot_loop(const T* x, const T* y, std::size_t n, std::size_t passes) {
  double sum = 0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    sum = 0;
    for (std::size_t i = 0; i < n; i += ops::dot_run)
      sum += short_dot<T, bytes>(x + i, y + i, std::min(ops::dot_run, n - i));
    end_pass();
  }
  return sum;
}

template <class Store, class T, std::size_t bytes>
constexpr MapLoops<T> maps_of() {
  return {.write = map_loop<WriteValue, Store, T, bytes>,
          .copy = map_loop<CopyValue, Store, T, bytes>,
          .scale = map_loop<ScaleValue, Store, T, bytes>,
          .triad = map_loop<TriadValue, Store, T, bytes>};
}

template <class T, std::size_t bytes>
constexpr MemoryLoopsOf<T> loops_of_type() {
  return {
    .plain = maps_of<OrdinaryStore, T, bytes>(),
#if defined(__x86_64__)
    .nontemporal = maps_of<NonTemporalStore, T, bytes>(),
#endif
    .read = read_loop<T, bytes>, .dot = dot_loop<T, bytes>
  };
}

template <std::size_t bytes>
constexpr MemoryLoops memory_loops_of() {
  return {.f64 = loops_of_type<double, bytes>(), .f32 = loops_of_type<float, bytes>()};
}

}  // namespace
}  // namespace warpmark::cpu
