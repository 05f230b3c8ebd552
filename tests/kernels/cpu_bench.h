// SPDX-License-Identifier: Apache-2.0
// The cpu device with arrays that tests can look into: filled, read back, spoiled, and guarded against writes beyond
// their ends.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "harness/backends/cpu/cpu_device.h"

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
  GuardedArray(std::size_t n, DType dtype)
      : n_(n), dtype_(dtype), buffer_(cpu_bench().device.allocate(n * size_of(dtype) + 2 * guard_bytes)) {
    cpu_bench().stream->poison(buffer_.data(), buffer_.bytes());
  }

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] void* data() const { return static_cast<unsigned char*>(buffer_.data()) + guard_bytes; }
  void fill(std::uint64_t seed) const { cpu_bench().stream->fill_random(data(), n_, dtype_, seed); }

  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < n_; ++i) values.push_back(get(i));
    return values;
  }

  [[nodiscard]] double get(std::size_t i) const {
    return dtype_ == DType::f64 ? element<double>(i) : static_cast<double>(element<float>(i));
  }

  void set(std::size_t i, double value) const {
    if (dtype_ == DType::f64) return write(i, value);
    write(i, static_cast<float>(value));
  }

  [[nodiscard]] bool guards_intact() const {
    const auto* const bytes = static_cast<const unsigned char*>(buffer_.data());
    for (std::size_t i = 0; i < guard_bytes; ++i)
      if (bytes[i] != 0xff || bytes[buffer_.bytes() - 1 - i] != 0xff) return false;
    return true;
  }

 private:
  static constexpr std::size_t guard_bytes = 256;  // whole vectors, so that the array is aligned as the buffer is

  template <class T>
  [[nodiscard]] T element(std::size_t i) const {
    T value{};
    cpu_bench().stream->copy_out(&value, static_cast<const T*>(data()) + i, sizeof value);
    return value;
  }

  template <class T>
  void write(std::size_t i, T value) const {
    cpu_bench().stream->copy_in(static_cast<T*>(data()) + i, &value, sizeof value);
  }

  std::size_t n_;
  DType dtype_;
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
