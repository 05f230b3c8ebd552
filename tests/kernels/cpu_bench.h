// SPDX-License-Identifier: Apache-2.0
// The cpu device with arrays that tests can look into: filled, read back, spoiled, and guarded against writes beyond
// their ends.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/bf16.h"

namespace warpmark {

/// One device and stream for a whole test program: its thread pool is started once.
struct CpuBench {
  cpu::CpuDevice device{};
  std::unique_ptr<Stream> stream = device.stream();
};

inline CpuBench& cpu_bench() {
  static CpuBench bench;
  return bench;
}

/// An array on the device between two guards, poisoned throughout.
class GuardedArray {
 public:
  GuardedArray(std::size_t n, DType dtype) : GuardedArray(n, element_of(dtype)) {}

  /// For the results of a product: int32 where its operands are int8.
  static GuardedArray of_products(std::size_t n, DType dtype) {
    return {n, dtype == DType::i8 ? Element{std::int32_t{}} : element_of(dtype)};
  }

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] void* data() const { return static_cast<unsigned char*>(buffer_.data()) + guard_bytes; }
  /// Not for results.
  void fill(std::uint64_t seed) const { cpu_bench().stream->fill_random(data(), n_, dtype(), seed); }

  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < n_; ++i) values.push_back(get(i));
    return values;
  }

  [[nodiscard]] double get(std::size_t i) const {
    return std::visit(
        [&](auto value) {
          cpu_bench().stream->copy_out(&value, at<decltype(value)>(i), sizeof value);
          return static_cast<double>(value);
        },
        element_);
  }

  void set(std::size_t i, double to) const {
    std::visit(
        [&](auto value) {
          value = static_cast<decltype(value)>(to);
          cpu_bench().stream->copy_in(at<decltype(value)>(i), &value, sizeof value);
        },
        element_);
  }

  [[nodiscard]] bool guards_intact() const {
    const auto* const bytes = static_cast<const unsigned char*>(buffer_.data());
    for (std::size_t i = 0; i < guard_bytes; ++i)
      if (bytes[i] != 0xff || bytes[buffer_.bytes() - 1 - i] != 0xff) return false;
    return true;
  }

 private:
  using Element = std::variant<double, float, Bf16, std::int8_t, std::int32_t>;
  static constexpr std::size_t guard_bytes = 256;  // whole vectors, so that the array is aligned as the buffer is

  static Element element_of(DType dtype) {
    switch (dtype) {
      case DType::f64: return double{};
      case DType::f32: return float{};
      case DType::bf16: return Bf16{};
      case DType::i8: return std::int8_t{};
      case DType::f16: break;
    }
    throw std::logic_error("no array of " + std::string(name_of(dtype)));
  }

  static std::size_t bytes_of(const Element& element) {
    return std::visit([](auto value) { return sizeof value; }, element);
  }

  GuardedArray(std::size_t n, const Element& element)
      : n_(n), element_(element), buffer_(cpu_bench().device.allocate(n * bytes_of(element) + 2 * guard_bytes)) {
    cpu_bench().stream->poison(buffer_.data(), buffer_.bytes());
  }

  [[nodiscard]] DType dtype() const {
    return std::array{DType::f64, DType::f32, DType::bf16, DType::i8}.at(element_.index());
  }

  template <class T>
  [[nodiscard]] T* at(std::size_t i) const {
    return static_cast<T*>(data()) + i;
  }

  std::size_t n_;
  Element element_;
  Buffer buffer_;
};

/// Where one element is spoiled: first, middle, last.
inline std::set<std::size_t> spoiled_places(std::size_t n) { return {0, n / 2, n - 1}; }

/// What it is spoiled to: 1 % off, no number, nothing.
inline std::vector<double> spoiled_values(double right) {
  return {right * 1.01, std::numeric_limits<double>::quiet_NaN(), 0.0};
}

/// The larger one, and NaN if either is.
[[nodiscard]] inline double worse_error(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace warpmark
