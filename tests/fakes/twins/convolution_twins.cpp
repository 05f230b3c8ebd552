// SPDX-License-Identifier: Apache-2.0
// Twins of kernels/check/convolution_cuda.cu. Nobody times a check: the bytes are about what it reads.
#include "kernels/check/check_cuda.h"
#include "tests/fakes/twins/twin.h"

using warpmark::cuda::ConvolutionCheckParameters;

#define WARPMARK_TYPES(X) X(f32, 4) X(f16, 2) X(bf16, 2)

extern "C" {
#define WARPMARK_DECLARE(type, bytes)                                    \
  void check_convolution_projections_##type(ConvolutionCheckParameters); \
  void check_convolution_pixels_##type(ConvolutionCheckParameters);      \
  void check_convolution_filters_##type(ConvolutionCheckParameters);
WARPMARK_TYPES(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
}

namespace warpmark::fakes {
namespace {

template <std::size_t element_bytes>
Work of_projections(const ConvolutionCheckParameters& p) {
  return {.bytes = static_cast<double>(p.product.depth * p.product.columns * element_bytes),
          .output = range_of(p.projections, sizeof(double)),
          .output_element_bytes = sizeof(double)};
}

template <std::size_t element_bytes>
Work of_rows(const ConvolutionCheckParameters& p) {
  return {.bytes = static_cast<double>(p.product.rows * (p.product.columns + p.product.depth) * element_bytes),
          .output = range_of(p.op.out, sizeof(double)),
          .output_element_bytes = sizeof(double)};
}

}  // namespace

std::vector<Twin> convolution_twins() {
  using Parameters = ConvolutionCheckParameters;
  return {
#define WARPMARK_TWINS(type, bytes)                                                                              \
  twin_of<Parameters, check_convolution_projections_##type, of_projections<(bytes)>>(                            \
      "check_convolution_projections_" #type),                                                                   \
      twin_of<Parameters, check_convolution_pixels_##type, of_rows<(bytes)>>("check_convolution_pixels_" #type), \
      twin_of<Parameters, check_convolution_filters_##type, of_rows<(bytes)>>("check_convolution_filters_" #type),
      WARPMARK_TYPES(WARPMARK_TWINS)
#undef WARPMARK_TWINS
  };
}

}  // namespace warpmark::fakes
