// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/compute_probe.h"

#include <atomic>
#include <chrono>

#include "harness/stats/order.h"

namespace warpmark::cpu {
namespace {

constexpr double piece_seconds = 0.0005;

struct OfIsa {
  Isa isa = Isa::baseline;
  const ComputeLoops* loops = nullptr;
};

#if defined(__x86_64__)
constexpr std::array all_loops{OfIsa{Isa::baseline, &compute_loops_baseline}, OfIsa{Isa::avx2, &compute_loops_avx2},
                               OfIsa{Isa::avx512, &compute_loops_avx512},
                               OfIsa{Isa::avx512_bf16, &compute_loops_avx512_bf16},
                               OfIsa{Isa::avx512_vnni, &compute_loops_avx512_vnni}};
#else
constexpr std::array all_loops{OfIsa{Isa::baseline, &compute_loops_baseline}};
#endif

ComputeLoop loop_of(const ComputeLoops& loops, std::string_view unit) {
  if (unit == "f32_fma") return loops.f32_fma;
  if (unit == "f64_fma") return loops.f64_fma;
  if (unit == "bf16_dot") return loops.bf16_dot;
  if (unit == "i8_dot") return loops.i8_dot;
  return nullptr;
}

/// A matrix engine does many times what the vector units do: held against those alone, its products would pass them.
bool has_matrix_engine(std::string_view unit) {
  return (unit == "bf16_dot" && supported(Isa::amx_bf16)) || (unit == "i8_dot" && supported(Isa::amx_int8));
}

/// The widest loop that the machine runs; with a null `run` where there is none.
Compiled<ComputeLoop> widest_loop(std::string_view unit) {
  Compiled<ComputeLoop> best;
  if (has_matrix_engine(unit)) return best;
  for (const OfIsa& each : all_loops)
    if (const ComputeLoop loop = loop_of(*each.loops, unit); loop != nullptr && supported(each.isa))
      best = {.isa = each.isa, .run = loop};
  return best;
}

}  // namespace

ComputeProbe::ComputeProbe(ThreadPool& pool, Compiled<ComputeLoop> loop) : pool_(pool), loop_(loop) {
  // Each turn comes closer to pieces of the wanted length, from a clock that may still be rising.
  for (int i = 0; i < 4; ++i) {
    const auto start = std::chrono::steady_clock::now();
    (void)piece();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rounds_ = static_cast<std::size_t>(static_cast<double>(rounds_) * piece_seconds / seconds) + 1;
  }
}

double ComputeProbe::rate() {
  std::array<double, 5> rates{};
  for (double& rate : rates) rate = piece();
  pool_.rest();
  return median(sorted(rates));
}

double ComputeProbe::piece() {
  const auto start = std::chrono::steady_clock::now();
  std::atomic<double> operations = 0;
  pool_.run([&](std::size_t, std::size_t) { operations += loop_.run(rounds_); });
  return operations / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ComputeProbe* ComputeProbes::find(std::string_view unit) {
  const auto found = probes_.find(unit);
  if (found != probes_.end()) return found->second.get();
  const Compiled<ComputeLoop> loop = widest_loop(unit);
  if (loop.run == nullptr) return nullptr;
  return probes_.emplace(unit, std::make_unique<ComputeProbe>(pool_, loop)).first->second.get();
}

std::string ComputeProbes::why_none(std::string_view unit) {
  if (has_matrix_engine(unit))
    return "this CPU multiplies such matrices on its AMX tiles, whose peak no loop of ours measures yet";
  return "this CPU has no instruction for it";
}

}  // namespace warpmark::cpu
