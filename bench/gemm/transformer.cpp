// SPDX-License-Identifier: Apache-2.0
#include "bench/gemm/transformer.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.h"

namespace warpmark {
namespace {

struct Model {
  std::size_t hidden = 0;
  std::size_t kv = 0;
  std::size_t intermediate = 0;
};

// Grattafiori et al. 2024, "The Llama 3 Herd of Models", table 3: eight heads of 128 for keys and values in either.
constexpr Model of_8b{.hidden = 4096, .kv = 1024, .intermediate = 14336};
constexpr Model of_70b{.hidden = 8192, .kv = 1024, .intermediate = 28672};

Model model_of_size(std::int64_t hidden) {
  if (hidden <= 0) throw Skipped("the hidden size of a model has to be at least 1");
  // No machine holds the matrices of a larger one, and nothing that is worked out from this one overflows.
  const auto size = std::min(static_cast<std::size_t>(hidden), std::size_t{1} << 40U);
  return {.hidden = size, .kv = std::max<std::size_t>(size / 4, 1), .intermediate = size * 7 / 2};
}

Model model_of(const Case& at) {
  const AxisValue& value = at["model"];
  if (const auto* const hidden = std::get_if<std::int64_t>(&value)) return model_of_size(*hidden);
  const std::string& name = std::get<std::string>(value);
  if (name == "8b") return of_8b;
  if (name == "70b") return of_70b;
  throw Skipped(fmt::format("there is no model {}; take 8b, 70b, or an integer, the hidden size of another", name));
}

}  // namespace

Axis model_axis() { return {.name = "model", .values = {"8b", "70b"}, .takes_integers = true}; }

Axis tokens_axis() { return {.name = "tokens", .values = {1, 16, 512, 4096}}; }

LayerMatrix layer_matrix(const Case& at) {
  const Model model = model_of(at);
  const std::string matrix = text_of(at["matrix"]);
  if (matrix == "qo") return {.inputs = model.hidden, .outputs = model.hidden};
  if (matrix == "kv") return {.inputs = model.hidden, .outputs = model.kv};
  if (matrix == "up") return {.inputs = model.hidden, .outputs = model.intermediate};
  if (matrix == "down") return {.inputs = model.intermediate, .outputs = model.hidden};
  throw Skipped(fmt::format("no layer has a matrix {}; take qo, kv, up or down", matrix));
}

}  // namespace warpmark
