// SPDX-License-Identifier: Apache-2.0
// Memory kernels: every access is of 16 bytes, a thread has four of them per array in flight, and loads go past L1, so
// that what fits into L2 measures L2.
//
// Loads that must be in flight to keep memory busy, by Little's law: latency under load (700 ns) x bandwidth / SMs; and
// those that a full SM has in flight with four vectors a thread, the least of all these kernels. They take at most 32
// registers (40 where an SM holds 1536 threads), so that an SM is full of threads (ptxas; triad and dot hold up to
// eight vectors a thread, within those registers).
//
//   part         TB/s    SMs   needed per SM   threads per SM   in flight per SM
//   H100 SXM     3.35    132   17 KiB          2048             128 KiB
//   H200         4.80    132   25 KiB          2048             128 KiB
//   A100 80GB    2.04    108   13 KiB          2048             128 KiB
//   RTX 4090     1.01    128   5.4 KiB         1536             96 KiB
//   L4           0.30    58    3.5 KiB         1536             96 KiB
#include <cstdint>
#include <type_traits>

#include "harness/backends/cuda/grid_fold.cuh"
#include "kernels/memory/memory_cuda.h"

namespace {

using warpmark::cuda::Add;
using warpmark::cuda::DotParameters;
using warpmark::cuda::fold_grid;
using warpmark::cuda::MapOperands;
using warpmark::cuda::memory_block_threads;
using warpmark::cuda::memory_tile;
using warpmark::cuda::memory_unroll;
using warpmark::cuda::ReadParameters;

template <class T>
struct VectorOf;
template <>
struct VectorOf<double> {
  using Type = double2;
};
template <>
struct VectorOf<float> {
  using Type = float4;
};
template <>
struct VectorOf<unsigned long long> {
  using Type = ulonglong2;
};
template <>
struct VectorOf<unsigned> {
  using Type = uint4;
};
template <class T>
using Vector = typename VectorOf<T>::Type;

/// Passes are different blocks, so that no compiler can make one of two.
__device__ std::size_t pass_of_block() { return blockIdx.y + std::size_t{gridDim.y} * blockIdx.z; }

/// What a thread takes of an array in one tile; vectors that lie side by side are neighbours' in the warp.
template <class T>
struct Loaded {
  Vector<T> of[memory_unroll];
};

template <class T>
__device__ std::size_t place_of(std::size_t tile, unsigned u) {
  return (tile * memory_unroll + u) * memory_block_threads + threadIdx.x;
}

template <class T>
__device__ Loaded<T> load(const T* array, std::size_t tile) {
  Loaded<T> loaded;
  for (unsigned u = 0; u < memory_unroll; ++u)
    loaded.of[u] = __ldcg(reinterpret_cast<const Vector<T>*>(array) + place_of<T>(tile, u));
  return loaded;
}

/// Calls work(i) for this thread's elements of the last tile, which is not a whole one.
template <class T, class Work>
__device__ void each_of_rest(std::size_t tile, std::size_t n, const Work& work) {
  for (std::size_t i = tile * memory_tile<T> + threadIdx.x; i < n; i += memory_block_threads) work(i);
}

template <class T>
__device__ bool is_whole(std::size_t tile, std::size_t n) {
  return (tile + 1) * memory_tile<T> <= n;
}

// What the maps do with an element of each array, and how many arrays they read.
struct WriteValue {
  static constexpr int arrays = 0;
  template <class T>
  static __device__ T of(T s, T, T) {
    return s;
  }
};
struct CopyValue {
  static constexpr int arrays = 1;
  template <class T>
  static __device__ T of(T, T b, T) {
    return b;
  }
};
struct ScaleValue {
  static constexpr int arrays = 1;
  template <class T>
  static __device__ T of(T s, T b, T) {
    return s * b;
  }
};
struct TriadValue {
  static constexpr int arrays = 2;
  template <class T>
  static __device__ T of(T s, T b, T c) {
    return b + s * c;
  }
};

template <class Value>
__device__ double2 value_of(double s, double2 b, double2 c) {
  return make_double2(Value::of(s, b.x, c.x), Value::of(s, b.y, c.y));
}
template <class Value>
__device__ float4 value_of(float s, float4 b, float4 c) {
  return make_float4(Value::of(s, b.x, c.x), Value::of(s, b.y, c.y), Value::of(s, b.z, c.z), Value::of(s, b.w, c.w));
}

struct PlainStore {
  template <class V>
  static __device__ void store(V* to, V value) {
    *to = value;
  }
};
/// Marks what it writes as the first to leave the caches. Loads are as above: streaming ones would stay in L1.
struct StreamingStore {
  template <class V>
  static __device__ void store(V* to, V value) {
    __stcs(to, value);
  }
};

template <class T, class Value, class Store>
__device__ void map(const MapOperands& p) {
  if (pass_of_block() >= p.passes) return;
  auto* const a = static_cast<T*>(p.a);
  const auto* const b = static_cast<const T*>(p.b);
  const auto* const c = static_cast<const T*>(p.c);
  const T s = static_cast<T>(p.s);
  const std::size_t tile = blockIdx.x;
  if (!is_whole<T>(tile, p.n)) {
    each_of_rest<T>(tile, p.n, [&](std::size_t i) {
      Store::store(a + i, Value::of(s, Value::arrays > 0 ? b[i] : T{}, Value::arrays > 1 ? c[i] : T{}));
    });
    return;
  }
  Loaded<T> from_b{};
  Loaded<T> from_c{};
  if constexpr (Value::arrays > 0) from_b = load(b, tile);
  if constexpr (Value::arrays > 1) from_c = load(c, tile);
  for (unsigned u = 0; u < memory_unroll; ++u)
    Store::store(reinterpret_cast<Vector<T>*>(a) + place_of<T>(tile, u),
                 value_of<Value>(s, from_b.of[u], from_c.of[u]));
}

__device__ unsigned long long added(ulonglong2 v) { return v.x + v.y; }
__device__ unsigned added(uint4 v) { return (v.x + v.y) + (v.z + v.w); }

template <class Bits>
__device__ void read(const ReadParameters& p) {
  const std::size_t pass = pass_of_block();
  if (pass >= p.op.passes) return;
  const auto* const x = static_cast<const Bits*>(p.op.x);
  Bits sum = 0;
  for (std::size_t tile = blockIdx.x; tile * memory_tile<Bits> < p.op.n; tile += gridDim.x) {
    if (is_whole<Bits>(tile, p.op.n)) {
      const Loaded<Bits> loaded = load(x, tile);
      for (unsigned u = 0; u < memory_unroll; ++u) sum += added(loaded.of[u]);
    } else {
      each_of_rest<Bits>(tile, p.op.n, [&](std::size_t i) { sum += __ldcg(x + i); });
    }
  }
  Bits all = 0;
  if (fold_grid(sum, Bits{0}, p.fold, Add{}, all, pass == p.op.passes - 1) && threadIdx.x == 0)
    *p.op.sum = static_cast<Bits>(all * p.op.passes);
}

__device__ double product_of(double2 x, double2 y) { return x.x * y.x + x.y * y.y; }
__device__ float product_of(float4 x, float4 y) { return (x.x * y.x + x.y * y.y) + (x.z * y.z + x.w * y.w); }

template <class T>
__device__ void dot(const DotParameters& p) {
  static_assert(memory_unroll * sizeof(Vector<T>) / sizeof(T) <= warpmark::ops::dot_run);
  const std::size_t pass = pass_of_block();
  if (pass >= p.op.passes) return;
  const auto* const x = static_cast<const T*>(p.op.x);
  const auto* const y = static_cast<const T*>(p.op.y);
  double sum = 0;
  for (std::size_t tile = blockIdx.x; tile * memory_tile<T> < p.op.n; tile += gridDim.x) {
    T run = 0;  // of no more than a thread's part of a tile: sums of f32 lose what they add
    if (is_whole<T>(tile, p.op.n)) {
      const Loaded<T> from_x = load(x, tile);
      const Loaded<T> from_y = load(y, tile);
      for (unsigned u = 0; u < memory_unroll; ++u) run += product_of(from_x.of[u], from_y.of[u]);
    } else {
      each_of_rest<T>(tile, p.op.n, [&](std::size_t i) { run += __ldcg(x + i) * __ldcg(y + i); });
    }
    sum += static_cast<double>(run);
  }
  double all = 0;
  if (fold_grid(sum, 0.0, p.fold, Add{}, all, pass == p.op.passes - 1) && threadIdx.x == 0) *p.op.sum = all;
}

}  // namespace

#define WARPMARK_KERNEL extern "C" __global__ void __launch_bounds__(memory_block_threads)
#define WARPMARK_MAP(name, Value)                                                                        \
  WARPMARK_KERNEL memory_##name##_f64_plain(const MapOperands p) { map<double, Value, PlainStore>(p); }  \
  WARPMARK_KERNEL memory_##name##_f32_plain(const MapOperands p) { map<float, Value, PlainStore>(p); }   \
  WARPMARK_KERNEL memory_##name##_f64_cs(const MapOperands p) { map<double, Value, StreamingStore>(p); } \
  WARPMARK_KERNEL memory_##name##_f32_cs(const MapOperands p) { map<float, Value, StreamingStore>(p); }

WARPMARK_MAP(write, WriteValue)
WARPMARK_MAP(copy, CopyValue)
WARPMARK_MAP(scale, ScaleValue)
WARPMARK_MAP(triad, TriadValue)

WARPMARK_KERNEL memory_read_f64_plain(const ReadParameters p) { read<unsigned long long>(p); }
WARPMARK_KERNEL memory_read_f32_plain(const ReadParameters p) { read<unsigned>(p); }
WARPMARK_KERNEL memory_dot_f64_plain(const DotParameters p) { dot<double>(p); }
WARPMARK_KERNEL memory_dot_f32_plain(const DotParameters p) { dot<float>(p); }
