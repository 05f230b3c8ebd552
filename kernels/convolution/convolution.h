// SPDX-License-Identifier: Apache-2.0
// The contract of a convolution layer in two dimensions, and of its two gradients: x[n][h][w][c], filters[k][r][s][c],
// y[n][p][q][k], dense, channels last.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::ops {

/// y = x * filters; the gradient of x from y's; the gradient of the filters from y's.
enum class ConvolutionPass : std::uint8_t { forward, data_gradient, filter_gradient };

/// The same stride and padding in both directions, zeros beyond the edges, no dilation, filters not mirrored.
struct ConvolutionShape {
  std::size_t n = 1;  // images
  std::size_t c = 1;  // channels of x
  std::size_t h = 1;
  std::size_t w = 1;
  std::size_t k = 1;  // channels of y, one filter each
  std::size_t r = 1;  // rows of a filter
  std::size_t s = 1;
  std::size_t stride = 1;
  std::size_t padding = 0;

  /// Rows and columns of y.
  [[nodiscard]] constexpr std::size_t p() const { return (h + 2 * padding - r) / stride + 1; }
  [[nodiscard]] constexpr std::size_t q() const { return (w + 2 * padding - s) / stride + 1; }
  [[nodiscard]] constexpr std::size_t x_elements() const { return n * c * h * w; }
  [[nodiscard]] constexpr std::size_t filter_elements() const { return k * c * r * s; }
  [[nodiscard]] constexpr std::size_t y_elements() const { return n * k * p() * q(); }
};

/// Of the three arrays two are given and the third is computed: x or its gradient, filters or theirs, y or its
/// gradient. All of one type; sums are kept in f32 at least. A kernel may bring what it is given into a layout of its
/// own while it is bound, and says so in `about`.
struct Convolution {
  ConvolutionPass pass = ConvolutionPass::forward;
  ConvolutionShape shape{};
  void* result = nullptr;
  const void* x = nullptr;        // null in the data gradient, whose result it is
  const void* filters = nullptr;  // null in the filter gradient
  const void* y = nullptr;        // null forward
};

[[nodiscard]] constexpr std::size_t result_elements(ConvolutionPass pass, const ConvolutionShape& shape) {
  switch (pass) {
    case ConvolutionPass::forward: return shape.y_elements();
    case ConvolutionPass::data_gradient: return shape.x_elements();
    case ConvolutionPass::filter_gradient: return shape.filter_elements();
  }
  return 0;
}

}  // namespace warpmark::ops
