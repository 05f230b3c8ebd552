// SPDX-License-Identifier: Apache-2.0
// The matrices that the layers of a language model multiply by, in the sizes of Llama 3 8B and 70B: what gemm and gemv
// measure beside squares.
#pragma once

#include <cstddef>

#include "harness/core/case.h"

namespace warpmark {

/// Weights of one matrix: so many outputs of so many inputs.
struct LayerMatrix {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

/// `model`: "8b" (hidden size 4096) and "70b" (8192); an integer is the hidden size of one of the proportions of 8b, of
/// which keys and values are a quarter, and what lies between the matrices of an MLP three and a half times.
[[nodiscard]] Axis model_axis();

/// `tokens`: how many are multiplied at once, from one (a token is generated) to a long prompt.
[[nodiscard]] Axis tokens_axis();

/// By the case's `model` and `matrix`: "qo" (queries, and what attention gives; hidden x hidden), "kv" (keys, and
/// values), "up" (into the MLP, as the gate is), "down" (out of it). Throws Skipped where there is no such model or
/// matrix.
[[nodiscard]] LayerMatrix layer_matrix(const Case& at);

}  // namespace warpmark
