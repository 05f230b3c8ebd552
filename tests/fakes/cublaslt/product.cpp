// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/cublaslt/product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "harness/core/bf16.h"
#include "harness/core/f16.h"
#include "tests/kernels/e4m3.h"

namespace warpmark::fakes {
namespace {

/// To so many bits of fraction, ties to even. Not for numbers at either end of a narrow type's range.
float rounded(float value, unsigned fraction_bits) {
  const unsigned dropped = 23 - fraction_bits;
  auto bits = std::bit_cast<std::uint32_t>(value);
  bits += (1U << (dropped - 1)) - 1 + ((bits >> dropped) & 1U);
  return std::bit_cast<float>(bits >> dropped << dropped);
}

/// The matrix unit reads no more of an f32 than that.
float cut_to_tf32(float value) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000U); }

template <class T, class Sum>
std::vector<Sum> read(const void* from, std::size_t first, std::size_t count) {
  const T* const values = static_cast<const T*>(from) + first;
  std::vector<Sum> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<Sum>(static_cast<double>(values[i]));
  return all;
}

template <class Sum>
std::vector<Sum> operand(const Product& p, const void* from, std::size_t index, std::size_t count) {
  const std::size_t first = index * count;
  switch (p.operands) {
    case CUDA_R_64F: return read<double, Sum>(from, first, count);
    case CUDA_R_16F: return read<F16, Sum>(from, first, count);
    case CUDA_R_16BF: return read<Bf16, Sum>(from, first, count);
    case CUDA_R_8F_E4M3: return read<E4m3, Sum>(from, first, count);
    case CUDA_R_8I: return read<std::int8_t, Sum>(from, first, count);
    default: break;
  }
  std::vector<Sum> all = read<float, Sum>(from, first, count);
  if (p.arithmetic == Arithmetic::tf32)
    for (Sum& each : all) each = static_cast<Sum>(cut_to_tf32(static_cast<float>(each)));
  return all;
}

template <class T, class Sum>
void write(void* to, std::size_t first, const std::vector<Sum>& all) {
  T* const values = static_cast<T*>(to) + first;
  for (std::size_t i = 0; i < all.size(); ++i) values[i] = T(static_cast<double>(all[i]));
}

template <class Sum>
void store(const Product& p, std::size_t index, const std::vector<Sum>& all) {
  const std::size_t first = index * all.size();
  switch (p.result) {
    case CUDA_R_64F: return write<double>(p.d, first, all);
    case CUDA_R_16F: return write<F16>(p.d, first, all);
    case CUDA_R_16BF: return write<Bf16>(p.d, first, all);
    case CUDA_R_32I: return write<std::int32_t>(p.d, first, all);
    default: return write<float>(p.d, first, all);
  }
}

/// Column by column, however it lies.
template <class Sum>
std::vector<Sum> columns_of_a(const Product& p, std::size_t index) {
  std::vector<Sum> a = operand<Sum>(p, p.a, index, p.m * p.k);
  if (p.is_a_transposed == 0) return a;
  std::vector<Sum> columns(a.size());
  for (std::size_t i = 0; i < p.m; ++i)
    for (std::size_t l = 0; l < p.k; ++l) columns[l * p.m + i] = a[i * p.k + l];
  return columns;
}

/// One column of D.
template <class Sum>
void multiply(const Product& p, const std::vector<Sum>& a, const Sum* b, Sum* d) {
  std::fill(d, d + p.m, Sum{0});
  for (std::size_t l = 0; l < p.k; ++l) {
    for (std::size_t i = 0; i < p.m; ++i) d[i] += a[l * p.m + i] * b[l];
    if constexpr (sizeof(Sum) == sizeof(float) && !std::is_integral_v<Sum>) {
      if (p.arithmetic == Arithmetic::f16_sums)
        for (std::size_t i = 0; i < p.m; ++i) d[i] = rounded(d[i], 10);
    }
  }
}

template <class Sum>
void run(const Product& p) {
  for (std::size_t index = 0; index < p.batch; ++index) {
    const std::vector<Sum> a = columns_of_a<Sum>(p, index);
    const std::vector<Sum> b = operand<Sum>(p, p.b, index, p.k * p.n);
    std::vector<Sum> d(p.m * p.n);
    for (std::size_t j = 0; j < p.n; ++j) multiply(p, a, b.data() + j * p.k, d.data() + j * p.m);
    store(p, index, d);
  }
}

void run_any(const void* parameters) {
  const auto& p = *static_cast<const Product*>(parameters);
  switch (p.arithmetic) {
    case Arithmetic::f64: return run<double>(p);
    case Arithmetic::int32: return run<std::int32_t>(p);
    default: return run<float>(p);
  }
}

std::string_view unit_of(const Product& p) {
  switch (p.arithmetic) {
    case Arithmetic::f64: return "f64_matrix";
    case Arithmetic::f32: return "f32_fma";
    case Arithmetic::tf32: return "tf32_matrix";
    case Arithmetic::f16_sums: return "f16_acc16_matrix";
    case Arithmetic::int32: return "i8_matrix";
    case Arithmetic::f32_sums: break;
  }
  if (p.operands == CUDA_R_8F_E4M3) return "fp8_matrix";
  return p.operands == CUDA_R_16F ? "f16_matrix" : "bf16_matrix";
}

Work work_of(const void* parameters) {
  const auto& p = *static_cast<const Product*>(parameters);
  const std::size_t operand_bytes = p.batch * bytes_of(p.operands);
  const ByteRange a = range_of(p.a, p.m * p.k * operand_bytes);
  const ByteRange b = range_of(p.b, p.k * p.n * operand_bytes);
  const ByteRange d = range_of(p.d, p.m * p.n * p.batch * bytes_of(p.result));
  const double flops = 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) *
                       static_cast<double>(p.batch);
  return {.bytes = static_cast<double>(a.bytes() + b.bytes() + d.bytes()),
          .flops = flops / p.speed,
          .unit = unit_of(p),
          .touched = {a, b, d},
          .output = d,
          .output_element_bytes = bytes_of(p.result)};
}

}  // namespace

std::size_t bytes_of(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_8F_E4M3:
    case CUDA_R_8I: return 1;
    default: return 0;
  }
}

const Twin& product_twin() {
  static const Twin twin{
      .kernel = "cublasLtMatmul", .parameter_bytes = sizeof(Product), .run_thread = run_any, .work = work_of};
  return twin;
}

}  // namespace warpmark::fakes
