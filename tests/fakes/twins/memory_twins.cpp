// SPDX-License-Identifier: Apache-2.0
// Twins of kernels/memory/memory_cuda.cu.
#include "kernels/memory/memory_cuda.h"
#include "tests/fakes/twins/twin.h"

using warpmark::cuda::DotParameters;
using warpmark::cuda::MapOperands;
using warpmark::cuda::ReadParameters;

// X(operation, arrays that it reads), as the kernels are named.
#define WARPMARK_MAPS(X) X(write, 0) X(copy, 1) X(scale, 1) X(triad, 2)

extern "C" {
#define WARPMARK_DECLARE(name, reads)          \
  void memory_##name##_f64_plain(MapOperands); \
  void memory_##name##_f32_plain(MapOperands); \
  void memory_##name##_f64_cs(MapOperands);    \
  void memory_##name##_f32_cs(MapOperands);
WARPMARK_MAPS(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
void memory_read_f64_plain(ReadParameters);
void memory_read_f32_plain(ReadParameters);
void memory_dot_f64_plain(DotParameters);
void memory_dot_f32_plain(DotParameters);
}

namespace warpmark::fakes {
namespace {

/// Every pass goes over all arrays.
Work over(std::vector<ByteRange> arrays, std::size_t passes, const ByteRange& output, std::size_t element_bytes) {
  double bytes = 0;
  for (const ByteRange& array : arrays) bytes += static_cast<double>(array.bytes());
  return {.bytes = bytes * static_cast<double>(passes),
          .touched = std::move(arrays),
          .output = output,
          .output_element_bytes = element_bytes};
}

template <class T, int reads>
Work of_map(const MapOperands& p) {
  std::vector<ByteRange> arrays{range_of(p.a, p.n * sizeof(T))};
  if (reads > 0) arrays.push_back(range_of(p.b, p.n * sizeof(T)));
  if (reads > 1) arrays.push_back(range_of(p.c, p.n * sizeof(T)));
  return over(std::move(arrays), p.passes, range_of(p.a, p.n * sizeof(T)), sizeof(T));
}

template <class T>
Work of_read(const ReadParameters& p) {
  return over({range_of(p.op.x, p.op.n * sizeof(T))}, p.op.passes, range_of(p.op.sum, sizeof *p.op.sum),
              sizeof *p.op.sum);
}

template <class T>
Work of_dot(const DotParameters& p) {
  return over({range_of(p.op.x, p.op.n * sizeof(T)), range_of(p.op.y, p.op.n * sizeof(T))}, p.op.passes,
              range_of(p.op.sum, sizeof *p.op.sum), sizeof *p.op.sum);
}

}  // namespace

std::vector<Twin> memory_twins() {
  return {
#define WARPMARK_TWINS(name, reads)                                                                          \
  twin_of<MapOperands, memory_##name##_f64_plain, of_map<double, (reads)>>("memory_" #name "_f64_plain"),    \
      twin_of<MapOperands, memory_##name##_f32_plain, of_map<float, (reads)>>("memory_" #name "_f32_plain"), \
      twin_of<MapOperands, memory_##name##_f64_cs, of_map<double, (reads)>>("memory_" #name "_f64_cs"),      \
      twin_of<MapOperands, memory_##name##_f32_cs, of_map<float, (reads)>>("memory_" #name "_f32_cs"),
      WARPMARK_MAPS(WARPMARK_TWINS)
#undef WARPMARK_TWINS
          twin_of<ReadParameters, memory_read_f64_plain, of_read<double>>("memory_read_f64_plain"),
      twin_of<ReadParameters, memory_read_f32_plain, of_read<float>>("memory_read_f32_plain"),
      twin_of<DotParameters, memory_dot_f64_plain, of_dot<double>>("memory_dot_f64_plain"),
      twin_of<DotParameters, memory_dot_f32_plain, of_dot<float>>("memory_dot_f32_plain")};
}

}  // namespace warpmark::fakes
