// SPDX-License-Identifier: Apache-2.0
// Matrix sums on the cpu: all threads of the pool run at once. Variants: dot, vectors whose
// lanes add short dot products, and amx, tiles.
#include "kernels/compute/matrix_cpu.h"

#include <string>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "kernels/compute/matrix.h"

namespace warpmark::cpu {
namespace {

#if defined(__x86_64__)
template <Isa isa, const MatrixLoop& loop>
Bound bind(Stream& stream, const ops::MatrixSums& op) {
  return {.launch =
              [op](Stream& s) {
                pool_of(s).run([&op](std::size_t index, std::size_t count) {
                  const Part part = part_of(op.n, sizeof(float), index, count);  // begins at an even place
                  loop(op.c + part.begin, part.end - part.begin, op.rounds);
                });
              },
          .about = {{"isa", name_of(isa)}, {"threads", pool_of(stream).size()}}};
}

template <Isa isa>
std::string unsupported(const Device&, const Case&) {
  return supported(isa) ? "" : "this CPU has no " + std::string(name_of(isa));
}

/// Where a CPU has tiles too, the ceiling of the type is theirs.
std::string_view unit_of_dots(Isa tiles, std::string_view unit) { return supported(tiles) ? "" : unit; }

const Implements<ops::MatrixSums> bf16{{.id = {"cpu", "dot", DType::bf16},
                                        .bind = bind<Isa::avx512_bf16, matrix_dots_bf16>,
                                        .unsupported = unsupported<Isa::avx512_bf16>,
                                        .unit = unit_of_dots(Isa::amx_bf16, "bf16_dot")}};
const Implements<ops::MatrixSums> i8{{.id = {"cpu", "dot", DType::i8},
                                      .bind = bind<Isa::avx512_vnni, matrix_dots_i8>,
                                      .unsupported = unsupported<Isa::avx512_vnni>,
                                      .unit = unit_of_dots(Isa::amx_int8, "i8_dot")}};
const Implements<ops::MatrixSums> bf16_tiles{{.id = {"cpu", "amx", DType::bf16},
                                              .bind = bind<Isa::amx_bf16, matrix_tiles_bf16>,
                                              .unsupported = unsupported<Isa::amx_bf16>,
                                              .unit = "bf16_dot"}};
const Implements<ops::MatrixSums> i8_tiles{{.id = {"cpu", "amx", DType::i8},
                                            .bind = bind<Isa::amx_int8, matrix_tiles_i8>,
                                            .unsupported = unsupported<Isa::amx_int8>,
                                            .unit = "i8_dot"}};
#endif

}  // namespace
}  // namespace warpmark::cpu
