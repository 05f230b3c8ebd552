// SPDX-License-Identifier: Apache-2.0
#include "harness/core/uniform.h"
#include "kernels/check/check_cuda.cuh"
#include "kernels/check/check_cuda.h"

namespace {

using namespace warpmark::cuda;  // NOLINT(google-build-using-namespace): the kernels are of the C language
using warpmark::ops::ConvolutionPass;
using warpmark::ops::ConvolutionShape;

/// Sums with each vector.
struct Sums {
  double of[convolution_vectors];
};

__device__ void add_signed(Sums& sums, double value, std::uint64_t seed, std::size_t column) {
  for (std::size_t v = 0; v < convolution_vectors; ++v)
    sums.of[v] += warpmark::uniform(seed + v, column) < 0 ? -value : value;
}

__device__ void add_products(Sums& sums, double value, const double* projections) {
  for (std::size_t v = 0; v < convolution_vectors; ++v) sums.of[v] = fma(value, projections[v], sums.of[v]);
}

__device__ double larger_difference(double worst, const Sums& a, const Sums& b) {
  for (std::size_t v = 0; v < convolution_vectors; ++v) worst = LargerOrNan{}(fabs(a.of[v] - b.of[v]), worst);
  return worst;
}

__device__ std::size_t width_of(const ConvolutionCheckParameters& p, std::size_t slice) {
  const std::size_t rest = p.product.columns - slice * p.columns;
  return rest < p.columns ? rest : p.columns;
}

__device__ const double* projections_at(const ConvolutionCheckParameters& p, std::size_t slice, std::size_t depth) {
  return p.projections + (slice * p.product.depth + depth) * convolution_vectors;
}

/// Where the first column of a slice is in b, and how far it is to the next.
template <class T>
struct Column {
  const T* first = nullptr;
  std::size_t step = 1;
};

template <class T>
__device__ Column<T> column_of(const ConvolutionCheckParameters& p, std::size_t slice, std::size_t depth) {
  const ConvolutionShape& s = p.op.op.shape;
  const std::size_t taps = s.r * s.s, column = slice * p.columns;
  const auto* const filters = static_cast<const T*>(p.op.op.filters);
  switch (p.op.op.pass) {
    case ConvolutionPass::forward: return {filters + column * taps * s.c + depth, taps * s.c};
    case ConvolutionPass::data_gradient: return {filters + (depth % s.k * taps + depth / s.k) * s.c + column, 1};
    case ConvolutionPass::filter_gradient: return {static_cast<const T*>(p.op.op.y) + depth * s.k + column, 1};
  }
  return {};
}

template <class T>
__device__ void find_projections(const ConvolutionCheckParameters& p) {
  each_of_grid(p.slices * p.product.depth, [&](std::size_t i) {
    const std::size_t slice = i / p.product.depth;
    const Column<T> column = column_of<T>(p, slice, i % p.product.depth);
    const std::size_t width = width_of(p, slice);
    Sums sums{};
    for (std::size_t j = 0; j < width; ++j) add_signed(sums, as_double(column.first[j * column.step]), p.op.seed, j);
    for (std::size_t v = 0; v < convolution_vectors; ++v) p.projections[i * convolution_vectors + v] = sums.of[v];
  });
}

/// One pixel of y from those of x below the filter, or of x from those of y whose filter reached it.
struct Place {
  std::size_t image = 0;
  std::size_t row = 0;
  std::size_t column = 0;
};

__device__ Place place_of(std::size_t pixel, std::size_t rows, std::size_t columns) {
  return {.image = pixel / columns / rows, .row = pixel / columns % rows, .column = pixel % columns};
}

/// The pixel that a place meets through one element of the filter; false where there is none. What is below 0 is far
/// above every size.
__device__ bool met_by(const ConvolutionCheckParameters& p, const Place& at, std::size_t r, std::size_t s,
                       std::size_t& pixel) {
  const ConvolutionShape& shape = p.op.op.shape;
  if (p.op.op.pass == ConvolutionPass::data_gradient) {
    const std::size_t h = at.row + shape.padding - r, w = at.column + shape.padding - s;
    const std::size_t row = h / shape.stride, column = w / shape.stride;
    pixel = (at.image * shape.p() + row) * shape.q() + column;
    return h % shape.stride == 0 && w % shape.stride == 0 && row < shape.p() && column < shape.q();
  }
  const std::size_t h = at.row * shape.stride + r - shape.padding, w = at.column * shape.stride + s - shape.padding;
  pixel = (at.image * shape.h + h) * shape.w + w;
  return h < shape.h && w < shape.w;
}

template <class T>
__device__ Sums wanted_pixel(const ConvolutionCheckParameters& p, const Place& at, std::size_t slice) {
  const ConvolutionShape& shape = p.op.op.shape;
  const bool is_forward = p.op.op.pass == ConvolutionPass::forward;
  const std::size_t channels = is_forward ? shape.c : shape.k;
  const auto* const given = static_cast<const T*>(is_forward ? p.op.op.x : p.op.op.y);
  Sums sums{};
  for (std::size_t r = 0; r < shape.r; ++r) {
    for (std::size_t s = 0; s < shape.s; ++s) {
      std::size_t pixel = 0;
      if (!met_by(p, at, r, s, pixel)) continue;
      const double* const projections = projections_at(p, slice, (r * shape.s + s) * channels);
      for (std::size_t i = 0; i < channels; ++i)
        add_products(sums, as_double(given[pixel * channels + i]), projections + i * convolution_vectors);
    }
  }
  return sums;
}

__device__ void tell_worst(const ConvolutionCheckParameters& p, double worst) {
  double all = 0;
  if (fold_grid(worst, 0.0, p.fold, LargerOrNan{}, all) && threadIdx.x == 0) *p.op.out = all;
}

template <class T>
__device__ void find_worst_pixel(const ConvolutionCheckParameters& p) {
  const ConvolutionShape& shape = p.op.op.shape;
  const bool is_forward = p.op.op.pass == ConvolutionPass::forward;
  double worst = 0;
  each_of_grid(p.slices * p.product.rows, [&](std::size_t i) {
    const std::size_t slice = i / p.product.rows, row = i % p.product.rows;
    const T* const result = static_cast<const T*>(p.op.op.result) + row * p.product.columns + slice * p.columns;
    const std::size_t width = width_of(p, slice);
    Sums sums{};
    for (std::size_t j = 0; j < width; ++j) add_signed(sums, as_double(result[j]), p.op.seed, j);
    const Place at = is_forward ? place_of(row, shape.p(), shape.q()) : place_of(row, shape.h, shape.w);
    worst = larger_difference(worst, sums, wanted_pixel<T>(p, at, slice));
  });
  tell_worst(p, worst);
}

/// result v - a (b v) of one channel at one place of the filters, as far as one warp adds it up.
template <class T>
__device__ Sums part_of_filter(const ConvolutionCheckParameters& p, std::size_t slice, std::size_t tap,
                               std::size_t channel, std::size_t warp) {
  constexpr std::size_t warps = fold_threads / 32;
  const ConvolutionShape& shape = p.op.op.shape;
  const auto* const x = static_cast<const T*>(p.op.op.x);
  Sums sums{};
  for (std::size_t depth = warp; depth < p.product.depth; depth += warps) {
    std::size_t pixel = 0;
    if (!met_by(p, place_of(depth, shape.p(), shape.q()), tap / shape.s, tap % shape.s, pixel)) continue;
    add_products(sums, -as_double(x[pixel * shape.c + channel]), projections_at(p, slice, depth));
  }
  const auto* const result = static_cast<const T*>(p.op.op.result);
  const std::size_t width = width_of(p, slice);
  for (std::size_t j = warp; j < width; j += warps) {
    const std::size_t filter = slice * p.columns + j;
    add_signed(sums, as_double(result[(filter * shape.r * shape.s + tap) * shape.c + channel]), p.op.seed, j);
  }
  return sums;
}

template <class T>
__device__ void find_worst_filter(const ConvolutionCheckParameters& p) {
  __shared__ Sums parts[fold_threads];
  const ConvolutionShape& shape = p.op.op.shape;
  const std::size_t groups = (shape.c + convolution_channels - 1) / convolution_channels;
  const std::size_t taps = shape.r * shape.s, lane = threadIdx.x % 32;
  double worst = 0;
  for (std::size_t i = blockIdx.x; i < p.slices * taps * groups; i += gridDim.x) {
    const std::size_t channel = i % groups * convolution_channels + lane;
    parts[threadIdx.x] = channel < shape.c
                             ? part_of_filter<T>(p, i / groups / taps, i / groups % taps, channel, threadIdx.x / 32)
                             : Sums{};
    __syncthreads();
    if (threadIdx.x < 32) {
      Sums all{};
      for (std::size_t j = lane; j < fold_threads; j += 32)
        for (std::size_t v = 0; v < convolution_vectors; ++v) all.of[v] += parts[j].of[v];
      worst = larger_difference(worst, all, Sums{});
    }
    __syncthreads();
  }
  tell_worst(p, worst);
}

}  // namespace

#define WARPMARK_CONVOLUTION(name, T)                                                              \
  WARPMARK_CHECK_KERNEL check_convolution_projections_##name(const ConvolutionCheckParameters p) { \
    find_projections<T>(p);                                                                        \
  }                                                                                                \
  WARPMARK_CHECK_KERNEL check_convolution_pixels_##name(const ConvolutionCheckParameters p) {      \
    find_worst_pixel<T>(p);                                                                        \
  }                                                                                                \
  WARPMARK_CHECK_KERNEL check_convolution_filters_##name(const ConvolutionCheckParameters p) {     \
    find_worst_filter<T>(p);                                                                       \
  }

WARPMARK_CONVOLUTION(f32, float)
WARPMARK_CONVOLUTION(f16, __half)
WARPMARK_CONVOLUTION(bf16, __nv_bfloat16)
