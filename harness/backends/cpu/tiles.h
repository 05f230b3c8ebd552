// SPDX-License-Identifier: Apache-2.0
// The AMX tiles of a core, set up alike for every loop that uses them: eight tiles of 16 rows of 64 bytes.
// In an anonymous namespace, because each including file compiles it to instructions of its own.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace warpmark::cpu {
namespace {

inline constexpr std::size_t tile_rows = 16;
inline constexpr std::size_t tile_row_bytes = 64;
inline constexpr std::size_t tile_bytes = tile_rows * tile_row_bytes;

/// The calling thread has its tiles for as long as this lives. The process has to have asked for them (isa.h).
class Tiles {
 public:
  Tiles() {
    // Intel SDM volume 1, 18.3: palette 1, bytes of a row and rows by tile.
    struct alignas(64) {
      std::uint8_t palette = 1;
      std::uint8_t start_row = 0;
      std::uint8_t reserved[14] = {};
      std::uint16_t row_bytes[16] = {};
      std::uint8_t rows[16] = {};
    } config;
    for (std::size_t tile = 0; tile < 8; ++tile) {
      config.row_bytes[tile] = tile_row_bytes;
      config.rows[tile] = tile_rows;
    }
    asm volatile("" : "+m"(config) : : "memory");  // g++ 12 would drop the stores, and zeros are a fault
    _tile_loadconfig(&config);
  }
  ~Tiles() { _tile_release(); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
};

/// What was written to memory is there before a tile is loaded from it.
inline void before_tile_loads() { asm volatile("" : : : "memory"); }

}  // namespace
}  // namespace warpmark::cpu
