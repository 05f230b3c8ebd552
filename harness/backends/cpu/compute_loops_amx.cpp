// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/compute_probe.h"
#include "harness/backends/cpu/tiles.h"

namespace warpmark::cpu {
namespace {

/// Six sums cover the latency (52 cycles, one product in 16); two tiles are their operands.
constexpr double sums = 6;

void load_operands(std::uint32_t each) {
  alignas(64) std::uint32_t ones[tile_bytes / sizeof each];
  for (std::uint32_t& one : ones) one = each;  // zeros would draw less power than real operands do
  before_tile_loads();
  _tile_loadd(6, ones, tile_row_bytes);
  _tile_loadd(7, ones, tile_row_bytes);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
}

double bf16_loop(std::size_t rounds) {
  const Tiles tiles;
  load_operands(0x3f803f80U);  // 1.0 twice
  for (std::size_t round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 6, 7);
    _tile_dpbf16ps(1, 6, 7);
    _tile_dpbf16ps(2, 6, 7);
    _tile_dpbf16ps(3, 6, 7);
    _tile_dpbf16ps(4, 6, 7);
    _tile_dpbf16ps(5, 6, 7);
  }
  return 2.0 * 16 * 16 * 32 * sums * static_cast<double>(rounds);
}

double int8_loop(std::size_t rounds) {
  const Tiles tiles;
  load_operands(0x01010101U);
  for (std::size_t round = 0; round < rounds; ++round) {
    _tile_dpbssd(0, 6, 7);
    _tile_dpbssd(1, 6, 7);
    _tile_dpbssd(2, 6, 7);
    _tile_dpbssd(3, 6, 7);
    _tile_dpbssd(4, 6, 7);
    _tile_dpbssd(5, 6, 7);
  }
  return 2.0 * 16 * 16 * 64 * sums * static_cast<double>(rounds);
}

}  // namespace

constinit const ComputeLoops compute_loops_amx_bf16{.bf16_dot = bf16_loop};
constinit const ComputeLoops compute_loops_amx_int8{.i8_dot = int8_loop};

}  // namespace warpmark::cpu
