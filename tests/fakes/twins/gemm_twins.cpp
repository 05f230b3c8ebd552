// SPDX-License-Identifier: Apache-2.0
// Twins of kernels/gemm/gemm_tiled_cuda.cu and gemm_mma_cuda.cu.
#include "kernels/gemm/gemm.h"
#include "tests/fakes/twins/twin.h"

using warpmark::ops::Gemm;

extern "C" {
void gemm_tiled_f64(Gemm);
void gemm_tiled_f32(Gemm);
void gemm_mma_f16(Gemm);
void gemm_mma_bf16(Gemm);
}

namespace warpmark::fakes {
namespace {

constexpr std::string_view f64_matrix = "f64_matrix";
constexpr std::string_view f32_fma = "f32_fma";
constexpr std::string_view f16_matrix = "f16_matrix";
constexpr std::string_view bf16_matrix = "bf16_matrix";

template <std::size_t element_bytes, const std::string_view& unit>
Work of_gemm(const Gemm& op) {
  const ByteRange a = range_of(op.a, op.batch * op.m * op.k * element_bytes);
  const ByteRange b = range_of(op.b, op.batch * op.k * op.n * element_bytes);
  const ByteRange c = range_of(op.c, op.batch * op.m * op.n * element_bytes);
  return {.bytes = static_cast<double>(a.bytes() + b.bytes() + c.bytes()),
          .flops = 2.0 * static_cast<double>(op.m * op.n * op.k * op.batch),
          .unit = unit,
          .touched = {a, b, c},
          .output = c,
          .output_element_bytes = element_bytes};
}

}  // namespace

std::vector<Twin> gemm_twins() {
  return {twin_of<Gemm, gemm_tiled_f64, of_gemm<8, f64_matrix>>("gemm_tiled_f64"),
          twin_of<Gemm, gemm_tiled_f32, of_gemm<4, f32_fma>>("gemm_tiled_f32"),
          twin_of<Gemm, gemm_mma_f16, of_gemm<2, f16_matrix>>("gemm_mma_f16"),
          twin_of<Gemm, gemm_mma_bf16, of_gemm<2, bf16_matrix>>("gemm_mma_bf16")};
}

}  // namespace warpmark::fakes
