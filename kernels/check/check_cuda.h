// SPDX-License-Identifier: Apache-2.0
// What the checks of the cuda backend take (linear_cuda.cu, matrix_sums_cuda.cu, sums_cuda.cu, turned_cuda.cu,
// convolution_cuda.cu, gemv_check_cuda.cu, freivalds_cuda.cu).
#pragma once

#include <cstddef>

#include "harness/backends/cuda/grid_fold.h"
#include "kernels/check/convolution.h"
#include "kernels/check/freivalds.h"
#include "kernels/check/gemv.h"
#include "kernels/check/linear.h"
#include "kernels/check/matrix_sums.h"
#include "kernels/check/sums.h"
#include "kernels/check/turned.h"

namespace warpmark::cuda {

/// check_linear_<type>, check_read_<type>, check_dot_<type>, check_turned_<type>, check_matrix_sums_f32: blocks stride
/// over the elements.
using LinearParameters = Folded<ops::LinearCheck>;
using ReadCheckParameters = Folded<ops::ReadCheck>;
using DotCheckParameters = Folded<ops::DotCheck>;
/// check_gemv_f16: warps stride over the rows.
using GemvCheckParameters = Folded<ops::GemvCheck>;
using TurnedParameters = Folded<ops::TurnedCheck>;
using MatrixSumsParameters = Folded<ops::MatrixSumsCheck>;

inline constexpr std::size_t freivalds_vectors = 2;
/// Rows that a warp takes at a time: what it loads of the vectors serves all of them.
inline constexpr std::size_t freivalds_rows = 4;
inline constexpr std::size_t freivalds_rows_of_block = freivalds_rows * fold_threads / 32;

/// check_freivalds_products_<type> finds B v, check_freivalds_rows_<type> then the largest |C v - A (B v)|. Blocks
/// stride over all groups of rows of all slices (op.columns each) of all pairs of the batch.
struct FreivaldsParameters {
  ops::Freivalds op{};
  std::size_t columns = 0;     // of a slice
  std::size_t slices = 0;      // of a pair
  double* products = nullptr;  // B v, of each pair, slice and vector k
  FoldPlace fold{};
};

inline constexpr std::size_t convolution_vectors = 2;
/// Channels of filters that a block compares at a time: the lanes of a warp, whose warps share out the sums.
inline constexpr std::size_t convolution_channels = 32;

/// check_convolution_projections_<type> finds b v, check_convolution_pixels_<type> or, of the gradient of filters,
/// check_convolution_filters_<type> then the largest |result v - a (b v)|.
struct ConvolutionCheckParameters {
  ops::ConvolutionCheck op{};
  ops::ConvolutionProduct product{};
  std::size_t columns = 0;  // of a slice
  std::size_t slices = 0;
  double* projections = nullptr;  // b v, of each slice and depth the vectors'
  FoldPlace fold{};
};

}  // namespace warpmark::cuda
