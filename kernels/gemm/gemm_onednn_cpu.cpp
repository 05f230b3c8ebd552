// SPDX-License-Identifier: Apache-2.0
// The matrix products of oneDNN, in its 2.x and 3.x interfaces. Variants: onednn takes row-major operands as they are;
// onednn-packed brings B into the layout that the library likes best, once, while binding.
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/error.h"
#include "harness/core/kernel.h"
#include "kernels/gemm/gemm.h"
#include "kernels/library/onednn_cpu.h"

namespace warpmark::cpu {
namespace {

using dnnl::memory;
using Dim = memory::dim;

enum class Layout : std::uint8_t { row_major, packed };

memory::data_type type_of(DType dtype) {
  switch (dtype) {
    case DType::f32: return memory::data_type::f32;
    case DType::bf16: return memory::data_type::bf16;
    case DType::i8: return memory::data_type::s8;
    default: throw Unsupported("oneDNN has no product of " + std::string(name_of(dtype)) + " on the CPU");
  }
}

memory::data_type result_type_of(DType dtype) { return dtype == DType::i8 ? memory::data_type::s32 : type_of(dtype); }

dnnl::matmul::primitive_desc describe(const memory::desc& a, const memory::desc& b, const memory::desc& c,
                                      const dnnl::engine& engine) {
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::matmul::primitive_desc(engine, a, b, c);
#else
  return dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, c), engine);
#endif
}

/// A matmul primitive and its operands, ready to execute.
class Matmul {
 public:
  Matmul(const ops::Gemm& op, DType dtype, Layout layout)
      : a_(describe_matrix(op, op.m, op.k, type_of(dtype))),
        b_(describe_matrix(op, op.k, op.n, type_of(dtype))),
        c_(describe_matrix(op, op.m, op.n, result_type_of(dtype))),
        plan_(describe(a_, layout == Layout::packed ? any(b_) : b_, c_, engine_)),
        primitive_(plan_) {
    operands_ = {{DNNL_ARG_SRC, memory(a_, engine_, const_cast<void*>(op.a))},  // the interface takes no const
                 {DNNL_ARG_WEIGHTS, memory(b_, engine_, const_cast<void*>(op.b))},
                 {DNNL_ARG_DST, memory(c_, engine_, op.c)}};
    if (layout == Layout::packed) pack(operands_.at(DNNL_ARG_WEIGHTS));
  }

  void run() {
    primitive_.execute(stream_, operands_);
    stream_.wait();
  }

  [[nodiscard]] std::string implementation() const { return plan_.impl_info_str(); }

 private:
  static memory::desc describe_matrix(const ops::Gemm& op, std::size_t rows, std::size_t columns,
                                      memory::data_type type) {
    const auto count = static_cast<Dim>(op.batch);
    const auto height = static_cast<Dim>(rows);
    const auto width = static_cast<Dim>(columns);
    if (op.batch == 1) return {{height, width}, type, memory::format_tag::ab};
    return {{count, height, width}, type, memory::format_tag::abc};
  }

  static memory::desc any(const memory::desc& like) {
#if DNNL_VERSION_MAJOR >= 3
    return {like.get_dims(), like.get_data_type(), memory::format_tag::any};
#else
    return {like.dims(), like.data_type(), memory::format_tag::any};
#endif
  }

  void pack(memory& b) {
    memory packed(plan_.weights_desc(), engine_);
    dnnl::reorder(b, packed).execute(stream_, b, packed);
    stream_.wait();
    b = packed;
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  memory::desc a_, b_, c_;
  dnnl::matmul::primitive_desc plan_;
  dnnl::matmul primitive_;
  std::unordered_map<int, memory> operands_{};
};

template <DType dtype, Layout layout>
Bound bind_matmul(Stream& stream, const ops::Gemm& op) {
  // OpenMP starts its threads at the first call, on the CPUs that the calling thread may use at that moment: all, not
  // the one it is pinned to.
  const Unpinned everywhere(pool_of(stream));
  use_onednn_threads(pool_of(stream).size());
  return by_onednn("product", [&] {
    const auto matmul = std::make_shared<Matmul>(op, dtype, layout);
    matmul->run();
    Bound bound{.launch = [matmul](Stream&) { matmul->run(); }, .about = about_onednn(matmul->implementation())};
    bound.about["b_layout"] = layout == Layout::packed ? "packed once, before the samples" : "row major";
    return bound;
  });
}

void multiply(const ops::Gemm& op) {
  const auto m = static_cast<dnnl_dim_t>(op.m);
  const auto n = static_cast<dnnl_dim_t>(op.n);
  const auto k = static_cast<dnnl_dim_t>(op.k);
  const dnnl_status_t status = dnnl_sgemm('N', 'N', m, n, k, 1.0F, static_cast<const float*>(op.a), k,
                                          static_cast<const float*>(op.b), n, 0.0F, static_cast<float*>(op.c), n);
  if (status != dnnl_success) throw Error("dnnl_sgemm failed with status " + std::to_string(status));
}

/// Of f32 the library has a function besides the primitive, which does without a plan and is the faster one for
/// row-major operands.
Bound bind_sgemm(Stream& stream, const ops::Gemm& op) {
  if (op.batch > 1) return bind_matmul<DType::f32, Layout::row_major>(stream, op);
  const Unpinned everywhere(pool_of(stream));
  use_onednn_threads(pool_of(stream).size());
  multiply(op);
  Bound bound{.launch = [op](Stream&) { multiply(op); }, .about = about_onednn("dnnl_sgemm")};
  bound.about["b_layout"] = "row major";
  return bound;
}

std::string lacks_bf16(const Device&, const Case&) {
  return supported(Isa::avx512_bf16) || supported(Isa::amx_bf16) ? "" : lacks_bf16_instructions;
}

std::string lacks_i8(const Device&, const Case&) {
  return supported(Isa::avx512_vnni) || supported(Isa::avx_vnni) || supported(Isa::amx_int8)
             ? ""
             : "this CPU has no int8 dot product (avx512_vnni, avx_vnni or amx_int8)";
}

std::string lacks_f16(const Device&, const Case&) {
  return "this program has no f16 product on the CPU: oneDNN 2 has none";
}
std::string lacks_e4m3(const Device&, const Case&) {
  return "oneDNN " + onednn_version() + " has no fp8 product on the CPU";
}

using Gemm = Implements<ops::Gemm>;
const Gemm f32{{.id = {"cpu", "onednn", DType::f32}, .bind = bind_sgemm}};
const Gemm f32_packed{{.id = {"cpu", "onednn-packed", DType::f32}, .bind = bind_matmul<DType::f32, Layout::packed>}};
const Gemm f16{{.id = {"cpu", "onednn", DType::f16},
                .bind = bind_matmul<DType::f16, Layout::row_major>,
                .unsupported = lacks_f16}};
const Gemm e4m3{{.id = {"cpu", "onednn", DType::e4m3},
                 .bind = bind_matmul<DType::e4m3, Layout::row_major>,
                 .unsupported = lacks_e4m3}};
const Gemm bf16{{.id = {"cpu", "onednn", DType::bf16},
                 .bind = bind_matmul<DType::bf16, Layout::row_major>,
                 .unsupported = lacks_bf16}};
const Gemm bf16_packed{{.id = {"cpu", "onednn-packed", DType::bf16},
                        .bind = bind_matmul<DType::bf16, Layout::packed>,
                        .unsupported = lacks_bf16}};
const Gemm i8{
    {.id = {"cpu", "onednn", DType::i8}, .bind = bind_matmul<DType::i8, Layout::row_major>, .unsupported = lacks_i8}};
const Gemm i8_packed{{.id = {"cpu", "onednn-packed", DType::i8},
                      .bind = bind_matmul<DType::i8, Layout::packed>,
                      .unsupported = lacks_i8}};

}  // namespace
}  // namespace warpmark::cpu
