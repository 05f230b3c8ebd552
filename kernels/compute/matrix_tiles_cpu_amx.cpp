// SPDX-License-Identifier: Apache-2.0
// Matrix sums on the AMX tiles: four tiles of sums, three of A (A, -A, D - A), one of B.
#include <algorithm>

#include "harness/backends/cpu/tiles.h"
#include "kernels/compute/matrix.h"
#include "kernels/compute/matrix_cpu.h"

namespace warpmark::cpu {
namespace {

constexpr std::size_t results_of_tile = tile_rows * 16;
constexpr std::size_t chains = 4;

/// Operands of one product of tiles. A row of A is a row of its matrix; one of B holds `group` rows of its own, element
/// by element of each column.
template <class T>
struct Operands {
  static constexpr std::size_t depth = tile_row_bytes / sizeof(T);
  static constexpr std::size_t group = sizeof(int) / sizeof(T);
  static constexpr std::size_t elements = tile_bytes / sizeof(T);
  alignas(64) T plus[elements];
  alignas(64) T minus[elements];
  alignas(64) T last[elements];
  alignas(64) T b[elements];

  template <class Narrow>
  explicit Operands(const Narrow& narrow) {
    for (std::size_t i = 0; i < elements; ++i) {
      const int a = ops::matrix_a(i);
      plus[i] = narrow(a);
      minus[i] = narrow(-a);
      last[i] = narrow((i % depth == 0 ? 1 : 0) - a);
      const bool is_first_of_depth = i < depth && i % group == 0;
      const int sign = i / group % 2 == 0 ? 1 : -1;
      b[i] = narrow(is_first_of_depth ? sign : ops::matrix_b(i));
    }
  }
};

template <class T>
void load(const Operands<T>& operands) {
  before_tile_loads();
  _tile_loadd(4, operands.plus, tile_row_bytes);
  _tile_loadd(5, operands.minus, tile_row_bytes);
  _tile_loadd(6, operands.last, tile_row_bytes);
  _tile_loadd(7, operands.b, tile_row_bytes);
}

void zero() {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
}

/// The four tiles, as numbers of Sum.
template <class Sum>
void store(float* c, std::size_t n) {
  alignas(64) Sum sums[chains * results_of_tile];
  _tile_stored(0, sums, tile_row_bytes);
  _tile_stored(1, sums + results_of_tile, tile_row_bytes);
  _tile_stored(2, sums + 2 * results_of_tile, tile_row_bytes);
  _tile_stored(3, sums + 3 * results_of_tile, tile_row_bytes);
  for (std::size_t i = 0; i < std::min(n, chains * results_of_tile); ++i) c[i] = static_cast<float>(sums[i]);
}

#define WARPMARK_ADD(instruction, a) \
  instruction(0, a, 7);              \
  instruction(1, a, 7);              \
  instruction(2, a, 7);              \
  instruction(3, a, 7)

void sum_bf16(float* c, std::size_t n, std::size_t rounds) {
  const Tiles tiles;
  load(Operands<std::uint16_t>([](int value) {
    return static_cast<std::uint16_t>(__builtin_bit_cast(std::uint32_t, static_cast<float>(value)) >> 16U);
  }));
  for (std::size_t done = 0; done < n; done += chains * results_of_tile) {
    zero();
    for (std::size_t round = 0; round < rounds; ++round) {  // 32 products each
      WARPMARK_ADD(_tile_dpbf16ps, 4);
      WARPMARK_ADD(_tile_dpbf16ps, 5);
      WARPMARK_ADD(_tile_dpbf16ps, 4);
      WARPMARK_ADD(_tile_dpbf16ps, 6);
    }
    store<float>(c + done, n - done);
  }
}

void sum_i8(float* c, std::size_t n, std::size_t rounds) {
  const Tiles tiles;
  load(Operands<signed char>([](int value) { return static_cast<signed char>(value); }));
  for (std::size_t done = 0; done < n; done += chains * results_of_tile) {
    zero();
    for (std::size_t round = 0; round < rounds; ++round) {  // 64 products each
      WARPMARK_ADD(_tile_dpbssd, 4);
      WARPMARK_ADD(_tile_dpbssd, 6);
    }
    store<int>(c + done, n - done);
  }
}
#undef WARPMARK_ADD

}  // namespace

constinit const MatrixLoop matrix_tiles_bf16 = sum_bf16;
constinit const MatrixLoop matrix_tiles_i8 = sum_i8;

}  // namespace warpmark::cpu
