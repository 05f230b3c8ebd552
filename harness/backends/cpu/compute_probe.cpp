// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/compute_probe.h"

#include <algorithm>
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
constexpr std::array all_loops{
    OfIsa{Isa::baseline, &compute_loops_baseline},       OfIsa{Isa::avx2, &compute_loops_avx2},
    OfIsa{Isa::avx512, &compute_loops_avx512},           OfIsa{Isa::avx512_bf16, &compute_loops_avx512_bf16},
    OfIsa{Isa::avx512_fp16, &compute_loops_avx512_fp16}, OfIsa{Isa::avx512_vnni, &compute_loops_avx512_vnni},
    OfIsa{Isa::amx_bf16, &compute_loops_amx_bf16},       OfIsa{Isa::amx_int8, &compute_loops_amx_int8}};
#else
constexpr std::array all_loops{OfIsa{Isa::baseline, &compute_loops_baseline}};
#endif

ComputeLoop loop_of(const ComputeLoops& loops, std::string_view unit) {
  if (unit == "f32_fma") return loops.f32_fma;
  if (unit == "f64_fma") return loops.f64_fma;
  if (unit == "f16_fma") return loops.f16_fma;
  if (unit == "bf16_dot") return loops.bf16_dot;
  if (unit == "i8_dot") return loops.i8_dot;
  return nullptr;
}

/// The widest loop that the machine runs, by a matrix engine where it has one: that does many times what the vector
/// units do. With a null `run` where there is none.
Compiled<ComputeLoop> widest_loop(std::string_view unit) {
  Compiled<ComputeLoop> best;
  for (const OfIsa& each : all_loops)
    if (const ComputeLoop loop = loop_of(*each.loops, unit); loop != nullptr && supported(each.isa))
      best = {.isa = each.isa, .run = loop};
  return best;
}

}  // namespace

ComputeProbe::ComputeProbe(ThreadPool& pool, Compiled<ComputeLoop> loop) : pool_(pool), loop_(loop) {
  // Each turn comes closer to pieces of the wanted length, from a clock that may still be rising. The fastest tells it:
  // one that was held up by another program would leave pieces so short that they measure how threads start.
  double rounds_per_second = 0;
  for (int i = 0; i < 6; ++i) {
    const auto start = std::chrono::steady_clock::now();
    (void)piece();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rounds_per_second = std::max(rounds_per_second, static_cast<double>(rounds_) / seconds);
    rounds_ = static_cast<std::size_t>(rounds_per_second * piece_seconds) + 1;
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

}  // namespace warpmark::cpu
