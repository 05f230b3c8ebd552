// SPDX-License-Identifier: Apache-2.0
// The ways in which cublasLt is asked to multiply, by type.
#pragma once

#include <cstddef>
#include <string_view>

#include "kernels/gemm/cublaslt_matmul_cuda.h"

namespace warpmark::cuda {

/// A way to multiply, apart from sizes.
struct Recipe {
  std::string_view name{};
  MatmulTypes types{};
  bool transposed_b = false;
  bool plain_f32 = false;         // algorithms have to prove that they round nothing
  int capability = 0;             // of the chip, at least
  std::size_t multiple = 1;       // what n and k have to be of
  std::size_t operand_bytes = 0;  // only where B is transposed
};

inline constexpr Recipe recipe_of_f64{
    .name = "f64",
    .types = {.compute = CUBLAS_COMPUTE_64F, .scale = CUDA_R_64F, .operands = CUDA_R_64F, .result = CUDA_R_64F}};
inline constexpr Recipe recipe_of_f32{
    .name = "f32", .types = {.compute = CUBLAS_COMPUTE_32F_PEDANTIC}, .plain_f32 = true};
inline constexpr Recipe recipe_of_tf32{
    .name = "tf32", .types = {.compute = CUBLAS_COMPUTE_32F_FAST_TF32}, .capability = 80};
inline constexpr Recipe recipe_of_f16{
    .name = "f16", .types = {.operands = CUDA_R_16F, .result = CUDA_R_16F}, .operand_bytes = 2};
inline constexpr Recipe recipe_of_f16_acc16{
    .name = "f16",
    .types = {.compute = CUBLAS_COMPUTE_16F, .scale = CUDA_R_16F, .operands = CUDA_R_16F, .result = CUDA_R_16F}};
inline constexpr Recipe recipe_of_bf16{
    .name = "bf16", .types = {.operands = CUDA_R_16BF, .result = CUDA_R_16BF}, .capability = 80, .operand_bytes = 2};
inline constexpr Recipe recipe_of_f16_tn{
    .name = "f16", .types = recipe_of_f16.types, .transposed_b = true, .operand_bytes = 2};
inline constexpr Recipe recipe_of_bf16_tn{
    .name = "bf16", .types = recipe_of_bf16.types, .transposed_b = true, .capability = 80, .operand_bytes = 2};
inline constexpr Recipe recipe_of_i8_tn{
    .name = "int8",
    .types = {.compute = CUBLAS_COMPUTE_32I, .scale = CUDA_R_32I, .operands = CUDA_R_8I, .result = CUDA_R_32I},
    .transposed_b = true,
    .capability = 75,
    .multiple = 4,
    .operand_bytes = 1};
inline constexpr Recipe recipe_of_e4m3_tn{.name = "fp8",
                                          .types = {.operands = CUDA_R_8F_E4M3, .result = CUDA_R_16BF},
                                          .transposed_b = true,
                                          .capability = 89,
                                          .multiple = 16,
                                          .operand_bytes = 1};

/// All of them.
inline constexpr const Recipe* recipes[] = {
    &recipe_of_f64,  &recipe_of_f32,    &recipe_of_tf32,    &recipe_of_f16,   &recipe_of_f16_acc16,
    &recipe_of_bf16, &recipe_of_f16_tn, &recipe_of_bf16_tn, &recipe_of_i8_tn, &recipe_of_e4m3_tn};

}  // namespace warpmark::cuda
