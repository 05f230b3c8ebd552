// SPDX-License-Identifier: Apache-2.0
// The projections of attention: a model's tokens times its square matrices, and those narrow ones for keys and values.
#include "bench/gemm/product.h"
#include "bench/gemm/transformer.h"

namespace warpmark {
namespace {

const Registered projection{gemm_benchmark<layer_shape>(
    "gemm/projection", "C = A B as a language model projects its tokens, by model and matrix",
    {model_axis(), {.name = "matrix", .values = {"qo", "kv"}}, tokens_axis()}, {Mode::isolated})};

}  // namespace
}  // namespace warpmark
