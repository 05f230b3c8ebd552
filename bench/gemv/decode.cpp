// SPDX-License-Identifier: Apache-2.0
// What generating a token costs: a vector times the matrices of a model's layers, whose weights all have to come from
// memory.
#include <fmt/format.h>

#include "bench/gemm/transformer.h"
#include "harness/core/error.h"
#include "harness/measure/setup.h"
#include "kernels/check/gemv.h"
#include "kernels/gemv/gemv.h"

namespace warpmark {
namespace {

ops::Weights weights_of(const Case& at) { return ops::weights_of(at.kernel.variant); }

/// What distinguishes variants, as types do.
std::string_view name_of(ops::Weights weights) {
  return weights == ops::Weights::w16 ? "w16" : weights == ops::Weights::w8 ? "w8" : "w4";
}

std::string_view text_of(ops::Weights weights) {
  switch (weights) {
    case ops::Weights::w16: return "f16";
    case ops::Weights::w8: return "int8, a scale for each row";
    case ops::Weights::w4: return "4 bits, two to a byte, a scale for 128 columns of each row";
  }
  return "?";
}

LayerMatrix matrix_of(const Case& at) {
  const LayerMatrix matrix = layer_matrix(at);
  if (matrix.inputs % ops::gemv_group != 0)
    throw Skipped(
        fmt::format("every format of weights takes the same matrices, and four bits have a scale for {} columns: {} "
                    "are no multiple",
                    ops::gemv_group, matrix.inputs));
  return matrix;
}

Work decode_work(const Case& at, const DeviceInfo&) {
  const LayerMatrix matrix = matrix_of(at);
  const ops::Weights weights = weights_of(at);
  const auto rows = static_cast<double>(matrix.outputs);
  const auto columns = static_cast<double>(matrix.inputs);
  const auto element = static_cast<double>(size_of(at.kernel.dtype));
  const auto scales = static_cast<double>(ops::scales_of_row(weights, matrix.inputs));
  return {.bytes_read = rows * (columns * ops::weight_size(weights) + scales * element) + columns * element,
          .bytes_written = rows * element,
          .flops = 2 * rows * columns};
}

/// Operands of four bits are drawn two at a time.
const void* weights_for(Setup& s, std::size_t rows, std::size_t columns) {
  switch (weights_of(s.at())) {
    case ops::Weights::w16: return s.random_of(DType::f16, rows * columns, 1);
    case ops::Weights::w8: return s.random_of(DType::i8, rows * columns, 1);
    case ops::Weights::w4: return s.random_of(DType::i8, rows * columns / 2, 1);
  }
  return nullptr;
}

Turn decode_turn(Setup& s, const LayerMatrix& matrix) {
  const ops::Weights weights = weights_of(s.at());
  const std::size_t rows = matrix.outputs, columns = matrix.inputs;
  const std::size_t scales = rows * ops::scales_of_row(weights, columns);
  const ops::Gemv op{.y = s.poisoned(rows),
                     .x = s.random(columns, 2),
                     .w = weights_for(s, rows, columns),
                     .scales = scales == 0 ? nullptr : s.random(scales, 3),
                     .rows = rows,
                     .columns = columns};
  const ops::GemvCheck check{.op = op, .weights = weights, .n = rows};
  return {.launch = s.bind(op),
          .verify = [check](Verifier& v) { return Verdict{.error = v.run(check), .allowed = 1}; }};
}

Job decode_job(Setup& setup) {
  const LayerMatrix matrix = matrix_of(setup.at());
  const Work work = decode_work(setup.at(), setup.device().info());
  Job job{.turns =
              setup.rotate(static_cast<std::size_t>(work.bytes()), [&](Setup& s) { return decode_turn(s, matrix); })};
  setup.about()["weights"] = text_of(weights_of(setup.at()));
  setup.about()["arithmetic"] = name_of(weights_of(setup.at()));
  return job;
}

/// Operands take turns, three times the last-level cache of them: no weight is still there when it is needed again.
CeilingRule decode_ceiling(const Case&, const DeviceInfo& device) {
  if (device.last_level_cache_bytes > 0) return {.name = "memory_bandwidth"};
  return {.why_none = "the size of the last-level cache is not known, so the weights may lie there"};
}

const Registered decode{{.name = "gemv/decode",
                         .about = "y = W x as a language model generates a token, by model and matrix",
                         .axes = {model_axis(), {.name = "matrix", .values = {"qo", "kv", "up", "down"}}},
                         .modes = {Mode::isolated},
                         .kernels = table_of<ops::Gemv>(),
                         .rate = bandwidth,
                         .work = decode_work,
                         .ceiling = decode_ceiling,
                         .job = decode_job}};

}  // namespace
}  // namespace warpmark
