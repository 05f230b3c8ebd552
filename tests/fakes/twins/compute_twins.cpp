// SPDX-License-Identifier: Apache-2.0
// Twins of kernels/compute/*_cuda.cu.
#include "kernels/compute/fma.h"
#include "kernels/compute/matrix.h"
#include "tests/fakes/twins/twin.h"

using warpmark::ops::Fma;
using warpmark::ops::MatrixSums;

// X(type, bytes of an element, unit), as the kernels are named.
#define WARPMARK_FMAS(X) \
  X(f64, 8, "f64_fma") X(f32, 4, "f32_fma") X(f16, 2, "f16_fma") X(bf16, 2, "bf16_fma") X(i32, 4, "i32_mad")
// X(name, unit)
#define WARPMARK_WIDE_MATRICES(X) X(f64, "f64_matrix") X(tf32, "tf32_matrix") X(f16, "f16_matrix")
#define WARPMARK_NARROW_MATRICES(X) X(bf16, "bf16_matrix") X(e4m3, "fp8_matrix") X(i8, "i8_matrix")
#define WARPMARK_WARPGROUP_MATRICES(X) \
  X(wgmma_tf32, "tf32_matrix")         \
  X(wgmma_f16, "f16_matrix") X(wgmma_bf16, "bf16_matrix") X(wgmma_e4m3, "fp8_matrix") X(wgmma_i8, "i8_matrix")
#define WARPMARK_MATRICES(X) \
  WARPMARK_WIDE_MATRICES(X)  \
  WARPMARK_NARROW_MATRICES(X) X(f16_acc16, "f16_acc16_matrix") WARPMARK_WARPGROUP_MATRICES(X)

extern "C" {
#define WARPMARK_DECLARE(type, bytes, unit) void compute_fma_##type(Fma);
WARPMARK_FMAS(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
#define WARPMARK_DECLARE(name, unit) void compute_matrix_##name(MatrixSums);
WARPMARK_MATRICES(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
}

namespace warpmark::fakes {
namespace {

#define WARPMARK_UNIT(type, bytes, unit) constexpr std::string_view unit_of_##type = unit;
WARPMARK_FMAS(WARPMARK_UNIT)
#undef WARPMARK_UNIT
#define WARPMARK_UNIT(name, unit) constexpr std::string_view matrix_unit_of_##name = unit;
WARPMARK_MATRICES(WARPMARK_UNIT)
#undef WARPMARK_UNIT

/// What it writes at its end counts little beside what it computes.
template <std::size_t element_bytes, const std::string_view& unit>
Work of_fma(const Fma& op) {
  return {.flops = 4.0 * static_cast<double>(op.n) * static_cast<double>(op.rounds),
          .unit = unit,
          .output = range_of(op.u, op.n * element_bytes),
          .output_element_bytes = element_bytes};
}

template <const std::string_view& unit>
Work of_matrix(const MatrixSums& op) {
  return {.flops = 2.0 * static_cast<double>(op.n) * static_cast<double>(op.rounds * ops::matrix_round_products),
          .unit = unit,
          .output = range_of(op.c, op.n * sizeof(float)),
          .output_element_bytes = sizeof(float)};
}

}  // namespace

std::vector<Twin> compute_twins() {
  std::vector<Twin> twins;
#define WARPMARK_TWIN(type, bytes, unit) \
  twins.push_back(twin_of<Fma, compute_fma_##type, of_fma<(bytes), unit_of_##type>>("compute_fma_" #type));
  WARPMARK_FMAS(WARPMARK_TWIN)
#undef WARPMARK_TWIN
#define WARPMARK_TWIN(name, unit) \
  twins.push_back(                \
      twin_of<MatrixSums, compute_matrix_##name, of_matrix<matrix_unit_of_##name>>("compute_matrix_" #name));
  WARPMARK_MATRICES(WARPMARK_TWIN)
#undef WARPMARK_TWIN
  return twins;
}

}  // namespace warpmark::fakes
