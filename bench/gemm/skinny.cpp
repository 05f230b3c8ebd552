// SPDX-License-Identifier: Apache-2.0
// A few rows times a large matrix, as when a language model reads a short prompt: B decides how fast it goes.
#include "bench/gemm/product.h"

namespace warpmark {
namespace {

GemmShape shape_of(const Case& at) {
  const auto n = static_cast<std::size_t>(at.integer("n"));
  return {.m = static_cast<std::size_t>(at.integer("m")), .n = n, .k = n};
}

const Registered skinny{gemm_benchmark<shape_of>("gemm/skinny", "C = A B with m x n times n x n, m small",
                                                 {{.name = "m", .values = {16}}, {.name = "n", .values = {4096}}},
                                                 {Mode::isolated})};

}  // namespace
}  // namespace warpmark
