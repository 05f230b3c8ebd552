// SPDX-License-Identifier: Apache-2.0
// Multiply-adds on the cpu, a variant for each instruction set: all threads of the pool run at once. Without one that
// has the instruction, products are rounded before they are added.
#include "kernels/compute/fma_cpu.h"

#include <string>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "kernels/compute/fma.h"

namespace warpmark::cpu {
namespace {

template <class T>
FmaLoop<T> loop_of(const FmaLoops& loops) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return loops.f64;
  } else if constexpr (sizeof(T) == sizeof(float)) {
    return loops.f32;
  } else {
    return loops.f16;
  }
}

template <class T, Isa isa, const FmaLoops& loops>
Bound bind(Stream& stream, const ops::Fma& op) {
  return {.launch =
              [op](Stream& s) {
                pool_of(s).run([&op](std::size_t index, std::size_t count) {
                  const Part part = part_of(op.n, sizeof(T), index, count);
                  loop_of<T>(loops)(static_cast<T*>(op.u) + part.begin, static_cast<T*>(op.v) + part.begin, part.begin,
                                    part.end - part.begin, op.rounds);
                });
              },
          .about = {{"isa", name_of(isa)}, {"threads", pool_of(stream).size()}}};
}

template <Isa isa>
std::string unsupported(const Device&, const Case&) {
  return supported(isa) ? "" : "this CPU has no " + std::string(name_of(isa));
}

/// Both types that every CPU has.
template <Isa isa, const FmaLoops& loops>
struct Variant {
  explicit Variant(const char* name)
      : f64{{.id = {"cpu", name, DType::f64},
             .bind = bind<double, isa, loops>,
             .unsupported = unsupported<isa>,
             .unit = "f64_fma"}},
        f32{{.id = {"cpu", name, DType::f32},
             .bind = bind<float, isa, loops>,
             .unsupported = unsupported<isa>,
             .unit = "f32_fma"}} {}
  Implements<ops::Fma> f64;
  Implements<ops::Fma> f32;
};

const Variant<Isa::baseline, fma_loops_baseline> baseline("baseline");
#if defined(__x86_64__)
const Variant<Isa::avx2, fma_loops_avx2> avx2("avx2");
const Variant<Isa::avx512, fma_loops_avx512> avx512("avx512");
const Implements<ops::Fma> avx512_fp16{{.id = {"cpu", "avx512-fp16", DType::f16},
                                        .bind = bind<F16, Isa::avx512_fp16, fma_loops_avx512_fp16>,
                                        .unsupported = unsupported<Isa::avx512_fp16>,
                                        .unit = "f16_fma"}};
#endif

}  // namespace
}  // namespace warpmark::cpu
