// SPDX-License-Identifier: Apache-2.0
// Element types: their names in ids, their sizes, and the spacing that tolerances grow from. e4m3 is fp8 with four bits
// of exponent and three of fraction. i32 are 32-bit integers; u64 are addresses, which chains of loads are made of; u8
// are bytes that nobody computes with: what is passed or copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpmark {

enum class DType : std::uint8_t { f64, f32, f16, bf16, e4m3, i8, i32, u64, u8 };

constexpr std::string_view name_of(DType t) {
  switch (t) {
    case DType::f64: return "f64";
    case DType::f32: return "f32";
    case DType::f16: return "f16";
    case DType::bf16: return "bf16";
    case DType::e4m3: return "e4m3";
    case DType::i8: return "i8";
    case DType::i32: return "i32";
    case DType::u64: return "u64";
    case DType::u8: return "u8";
  }
  return "?";
}

constexpr std::size_t size_of(DType t) {
  switch (t) {
    case DType::f64:
    case DType::u64: return 8;
    case DType::f32:
    case DType::i32: return 4;
    case DType::f16:
    case DType::bf16: return 2;
    case DType::e4m3:
    case DType::i8:
    case DType::u8: return 1;
  }
  return 0;
}

/// Distance from 1 to the next value; 0 for integers, whose products are exact.
constexpr double epsilon_of(DType t) {
  switch (t) {
    case DType::f64: return 0x1p-52;
    case DType::f32: return 0x1p-23;
    case DType::f16: return 0x1p-10;
    case DType::bf16: return 0x1p-7;
    case DType::e4m3: return 0x1p-3;
    case DType::i8:
    case DType::i32:
    case DType::u64:
    case DType::u8: return 0;
  }
  return 0;
}

}  // namespace warpmark
