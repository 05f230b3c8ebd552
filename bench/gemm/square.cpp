// SPDX-License-Identifier: Apache-2.0
// Square matrix product: the shape that every library is tuned for.
#include "bench/gemm/product.h"

namespace warpmark {
namespace {

GemmShape shape_of(const Case& at) {
  const auto n = static_cast<std::size_t>(at.integer("n"));
  return {.m = n, .n = n, .k = n};
}

const Registered square{gemm_benchmark<shape_of>("gemm/square", "C = A B with n x n matrices",
                                                 {{.name = "n", .values = {512, 1024, 2048, 4096}}},
                                                 {Mode::isolated, Mode::batch})};

}  // namespace
}  // namespace warpmark
