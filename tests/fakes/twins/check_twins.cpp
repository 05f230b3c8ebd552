// SPDX-License-Identifier: Apache-2.0
// Twins of kernels/check/*_cuda.cu. Nobody times a check: the bytes are about what it reads.
#include "kernels/check/check_cuda.h"
#include "kernels/check/landing.h"
#include "kernels/check/launched.h"
#include "kernels/check/same_bytes_cuda.h"
#include "tests/fakes/twins/twin.h"

using warpmark::cuda::DotCheckParameters;
using warpmark::cuda::FreivaldsParameters;
using warpmark::cuda::GemvCheckParameters;
using warpmark::cuda::LinearParameters;
using warpmark::cuda::MatrixSumsParameters;
using warpmark::cuda::ReadCheckParameters;
using warpmark::cuda::SameBytesParameters;
using warpmark::cuda::TurnedParameters;
using warpmark::ops::LandingCheck;
using warpmark::ops::LaunchedCheck;

#define WARPMARK_FREIVALDS_TYPES(X) X(f64, 8, 8) X(f32, 4, 4) X(f16, 2, 2) X(bf16, 2, 2) X(e4m3, 1, 2) X(i8, 1, 4)

extern "C" {
void check_linear_f64(LinearParameters);
void check_linear_f32(LinearParameters);
void check_gemv_f16(GemvCheckParameters);
void check_read_f64(ReadCheckParameters);
void check_read_f32(ReadCheckParameters);
void check_dot_f64(DotCheckParameters);
void check_dot_f32(DotCheckParameters);
void check_landing_u64(LandingCheck);
void check_launched_u8(LaunchedCheck);
void check_same_bytes_u8(SameBytesParameters);
void check_matrix_sums_f32(MatrixSumsParameters);
void check_turned_f64(TurnedParameters);
void check_turned_f32(TurnedParameters);
void check_turned_f16(TurnedParameters);
void check_turned_bf16(TurnedParameters);
void check_turned_i32(TurnedParameters);
#define WARPMARK_DECLARE(type, operand_bytes, result_bytes)  \
  void check_freivalds_products_##type(FreivaldsParameters); \
  void check_freivalds_rows_##type(FreivaldsParameters);
WARPMARK_FREIVALDS_TYPES(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
}

namespace warpmark::fakes {
namespace {

Work reading(std::size_t bytes, const double* out) {
  return {
      .bytes = static_cast<double>(bytes), .output = range_of(out, sizeof *out), .output_element_bytes = sizeof *out};
}

template <std::size_t element_bytes>
Work of_linear(const LinearParameters& p) {
  return reading(3 * p.op.n * element_bytes, p.op.out);
}

template <std::size_t element_bytes>
Work of_read_check(const ReadCheckParameters& p) {
  return reading(p.op.n * element_bytes, p.op.out);
}

template <std::size_t element_bytes>
Work of_dot_check(const DotCheckParameters& p) {
  return reading(2 * p.op.n * element_bytes, p.op.out);
}

Work of_gemv_check(const GemvCheckParameters& p) {
  const double weights = static_cast<double>(p.op.op.rows * p.op.op.columns) * ops::weight_size(p.op.weights);
  return reading(static_cast<std::size_t>(weights), p.op.out);
}

template <std::size_t element_bytes>
Work of_turned(const TurnedParameters& p) {
  return reading(2 * p.op.n * element_bytes, p.op.out);
}

Work of_matrix_sums(const MatrixSumsParameters& p) { return reading(p.op.n * sizeof(float), p.op.out); }

Work of_same_bytes(const SameBytesParameters& p) { return reading(2 * p.op.n, p.op.out); }

Work of_landing(const LandingCheck& p) { return reading(sizeof *p.op.landing, p.out); }

Work of_launched(const LaunchedCheck& p) { return reading(p.empty.argument_bytes * p.launches, p.out); }

template <std::size_t operand_bytes>
Work of_products(const FreivaldsParameters& p) {
  return reading(p.op.batch * p.op.k * p.op.n * operand_bytes, p.products);
}

template <std::size_t operand_bytes, std::size_t result_bytes>
Work of_rows(const FreivaldsParameters& p) {
  return reading(p.op.batch * p.op.m * (p.op.n * result_bytes + p.op.k * operand_bytes * p.slices), p.op.out);
}

}  // namespace

std::vector<Twin> check_twins() {
  return {
#define WARPMARK_TWINS(type, operand_bytes, result_bytes)                                                  \
  twin_of<FreivaldsParameters, check_freivalds_products_##type, of_products<(operand_bytes)>>(             \
      "check_freivalds_products_" #type),                                                                  \
      twin_of<FreivaldsParameters, check_freivalds_rows_##type, of_rows<(operand_bytes), (result_bytes)>>( \
          "check_freivalds_rows_" #type),
      WARPMARK_FREIVALDS_TYPES(WARPMARK_TWINS)
#undef WARPMARK_TWINS
          twin_of<LinearParameters, check_linear_f64, of_linear<8>>("check_linear_f64"),
      twin_of<LinearParameters, check_linear_f32, of_linear<4>>("check_linear_f32"),
      twin_of<GemvCheckParameters, check_gemv_f16, of_gemv_check>("check_gemv_f16"),
      twin_of<ReadCheckParameters, check_read_f64, of_read_check<8>>("check_read_f64"),
      twin_of<ReadCheckParameters, check_read_f32, of_read_check<4>>("check_read_f32"),
      twin_of<DotCheckParameters, check_dot_f64, of_dot_check<8>>("check_dot_f64"),
      twin_of<DotCheckParameters, check_dot_f32, of_dot_check<4>>("check_dot_f32"),
      twin_of<SameBytesParameters, check_same_bytes_u8, of_same_bytes>("check_same_bytes_u8"),
      twin_of<LandingCheck, check_landing_u64, of_landing>("check_landing_u64"),
      twin_of<LaunchedCheck, check_launched_u8, of_launched>("check_launched_u8"),
      twin_of<MatrixSumsParameters, check_matrix_sums_f32, of_matrix_sums>("check_matrix_sums_f32"),
      twin_of<TurnedParameters, check_turned_f64, of_turned<8>>("check_turned_f64"),
      twin_of<TurnedParameters, check_turned_f32, of_turned<4>>("check_turned_f32"),
      twin_of<TurnedParameters, check_turned_f16, of_turned<2>>("check_turned_f16"),
      twin_of<TurnedParameters, check_turned_bf16, of_turned<2>>("check_turned_bf16"),
      twin_of<TurnedParameters, check_turned_i32, of_turned<4>>("check_turned_i32")};
}

}  // namespace warpmark::fakes
