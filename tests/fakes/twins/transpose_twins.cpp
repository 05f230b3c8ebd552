// SPDX-License-Identifier: Apache-2.0
// Twins of kernels/gemm/transpose_cuda.cu.
#include "kernels/gemm/transpose_cuda.h"
#include "tests/fakes/twins/twin.h"

using warpmark::cuda::TransposeParameters;

extern "C" {
void gemm_transpose_1(TransposeParameters);
void gemm_transpose_2(TransposeParameters);
}

namespace warpmark::fakes {
namespace {

template <std::size_t element_bytes>
Work of_transpose(const TransposeParameters& p) {
  const std::size_t bytes = p.rows * p.columns * p.batch * element_bytes;
  const ByteRange from = range_of(p.from, bytes);
  const ByteRange to = range_of(p.to, bytes);
  return {.bytes = 2.0 * static_cast<double>(bytes),
          .touched = {from, to},
          .output = to,
          .output_element_bytes = element_bytes};
}

}  // namespace

std::vector<Twin> transpose_twins() {
  return {twin_of<TransposeParameters, gemm_transpose_1, of_transpose<1>>("gemm_transpose_1"),
          twin_of<TransposeParameters, gemm_transpose_2, of_transpose<2>>("gemm_transpose_2")};
}

}  // namespace warpmark::fakes
