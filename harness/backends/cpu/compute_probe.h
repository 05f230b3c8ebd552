// SPDX-License-Identifier: Apache-2.0
// How much a compute unit does at this moment, from registers alone: what a compute sample is held against, because
// clocks and neighbours change under it.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/backends/cpu/isa.h"
#include "harness/backends/cpu/thread_pool.h"

namespace warpmark::cpu {

/// Runs `rounds` rounds of independent multiply-adds; returns the operations done, two for each multiply-add.
using ComputeLoop = double (*)(std::size_t rounds);

/// The loops of one unit by instruction set; null where a file has none.
struct ComputeLoops {
  ComputeLoop f32_fma = nullptr;
  ComputeLoop f64_fma = nullptr;
  ComputeLoop f16_fma = nullptr;
  ComputeLoop bf16_dot = nullptr;  // products of bf16 pairs, summed in f32
  ComputeLoop i8_dot = nullptr;    // products of int8 quadruples, summed in int32
};

// Constants and no functions: whatever runs in a wide file may use instructions that this machine does not have.
extern const ComputeLoops compute_loops_baseline;
extern const ComputeLoops compute_loops_avx2;
extern const ComputeLoops compute_loops_avx512;
extern const ComputeLoops compute_loops_avx512_bf16;
extern const ComputeLoops compute_loops_avx512_fp16;
extern const ComputeLoops compute_loops_avx512_vnni;
extern const ComputeLoops compute_loops_amx_bf16;
extern const ComputeLoops compute_loops_amx_int8;

/// One compute unit of the machine.
class ComputeProbe {
 public:
  ComputeProbe(ThreadPool& pool, Compiled<ComputeLoop> loop);
  [[nodiscard]] Isa isa() const { return loop_.isa; }
  /// Operations a second over all threads of the pool: the median of five pieces of half a millisecond. Returns when
  /// the threads have gone to sleep, so that they take nothing from a library's own.
  [[nodiscard]] double rate();

 private:
  double piece();

  ThreadPool& pool_;
  Compiled<ComputeLoop> loop_;
  std::size_t rounds_ = 1024;
};

/// All units, each probed from its first use on.
class ComputeProbes {
 public:
  static constexpr std::array<std::string_view, 5> units{"f32_fma", "f64_fma", "f16_fma", "bf16_dot", "i8_dot"};

  explicit ComputeProbes(ThreadPool& pool) : pool_(pool) {}
  /// Null where the machine has no such unit.
  [[nodiscard]] ComputeProbe* find(std::string_view unit);

 private:
  ThreadPool& pool_;
  std::map<std::string, std::unique_ptr<ComputeProbe>, std::less<>> probes_{};
};

}  // namespace warpmark::cpu
