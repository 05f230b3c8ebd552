// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/cudnn/descriptors.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "tests/fakes/cudnn/real_library.h"

namespace warpmark::fakes {
namespace {

using ops::ConvolutionPass;
using Shadows = std::map<cudnnBackendDescriptor_t, std::shared_ptr<Shadow>>;

Shadows& shadows() {
  static Shadows all;
  return all;
}

std::size_t bytes_of_attribute(cudnnBackendAttributeType_t type) {
  switch (type) {
    case CUDNN_TYPE_INT64:
    case CUDNN_TYPE_DOUBLE:
    case CUDNN_TYPE_VOID_PTR: return 8;
    case CUDNN_TYPE_CHAR:
    case CUDNN_TYPE_BOOLEAN: return 1;
    default: return 4;  // enumerations, f32
  }
}

std::vector<cudnnBackendNumericalNote_t> notes_of(cudnnBackendDescriptor_t configuration) {
  std::array<cudnnBackendNumericalNote_t, 32> notes{};
  cudnnBackendDescriptor_t engine = nullptr;
  int64_t count = 0;
  if (real_cudnn().create(CUDNN_BACKEND_ENGINE_DESCRIPTOR, &engine) != CUDNN_STATUS_SUCCESS) return {};
  if (real_cudnn().get(configuration, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &engine) !=
          CUDNN_STATUS_SUCCESS ||
      real_cudnn().get(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, notes.size(), &count,
                       notes.data()) != CUDNN_STATUS_SUCCESS)
    count = 0;
  (void)real_cudnn().destroy(engine);
  return {notes.begin(), notes.begin() + count};
}

bool is_exact(cudnnBackendNumericalNote_t note) {
  return note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE || note == CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC ||
         note == CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP;
}

void rate_kind(const std::vector<std::shared_ptr<Shadow>>& of_kind, bool is_fallback) {
  const std::size_t fastest = std::min<std::size_t>(2, of_kind.size() - 1);
  for (std::size_t i = 0; i < of_kind.size(); ++i) {
    of_kind[i]->speed = is_fallback ? 0.4 : i == fastest ? 1 : i == 0 ? 0.8 : 0.6;
    of_kind[i]->refuses = !is_fallback && i == 1 && fastest == 2;
  }
}

struct PassNames {
  ConvolutionPass pass = ConvolutionPass::forward;
  int x = 0, filters = 0, y = 0, convolution = 0, alpha = 0, beta = 0;
};

PassNames names_of(cudnnBackendDescriptorType_t operation) {
  switch (operation) {
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      return {ConvolutionPass::forward,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
      return {ConvolutionPass::data_gradient,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return {ConvolutionPass::filter_gradient,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
    default: throw std::runtime_error("runs convolutions only");
  }
}

/// Dimensions in the order n, c, h, w. Channels have to lie last, without gaps.
std::vector<std::size_t> dimensions_of(const Shadow& tensor) {
  const auto dims = tensor.get<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS);
  const auto strides = tensor.get<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES);
  const std::vector<std::int64_t> dense{dims.at(1) * dims.at(2) * dims.at(3), 1, dims.at(3) * dims.at(1), dims.at(1)};
  if (dims.size() != 4 || strides != dense) throw std::runtime_error("knows no layout but channels last");
  return {dims.begin(), dims.end()};
}

ops::ConvolutionShape shape_of(const Shadow& operation, const PassNames& names) {
  const std::vector<std::size_t> x = dimensions_of(*operation.part(names.x));
  const std::vector<std::size_t> f = dimensions_of(*operation.part(names.filters));
  const std::vector<std::size_t> y = dimensions_of(*operation.part(names.y));
  const Shadow& convolution = *operation.part(names.convolution);
  const auto both = [&convolution](int name) {
    const auto values = convolution.get<std::int64_t>(name);
    if (values.size() != 2 || values[0] != values[1]) throw std::runtime_error("knows only what is the same both ways");
    return static_cast<std::size_t>(values[0]);
  };
  const ops::ConvolutionShape shape{.n = x[0],
                                    .c = x[1],
                                    .h = x[2],
                                    .w = x[3],
                                    .k = f[0],
                                    .r = f[2],
                                    .s = f[3],
                                    .stride = both(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES),
                                    .padding = both(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS)};
  if (f[1] != shape.c || y != std::vector{shape.n, shape.k, shape.p(), shape.q()} ||
      both(CUDNN_ATTR_CONVOLUTION_DILATIONS) != 1 || both(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS) != shape.padding)
    throw std::runtime_error("was told shapes that do not fit together");
  if (operation.get<float>(names.alpha).at(0) != 1 || operation.get<float>(names.beta).at(0) != 0)
    throw std::runtime_error("knows no alpha but 1 and no beta but 0");
  return shape;
}

void* place_of(const Shadow& arrays, const Shadow& tensor) {
  const auto ids = arrays.get<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto places = arrays.get<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  const std::int64_t id = tensor.get<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID).at(0);
  return places.at(static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin()));
}

SimulatedConvolution read_execution(const Shadow& plan, const Shadow& arrays) {
  const Shadow& configuration = *plan.part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  const Shadow& operation = *configuration.graph->part(CUDNN_ATTR_OPERATIONGRAPH_OPS);
  const PassNames names = names_of(operation.type);
  void* const x = place_of(arrays, *operation.part(names.x));
  void* const filters = place_of(arrays, *operation.part(names.filters));
  void* const y = place_of(arrays, *operation.part(names.y));
  SimulatedConvolution all{.op = {.pass = names.pass, .shape = shape_of(operation, names)}};
  all.op.x = names.pass == ConvolutionPass::data_gradient ? nullptr : x;
  all.op.filters = names.pass == ConvolutionPass::filter_gradient ? nullptr : filters;
  all.op.y = names.pass == ConvolutionPass::forward ? nullptr : y;
  all.op.result = names.pass == ConvolutionPass::forward         ? y
                  : names.pass == ConvolutionPass::data_gradient ? x
                                                                 : filters;
  all.type = operation.part(names.x)->get<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE).at(0);
  all.by_matrix_unit = configuration.uses_matrix_unit ? 1 : 0;
  all.is_coarse = configuration.is_coarse ? 1 : 0;
  all.speed = configuration.speed;
  return all;
}

}  // namespace

std::shared_ptr<Shadow> shadow_of(cudnnBackendDescriptor_t descriptor) {
  const auto found = shadows().find(descriptor);
  return found == shadows().end() ? nullptr : found->second;
}

void add_shadow(cudnnBackendDescriptor_t descriptor, cudnnBackendDescriptorType_t type) {
  auto made = std::make_shared<Shadow>();
  made->type = type;
  shadows()[descriptor] = std::move(made);
}

void drop_shadow(cudnnBackendDescriptor_t descriptor) { shadows().erase(descriptor); }

void note_attribute(Shadow& of, int name, cudnnBackendAttributeType_t type, std::int64_t count, const void* values) {
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
    of.parts[name] = shadow_of(*static_cast<const cudnnBackendDescriptor_t*>(values));
    return;
  }
  const auto* const bytes = static_cast<const std::byte*>(values);
  of.values[name].assign(bytes, bytes + static_cast<std::size_t>(count) * bytes_of_attribute(type));
}

void rate_engines(const Shadow& heuristics, const cudnnBackendDescriptor_t* configurations, std::size_t count) {
  const bool is_fallback =
      heuristics.get<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE).at(0) == CUDNN_HEUR_MODE_FALLBACK;
  std::array<std::vector<std::shared_ptr<Shadow>>, 2> kinds;
  for (std::size_t i = 0; i < count; ++i) {
    const std::shared_ptr<Shadow> shadow = shadow_of(configurations[i]);
    if (!shadow) continue;
    const auto notes = notes_of(configurations[i]);
    shadow->graph = heuristics.part(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
    shadow->uses_matrix_unit = std::find(notes.begin(), notes.end(), CUDNN_NUMERICAL_NOTE_TENSOR_CORE) != notes.end();
    shadow->is_coarse = !std::all_of(notes.begin(), notes.end(), is_exact);
    shadow->speed = 2;
    if (!shadow->is_coarse) kinds.at(shadow->uses_matrix_unit ? 1 : 0).push_back(shadow);
  }
  for (const auto& kind : kinds)
    if (!kind.empty()) rate_kind(kind, is_fallback);
}

std::optional<SimulatedConvolution> execution_of(const Shadow& plan, const Shadow& arrays) {
  try {
    return read_execution(plan, arrays);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simulated cuDNN: cudnnBackendExecute %s\n", error.what());
    return std::nullopt;
  }
}

}  // namespace warpmark::fakes
