// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/cudnn_graph_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/core/error.h"

namespace warpmark::cuda {
namespace {

using ops::ConvolutionPass;

constexpr std::int64_t id_of_x = 'x';
constexpr std::int64_t id_of_filters = 'f';
constexpr std::int64_t id_of_y = 'y';
constexpr std::int64_t alignment_bytes = 16;

/// Which of the library's attributes describe a pass.
struct PassNames {
  cudnnBackendDescriptorType_t operation{};
  cudnnBackendAttributeName_t x{}, filters{}, y{}, convolution{}, alpha{}, beta{};
};

PassNames names_of(ConvolutionPass pass) {
  if (pass == ConvolutionPass::forward)
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
  if (pass == ConvolutionPass::data_gradient)
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
  return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
          CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
}

CudnnDescriptor tensor(const Cudnn& dnn, std::int64_t id, cudnnDataType_t type, std::array<std::size_t, 4> nchw) {
  std::array<std::int64_t, 4> dims{};
  std::copy(nchw.begin(), nchw.end(), dims.begin());
  const std::array<std::int64_t, 4> strides{dims[1] * dims[2] * dims[3], 1, dims[3] * dims[1], dims[1]};
  CudnnDescriptor made(dnn, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
  made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
  made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, dims.size(), dims.data());
  made.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, strides.size(), strides.data());
  made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment_bytes);
  made.finalize();
  return made;
}

CudnnDescriptor convolution(const Cudnn& dnn, const ops::ConvolutionShape& shape) {
  const cudnnDataType_t sums = CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;  // filters are not mirrored
  const auto both = [](std::size_t value) {
    return std::array<std::int64_t, 2>{static_cast<std::int64_t>(value), static_cast<std::int64_t>(value)};
  };
  CudnnDescriptor made(dnn, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 2);
  made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &sums);
  made.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
  made.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, 2, both(shape.padding).data());
  made.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, 2, both(shape.padding).data());
  made.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, 2, both(1).data());
  made.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, 2, both(shape.stride).data());
  made.finalize();
  return made;
}

constexpr std::array<std::string_view, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> note_names{"tensor_core",
                                                                                   "down_convert_inputs",
                                                                                   "reduced_precision_reduction",
                                                                                   "fft",
                                                                                   "nondeterministic",
                                                                                   "winograd",
                                                                                   "winograd_tile_4x4",
                                                                                   "winograd_tile_6x6",
                                                                                   "winograd_tile_13x13",
                                                                                   "strict_nan_prop"};
constexpr std::array<std::string_view, 5> behavior_names{"runtime_compilation", "requires_filter_int8x32_reorder",
                                                         "requires_bias_int8x32_reorder",
                                                         "supports_cuda_graph_native_api", "cublaslt_dependency"};

/// By number where the library is newer than its header here.
template <class Note, std::size_t n>
nlohmann::json names_in(const std::vector<Note>& notes, const std::array<std::string_view, n>& names) {
  nlohmann::json all = nlohmann::json::array();
  for (const Note note : notes) {
    const auto index = static_cast<std::size_t>(note);
    all.push_back(index < n ? std::string(names.at(index)) : fmt::format("note {}", index));
  }
  return all;
}

template <class Note>
std::vector<Note> notes_of(const CudnnDescriptor& engine, cudnnBackendAttributeName_t name,
                           cudnnBackendAttributeType_t type) {
  std::vector<Note> notes(32);
  notes.resize(std::min(notes.size(), engine.get(name, type, notes.size(), notes.data())));
  return notes;
}

}  // namespace

CudnnDescriptor::CudnnDescriptor(const Cudnn& dnn, cudnnBackendDescriptorType_t type)
    : dnn_(&dnn), owned_(nullptr, dnn.BackendDestroyDescriptor) {
  cudnnBackendDescriptor_t made = nullptr;
  check(dnn, dnn.BackendCreateDescriptor(type, &made), "cudnnBackendCreateDescriptor",
        fmt::format("type {}", static_cast<int>(type)));
  owned_.reset(made);
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t count,
                          const void* values) {
  check(*dnn_, dnn_->BackendSetAttribute(handle(), name, type, static_cast<std::int64_t>(count), values),
        "cudnnBackendSetAttribute", fmt::format("attribute {}", static_cast<int>(name)));
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, const CudnnDescriptor& value) {
  cudnnBackendDescriptor_t other = value.handle();
  set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &other);
}

void CudnnDescriptor::finalize() { check(*dnn_, try_to_finalize(), "cudnnBackendFinalize"); }

cudnnStatus_t CudnnDescriptor::try_to_finalize() { return dnn_->BackendFinalize(handle()); }

std::size_t CudnnDescriptor::get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t most,
                                 void* values) const {
  std::int64_t count = 0;
  check(*dnn_, dnn_->BackendGetAttribute(handle(), name, type, static_cast<std::int64_t>(most), &count, values),
        "cudnnBackendGetAttribute", fmt::format("attribute {}", static_cast<int>(name)));
  return static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
}

std::int64_t CudnnDescriptor::integer(cudnnBackendAttributeName_t name) const {
  std::int64_t value = 0;
  get(name, CUDNN_TYPE_INT64, 1, &value);
  return value;
}

bool CudnnEngine::has(cudnnBackendNumericalNote_t note) const {
  return std::find(notes.begin(), notes.end(), note) != notes.end();
}

bool is_direct(const CudnnEngine& engine) {
  for (const auto note :
       {CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION,
        CUDNN_NUMERICAL_NOTE_FFT, CUDNN_NUMERICAL_NOTE_WINOGRAD, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4,
        CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13})
    if (engine.has(note)) return false;
  return true;
}

bool is_plain_f32(const CudnnEngine& engine) {
  return is_direct(engine) && !engine.has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
}

nlohmann::json about(const CudnnEngine& engine) {
  return {{"engine",
           {{"id", engine.id},
            {"notes", names_in(engine.notes, note_names)},
            {"behavior", names_in(engine.behavior, behavior_names)}}},
          {"heuristic",
           {{"rank", engine.rank}, {"of", engine.of}, {"list", engine.is_fallback ? "fallback" : "by model"}}}};
}

CudnnConvolution::CudnnConvolution(const Cudnn& dnn, cudnnHandle_t handle, const ops::Convolution& op,
                                   cudnnDataType_t type)
    : dnn_(dnn),
      handle_(handle),
      operation_(operation(op, type)),
      graph_(dnn, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR) {
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation_);
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle_);
  graph_.finalize();
}

CudnnDescriptor CudnnConvolution::operation(const ops::Convolution& op, cudnnDataType_t type) const {
  const ops::ConvolutionShape& s = op.shape;
  const PassNames names = names_of(op.pass);
  const float one = 1;
  const float zero = 0;
  CudnnDescriptor made(dnn_, names.operation);
  made.set(names.x, tensor(dnn_, id_of_x, type, {s.n, s.c, s.h, s.w}));
  made.set(names.filters, tensor(dnn_, id_of_filters, type, {s.k, s.c, s.r, s.s}));
  made.set(names.y, tensor(dnn_, id_of_y, type, {s.n, s.k, s.p(), s.q()}));
  made.set(names.convolution, convolution(dnn_, s));
  made.set(names.alpha, CUDNN_TYPE_FLOAT, 1, &one);
  made.set(names.beta, CUDNN_TYPE_FLOAT, 1, &zero);
  made.finalize();
  return made;
}

std::vector<CudnnEngine> CudnnConvolution::engines() const {
  std::vector<CudnnEngine> all;
  add_engines(CUDNN_HEUR_MODE_A, all);
  add_engines(CUDNN_HEUR_MODE_FALLBACK, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].rank = static_cast<int>(i) + 1;
    all[i].of = static_cast<int>(all.size());
  }
  return all;
}

void CudnnConvolution::add_engines(cudnnBackendHeurMode_t mode, std::vector<CudnnEngine>& all) const {
  CudnnDescriptor heuristics(dnn_, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph_);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
  const cudnnStatus_t status = heuristics.try_to_finalize();
  if (is_refusal(status)) return;  // it knows none
  check(dnn_, status, "cudnnBackendFinalize", "heuristics");
  // The first answer is an upper bound, the second what there is.
  const std::size_t most = heuristics.get(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, nullptr);
  std::vector<std::shared_ptr<CudnnDescriptor>> found;
  std::vector<cudnnBackendDescriptor_t> handles;
  for (std::size_t i = 0; i < most; ++i) {
    found.push_back(std::make_shared<CudnnDescriptor>(dnn_, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
    handles.push_back(found.back()->handle());
  }
  if (most == 0) return;
  const std::size_t count =
      heuristics.get(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, most, handles.data());
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    const CudnnDescriptor engine(dnn_, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t handle = engine.handle();
    found[i]->get(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &handle);
    CudnnEngine& made = all.emplace_back();
    made.configuration = found[i];
    made.id = engine.integer(CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
    made.notes =
        notes_of<cudnnBackendNumericalNote_t>(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE);
    made.behavior =
        notes_of<cudnnBackendBehaviorNote_t>(engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE);
    made.is_fallback = mode == CUDNN_HEUR_MODE_FALLBACK;
  }
}

std::shared_ptr<CudnnDescriptor> CudnnConvolution::plan(const CudnnEngine& engine, std::string& why) const {
  auto made = std::make_shared<CudnnDescriptor>(dnn_, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  made->set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle_);
  made->set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, *engine.configuration);
  const cudnnStatus_t status = made->try_to_finalize();
  if (is_of_one_engine(status)) {
    why = text_of(dnn_, status);
    return nullptr;
  }
  check(dnn_, status, "cudnnBackendFinalize", "a plan");
  return made;
}

std::shared_ptr<CudnnDescriptor> CudnnConvolution::arrays(const ops::Convolution& op, void* workspace) const {
  const std::array<std::int64_t, 3> ids{id_of_x, id_of_filters, id_of_y};
  const auto or_result = [&op](const void* given) { return given == nullptr ? op.result : const_cast<void*>(given); };
  const std::array<void*, 3> places{or_result(op.x), or_result(op.filters), or_result(op.y)};
  auto made = std::make_shared<CudnnDescriptor>(dnn_, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  made->set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids.size(), ids.data());
  made->set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, places.size(), places.data());
  made->set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
  made->finalize();
  return made;
}

}  // namespace warpmark::cuda
