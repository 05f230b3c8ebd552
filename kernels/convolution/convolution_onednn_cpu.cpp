// SPDX-License-Identifier: Apache-2.0
// The convolutions of oneDNN, in its 2.x and 3.x interfaces. Variants: onednn has every array in the layout that the
// library likes best; onednn-nhwc has images channels last, as they are, and only filters in the library's layout. What
// is given is brought there once, while binding; the result is brought back for checks.
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/error.h"
#include "harness/core/kernel.h"
#include "kernels/convolution/convolution.h"
#include "kernels/library/onednn_cpu.h"

namespace warpmark::cpu {
namespace {

using dnnl::memory;
using ops::ConvolutionPass;
using Dims = memory::dims;

enum class Layout : std::uint8_t { of_library, images_as_given };

memory::data_type type_of(DType dtype) {
  return dtype == DType::bf16 ? memory::data_type::bf16 : memory::data_type::f32;
}

struct Arrays {
  memory::desc x{};
  memory::desc filters{};
  memory::desc y{};
};

Arrays described(const ops::ConvolutionShape& s, DType dtype, memory::format_tag images, memory::format_tag filters) {
  const auto dims = [](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    return Dims{static_cast<memory::dim>(a), static_cast<memory::dim>(b), static_cast<memory::dim>(c),
                static_cast<memory::dim>(d)};
  };
  const memory::data_type type = type_of(dtype);
  return {.x = {dims(s.n, s.c, s.h, s.w), type, images},
          .filters = {dims(s.k, s.c, s.r, s.s), type, filters},
          .y = {dims(s.n, s.k, s.p(), s.q()), type, images}};
}

Arrays as_the_contract_has_them(const ops::ConvolutionShape& shape, DType dtype) {
  return described(shape, dtype, memory::format_tag::nhwc, memory::format_tag::ohwi);
}

/// A primitive and the layouts that it was made for.
struct Plan {
  dnnl::primitive primitive{};
  Arrays arrays{};
  std::string implementation{};
};

class Planner {
 public:
  Planner(const dnnl::engine& engine, const ops::ConvolutionShape& s, Arrays wanted)
      : engine_(engine),
        wanted_(std::move(wanted)),
        strides_(2, static_cast<memory::dim>(s.stride)),
        padding_(2, static_cast<memory::dim>(s.padding)) {}

  [[nodiscard]] Plan plan(ConvolutionPass pass) const {
    if (pass == ConvolutionPass::forward) {
      const dnnl::convolution_forward::primitive_desc made = forward(dnnl::prop_kind::forward_inference);
      return {dnnl::convolution_forward(made),
              {made.src_desc(), made.weights_desc(), made.dst_desc()},
              made.impl_info_str()};
    }
    // Gradients are planned beside the forward pass that they belong to.
    const dnnl::convolution_forward::primitive_desc hint = forward(dnnl::prop_kind::forward_training);
    if (pass == ConvolutionPass::data_gradient) {
      const auto made = backward<dnnl::convolution_backward_data>(wanted_.x, wanted_.filters, hint);
      return {dnnl::convolution_backward_data(made),
              {made.diff_src_desc(), made.weights_desc(), made.diff_dst_desc()},
              made.impl_info_str()};
    }
    const auto made = backward<dnnl::convolution_backward_weights>(wanted_.x, wanted_.filters, hint);
    return {dnnl::convolution_backward_weights(made),
            {made.src_desc(), made.diff_weights_desc(), made.diff_dst_desc()},
            made.impl_info_str()};
  }

 private:
  static constexpr auto direct = dnnl::algorithm::convolution_direct;

  [[nodiscard]] dnnl::convolution_forward::primitive_desc forward(dnnl::prop_kind kind) const {
#if DNNL_VERSION_MAJOR >= 3
    return {engine_, kind, direct, wanted_.x, wanted_.filters, wanted_.y, strides_, padding_, padding_};
#else
    return {{kind, direct, wanted_.x, wanted_.filters, wanted_.y, strides_, padding_, padding_}, engine_};
#endif
  }

  template <class Gradient>
  [[nodiscard]] typename Gradient::primitive_desc backward(
      const memory::desc& first, const memory::desc& second,
      const dnnl::convolution_forward::primitive_desc& hint) const {
#if DNNL_VERSION_MAJOR >= 3
    return {engine_, direct, first, second, wanted_.y, strides_, padding_, padding_, hint};
#else
    return {{direct, first, second, wanted_.y, strides_, padding_, padding_}, engine_, hint};
#endif
  }

  dnnl::engine engine_;
  Arrays wanted_;
  Dims strides_;
  Dims padding_;
};

/// One pass over one layer and its operands, ready to run.
class Layer {
 public:
  Layer(Stream& stream, const ops::Convolution& op, DType dtype, Layout layout)
      : given_(as_the_contract_has_them(op.shape, dtype)),
        plan_(Planner(engine_, op.shape,
                      described(op.shape, dtype,
                                layout == Layout::of_library ? memory::format_tag::any : memory::format_tag::nhwc,
                                memory::format_tag::any))
                  .plan(op.pass)) {
    // What it does not know it computes by a loop that is hundreds of times slower, which says nothing about the CPU.
    if (plan_.implementation.starts_with("ref"))
      throw Unsupported("oneDNN " + onednn_version() + " has only its reference loop for this layer on this CPU");
    set_operands(stream, op);
  }

  void run() {
    plan_.primitive.execute(stream_, operands_);
    stream_.wait();
  }

  [[nodiscard]] bool is_result_plain() const { return !plain_buffer_; }

  /// Brings the result into the contract's layout.
  [[nodiscard]] const void* plain_result() {
    dnnl::reorder(result_, plain_).execute(stream_, result_, plain_);
    stream_.wait();
    return plain_buffer_->data();
  }

  [[nodiscard]] nlohmann::json about() const {
    nlohmann::json all = about_onednn(plan_.implementation);
    const auto whose = [](const memory::desc& used, const memory::desc& given, const char* name) {
      return used == given ? name : "the library's own";
    };
    all["layouts"] = {{"x", whose(plan_.arrays.x, given_.x, "nhwc")},
                      {"filters", whose(plan_.arrays.filters, given_.filters, "krsc")},
                      {"y", whose(plan_.arrays.y, given_.y, "npqk")}};
    return all;
  }

 private:
  void set_operands(Stream& stream, const ops::Convolution& op) {
    const Arrays& used = plan_.arrays;
    switch (op.pass) {
      case ConvolutionPass::forward:
        operands_ = {{DNNL_ARG_SRC, packed(op.x, given_.x, used.x)},
                     {DNNL_ARG_WEIGHTS, packed(op.filters, given_.filters, used.filters)},
                     {DNNL_ARG_DST, result(stream, op, given_.y, used.y)}};
        break;
      case ConvolutionPass::data_gradient:
        operands_ = {{DNNL_ARG_DIFF_SRC, result(stream, op, given_.x, used.x)},
                     {DNNL_ARG_WEIGHTS, packed(op.filters, given_.filters, used.filters)},
                     {DNNL_ARG_DIFF_DST, packed(op.y, given_.y, used.y)}};
        break;
      case ConvolutionPass::filter_gradient:
        operands_ = {{DNNL_ARG_SRC, packed(op.x, given_.x, used.x)},
                     {DNNL_ARG_DIFF_WEIGHTS, result(stream, op, given_.filters, used.filters)},
                     {DNNL_ARG_DIFF_DST, packed(op.y, given_.y, used.y)}};
        break;
    }
  }

  /// In the layout that is used: as it is, or a copy.
  memory packed(const void* data, const memory::desc& given, const memory::desc& used) {
    memory as_given(given, engine_, const_cast<void*>(data));  // the interface takes no const
    if (given == used) return as_given;
    memory copy(used, engine_);
    dnnl::reorder(as_given, copy).execute(stream_, as_given, copy);
    stream_.wait();
    return copy;
  }

  memory result(Stream& stream, const ops::Convolution& op, const memory::desc& given, const memory::desc& used) {
    if (used.get_size() > given.get_size())
      throw Unsupported("oneDNN " + onednn_version() +
                        " would fill up the channels of this layer's result: " + "onednn-nhwc takes them as they are");
    result_ = memory(used, engine_, op.result);
    if (given == used) return result_;
    plain_buffer_ = std::make_unique<Buffer>(stream.device().allocate(given.get_size()));
    plain_ = memory(given, engine_, plain_buffer_->data());
    return result_;
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  Arrays given_;
  Plan plan_;
  std::unordered_map<int, memory> operands_{};
  memory result_{};
  memory plain_{};
  std::unique_ptr<Buffer> plain_buffer_{};
};

template <DType dtype, Layout layout>
Bound bind(Stream& stream, const ops::Convolution& op) {
  // OpenMP starts its threads at the first call, on the CPUs that the calling thread may use at that moment: all, not
  // the one it is pinned to.
  const Unpinned everywhere(pool_of(stream));
  use_onednn_threads(pool_of(stream).size());
  return by_onednn("convolution", [&] {
    const auto layer = std::make_shared<Layer>(stream, op, dtype, layout);
    layer->run();
    Bound bound{.launch = [layer](Stream&) { layer->run(); }, .about = layer->about()};
    if (!layer->is_result_plain()) bound.plain_result = [layer](Stream&) { return layer->plain_result(); };
    return bound;
  });
}

std::string lacks_bf16(const Device&, const Case&) {
  return supported(Isa::avx512_bf16) || supported(Isa::amx_bf16) ? "" : lacks_bf16_instructions;
}

std::string lacks_f16(const Device&, const Case&) {
  return "this program has no f16 convolution on the CPU: oneDNN 2 has none";
}

using Convolution = Implements<ops::Convolution>;
const Convolution f32{
    {.id = {"cpu", "onednn", DType::f32}, .bind = bind<DType::f32, Layout::of_library>, .unit = "f32_fma"}};
const Convolution f32_nhwc{
    {.id = {"cpu", "onednn-nhwc", DType::f32}, .bind = bind<DType::f32, Layout::images_as_given>, .unit = "f32_fma"}};
const Convolution bf16{{.id = {"cpu", "onednn", DType::bf16},
                        .bind = bind<DType::bf16, Layout::of_library>,
                        .unsupported = lacks_bf16,
                        .unit = "bf16_dot"}};
const Convolution bf16_nhwc{{.id = {"cpu", "onednn-nhwc", DType::bf16},
                             .bind = bind<DType::bf16, Layout::images_as_given>,
                             .unsupported = lacks_bf16,
                             .unit = "bf16_dot"}};
const Convolution f16{
    {.id = {"cpu", "onednn", DType::f16}, .bind = bind<DType::f16, Layout::of_library>, .unsupported = lacks_f16}};

}  // namespace
}  // namespace warpmark::cpu
