// SPDX-License-Identifier: Apache-2.0
#include "bench/gemm/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/gemm/transformer.h"
#include "harness/core/bf16.h"
#include "harness/core/error.h"
#include "harness/core/units.h"
#include "kernels/check/freivalds.h"

namespace warpmark {
namespace {

/// The type of C.
DType result_of(DType dtype) { return dtype == DType::e4m3 ? DType::bf16 : dtype; }

bool is_narrow(DType dtype) { return result_of(dtype) == DType::bf16 || dtype == DType::f16; }

std::size_t result_bytes(DType dtype) { return dtype == DType::i8 ? sizeof(std::int32_t) : size_of(result_of(dtype)); }

void* result(Setup& s, std::size_t n) {
  const DType dtype = s.at().kernel.dtype;
  if (dtype == DType::i8) return s.poisoned_as<std::int32_t>(n);
  if (dtype == DType::e4m3) return s.poisoned_as<Bf16>(n);
  return s.poisoned(n);
}

Turn gemm_turn(Setup& s, const GemmShape& shape) {
  const DType dtype = s.at().kernel.dtype;
  const Rounding rounding = kernel_of<ops::Gemm>(s.at().kernel).rounding;
  const ops::Gemm op{.c = result(s, shape.batch * shape.m * shape.n),
                     .a = s.random(shape.batch * shape.m * shape.k, 1),
                     .b = s.random(shape.batch * shape.k * shape.n, 2),
                     .m = shape.m,
                     .n = shape.n,
                     .k = shape.k,
                     .batch = shape.batch};
  const ops::Freivalds check{.c = op.c,
                             .a = op.a,
                             .b = op.b,
                             .m = op.m,
                             .n = op.n,
                             .k = op.k,
                             .batch = op.batch,
                             .columns = gemm_columns_checked(shape, dtype, rounding),
                             .seed = 7};
  return {.launch = s.bind(op), .verify = [check, shape, rounding](Verifier& v) {
            return Verdict{.error = v.run(check), .allowed = gemm_allowed_error(shape, v.dtype(), rounding)};
          }};
}

/// The ceiling of a type's products, for kernels that name none: those of the CPU, which take whatever unit is best.
struct Unit {
  DType dtype = DType::f64;
  std::string_view name{};
};
constexpr std::array<Unit, 4> units{
    {{DType::f64, "f64_fma"}, {DType::f32, "f32_fma"}, {DType::bf16, "bf16_dot"}, {DType::i8, "i8_dot"}}};

}  // namespace

GemmShape layer_shape(const Case& at) {
  const LayerMatrix matrix = layer_matrix(at);
  return {.m = static_cast<std::size_t>(at.integer("tokens")), .n = matrix.outputs, .k = matrix.inputs};
}

Work gemm_work(const GemmShape& shape, DType dtype) {
  const auto m = static_cast<double>(shape.m);
  const auto n = static_cast<double>(shape.n);
  const auto k = static_cast<double>(shape.k);
  const auto batch = static_cast<double>(shape.batch);
  return {.bytes_read = batch * (m * k + k * n) * static_cast<double>(size_of(dtype)),
          .bytes_written = batch * m * n * static_cast<double>(result_bytes(dtype)),
          .flops = batch * 2 * m * n * k};
}

Job gemm_job(Setup& setup, const GemmShape& shape) {
  const Work work = gemm_work(shape, setup.at().kernel.dtype);
  // Long before sizes multiply to more than an integer holds, which would leave small buffers for large matrices.
  constexpr double most_bytes = 0x1p60;
  if (work.bytes() > most_bytes)
    throw Skipped(fmt::format("its matrices are {}, more than any memory holds", format_bytes(work.bytes())));
  return {.turns = setup.rotate(static_cast<std::size_t>(work.bytes()), [&](Setup& s) { return gemm_turn(s, shape); })};
}

std::size_t gemm_columns_checked(const GemmShape& shape, DType dtype, const Rounding& rounding) {
  constexpr std::size_t of_coarse_sums = 16;
  constexpr std::size_t of_narrow_results = 256;
  if (rounding.of_sums > 0) return std::min(shape.n, of_coarse_sums);
  return is_narrow(dtype) || rounding.of_operands > 0 ? std::min(shape.n, of_narrow_results) : shape.n;
}

double gemm_allowed_error(const GemmShape& shape, DType dtype, const Rounding& rounding) {
  if (dtype == DType::i8) return 0;
  const auto k = static_cast<double>(shape.k);
  const auto columns = static_cast<double>(gemm_columns_checked(shape, dtype, rounding));
  const double epsilon = epsilon_of(result_of(dtype));
  const double stored =
      is_narrow(dtype) ? epsilon * (1 + std::sqrt(k * columns) / 2) : epsilon * k * std::sqrt(columns);
  const double of_operands = rounding.of_operands * 2 * (1 + std::sqrt(k * columns));
  const double of_sums = rounding.of_sums * k * std::sqrt(columns) / 2;
  return stored + of_operands + of_sums;
}

CeilingRule gemm_ceiling(const Case& at, const DeviceInfo& device) {
  if (const std::string_view unit = table_of<ops::Gemm>().unit(at.kernel); !unit.empty()) return {.name = unit};
  for (const Unit& each : units)
    if (each.dtype == at.kernel.dtype && device.ceilings.find(each.name) != device.ceilings.end())
      return {.name = each.name};
  return {.why_none = "nothing tells the peak of " + std::string(name_of(at.kernel.dtype)) + " on this device"};
}

}  // namespace warpmark
