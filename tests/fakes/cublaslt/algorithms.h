// SPDX-License-Identifier: Apache-2.0
// The algorithms that the simulated cublasLt has for every product, and how fast each is.
#pragma once

#include <cublasLt.h>

#include <array>
#include <cstdint>

#include "tests/fakes/cublaslt/product.h"

namespace warpmark::fakes {

struct AlgorithmTruth {
  std::int32_t id = 0;
  std::uint32_t tile = 0;
  std::uint32_t stages = 0;
  std::int32_t split_k = 1;
  std::uint32_t swizzle = 0;
  std::size_t workspace_bytes = 0;
  double speed = 1;           // of what the unit's kernels reach
  bool is_tf32 = false;       // only for f32, whose products it rounds
  bool is_named_bad = false;  // the heuristics say at once that it cannot run
  bool refuses = false;       // they do not, and then it does not run
};

/// In the order of the heuristics. The first is not the fastest; the fastest of f32 rounds.
inline constexpr std::array<AlgorithmTruth, 7> algorithm_truths{
    {{.id = 21, .tile = 20, .stages = 24, .speed = 0.8},
     {.id = 24, .tile = 15, .stages = 11, .speed = 0.5},
     {.id = 6, .tile = 18, .stages = 8, .speed = 4, .is_tf32 = true},
     {.id = 66, .tile = 31, .stages = 35, .swizzle = 1, .workspace_bytes = 1 << 20, .speed = 1},
     {.id = 23, .tile = 20, .stages = 24, .speed = 2, .is_named_bad = true},
     {.id = 31, .tile = 21, .stages = 12, .speed = 2, .refuses = true},
     {.id = 21, .tile = 20, .stages = 24, .split_k = 4, .workspace_bytes = 4 << 20, .speed = 0.9}}};

/// What the library makes of an algorithm for one product; the caller only carries it about.
struct AlgorithmContent {
  std::uint64_t mark = 0;
  std::uint64_t index = 0;  // in algorithm_truths
  std::uint64_t implementation_flags = 0;
};

[[nodiscard]] cublasLtMatmulAlgo_t packed(std::size_t index, Arithmetic arithmetic, cudaDataType_t operands);
/// Null where it is nothing that this library made.
[[nodiscard]] const AlgorithmContent* content_of(const cublasLtMatmulAlgo_t* algorithm);

}  // namespace warpmark::fakes
