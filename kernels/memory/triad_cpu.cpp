// SPDX-License-Identifier: Apache-2.0
// Triad on the cpu: every thread of the pool runs its part of the arrays, by the widest loop that the machine has.
#include "kernels/memory/triad_cpu.h"

#include <array>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "kernels/memory/triad.h"

namespace warpmark::cpu {

std::span<const Compiled<TriadLoop>> plain_triad_loops() {
#if defined(__x86_64__)
  static const std::array loops{triad_loops_baseline().plain, triad_loops_avx2().plain, triad_loops_avx512().plain};
#else
  static const std::array loops{triad_loops_baseline().plain};
#endif
  return loops;
}

std::span<const Compiled<TriadLoop>> nontemporal_triad_loops() {
#if defined(__x86_64__)
  static const std::array loops{triad_loops_baseline().nontemporal, triad_loops_avx2().nontemporal,
                                triad_loops_avx512().nontemporal};
  return loops;
#else
  return {};
#endif
}

namespace {

Bound bind(Stream& stream, const ops::Triad& op, std::span<const Compiled<TriadLoop>> loops) {
  const Compiled<TriadLoop> loop = widest(loops);
  return {.launch =
              [op, run = loop.run](Stream& s) {
                pool_of(s).run([&](std::size_t index, std::size_t count) {
                  const Part part = part_of(op.n, sizeof(double), index, count);
                  run(static_cast<double*>(op.a) + part.begin, static_cast<const double*>(op.b) + part.begin,
                      static_cast<const double*>(op.c) + part.begin, op.s, part.end - part.begin, op.passes);
                });
              },
          .about = {{"isa", name_of(loop.isa)}, {"threads", pool_of(stream).size()}}};
}

const Implements<ops::Triad> plain{{.id = {"cpu", "plain", DType::f64}, .bind = [](Stream& s, const ops::Triad& op) {
                                      return bind(s, op, plain_triad_loops());
                                    }}};
#if defined(__x86_64__)
const Implements<ops::Triad> nontemporal{{.id = {"cpu", "nt", DType::f64}, .bind = [](Stream& s, const ops::Triad& op) {
                                            return bind(s, op, nontemporal_triad_loops());
                                          }}};
#endif

}  // namespace
}  // namespace warpmark::cpu
