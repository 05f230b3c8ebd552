// SPDX-License-Identifier: Apache-2.0
// The gemv kernels of the cpu, one for each kind of weights: every thread of the pool has some of the rows, by the
// widest loop that the machine runs.
#include "kernels/gemv/gemv_cpu.h"

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"

namespace warpmark::cpu {
namespace {

template <GemvLoop GemvLoops::*of_weights>
Bound bind(Stream& stream, const ops::Gemv& op) {
  const Compiled<const GemvLoops*> loops = widest<const GemvLoops*>(gemv_loops);
  return {.launch =
              [op, run = loops.run->*of_weights](Stream& s) {
                pool_of(s).run([&](std::size_t index, std::size_t count) {
                  const Part part = part_of(op.rows, sizeof(float), index, count);
                  run(op, part.begin, part.end);
                });
              },
          .about = {{"isa", name_of(loops.isa)}, {"threads", pool_of(stream).size()}}};
}

const Implements<ops::Gemv> w16{{.id = {"cpu", "w16", DType::f32}, .bind = bind<&GemvLoops::w16>}};
const Implements<ops::Gemv> w8{{.id = {"cpu", "w8", DType::f32}, .bind = bind<&GemvLoops::w8>}};
const Implements<ops::Gemv> w4{{.id = {"cpu", "w4", DType::f32}, .bind = bind<&GemvLoops::w4>}};

}  // namespace
}  // namespace warpmark::cpu
