// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/fma_probe.h"

#include <array>
#include <atomic>
#include <chrono>

#include "harness/stats/order.h"

namespace warpmark::cpu {
namespace {

constexpr double piece_seconds = 0.0005;

Compiled<FmaLoop> widest_loop() {
#if defined(__x86_64__)
  const std::array loops{fma_loop_baseline(), fma_loop_avx2(), fma_loop_avx512()};
#else
  const std::array loops{fma_loop_baseline()};
#endif
  return widest<FmaLoop>(loops);
}

}  // namespace

FmaProbe::FmaProbe(ThreadPool& pool) : pool_(pool), loop_(widest_loop()) {
  for (int i = 0; i < 4;
       ++i) {  // each turn comes closer to pieces of the wanted length, from a clock that may still be rising
    const auto start = std::chrono::steady_clock::now();
    (void)piece();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rounds_ = static_cast<std::size_t>(static_cast<double>(rounds_) * piece_seconds / seconds) + 1;
  }
}

double FmaProbe::flop_rate() {
  std::array<double, 5> rates{};
  for (double& rate : rates) rate = piece();
  return median(sorted(rates));
}

double FmaProbe::piece() {
  const auto start = std::chrono::steady_clock::now();
  std::atomic<double> flops = 0;
  pool_.run([&](std::size_t, std::size_t) { flops += loop_.run(rounds_); });
  return flops / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace warpmark::cpu
