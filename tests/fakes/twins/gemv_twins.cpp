// SPDX-License-Identifier: Apache-2.0
// Twins of kernels/gemv/gemv_cuda.cu.
#include "kernels/gemv/gemv.h"
#include "tests/fakes/twins/twin.h"

using warpmark::ops::Gemv;
using warpmark::ops::Weights;

extern "C" {
void gemv_w16_f16(Gemv);
void gemv_w8_f16(Gemv);
void gemv_w4_f16(Gemv);
}

namespace warpmark::fakes {
namespace {

constexpr std::size_t f16_bytes = 2;

template <Weights weights>
Work of_gemv(const Gemv& op) {
  const auto weight_bytes =
      static_cast<std::size_t>(static_cast<double>(op.rows * op.columns) * ops::weight_size(weights));
  const ByteRange w = range_of(op.w, weight_bytes);
  const ByteRange scales = range_of(op.scales, op.rows * ops::scales_of_row(weights, op.columns) * f16_bytes);
  const ByteRange x = range_of(op.x, op.columns * f16_bytes);
  const ByteRange y = range_of(op.y, op.rows * f16_bytes);
  return {.bytes = static_cast<double>(w.bytes() + scales.bytes() + x.bytes() + y.bytes()),
          .touched = {w, scales, x, y},
          .output = y,
          .output_element_bytes = f16_bytes};
}

}  // namespace

std::vector<Twin> gemv_twins() {
  return {twin_of<Gemv, gemv_w16_f16, of_gemv<Weights::w16>>("gemv_w16_f16"),
          twin_of<Gemv, gemv_w8_f16, of_gemv<Weights::w8>>("gemv_w8_f16"),
          twin_of<Gemv, gemv_w4_f16, of_gemv<Weights::w4>>("gemv_w4_f16")};
}

}  // namespace warpmark::fakes
