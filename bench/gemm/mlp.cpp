// SPDX-License-Identifier: Apache-2.0
// The matrices of a language model's MLP: the largest products of a layer, and most of what its tokens cost.
#include "bench/gemm/product.h"
#include "bench/gemm/transformer.h"

namespace warpmark {
namespace {

const Registered mlp{gemm_benchmark<layer_shape>(
    "gemm/mlp", "C = A B as the MLP of a language model takes its tokens, by model and matrix",
    {model_axis(), {.name = "matrix", .values = {"up", "down"}}, tokens_axis()}, {Mode::isolated})};

}  // namespace
}  // namespace warpmark
