// SPDX-License-Identifier: Apache-2.0
// How cublasLt is to compute a product on one device: chosen once for each size, because handle and choice take long.
#pragma once

#include <cstdint>
#include <memory>

#include "harness/backends/cuda/cuda_stream.h"
#include "harness/core/kernel.h"
#include "kernels/gemm/cublaslt_recipes_cuda.h"
#include "kernels/gemm/gemm.h"

namespace warpmark::cuda {

/// Of the algorithms that the library names, the fastest, or the one that it names first.
enum class Choice : std::uint8_t { fastest, first };

/// The product, ready to launch, B as the recipe wants it; `owned` is kept as long as that. Throws Unsupported where
/// the library has no algorithm that the recipe may be computed by.
[[nodiscard]] Bound bind_plan(CudaStream& stream, const Recipe& recipe, Choice choice, const ops::Gemm& op,
                              const std::shared_ptr<const Buffer>& owned = nullptr);

}  // namespace warpmark::cuda
