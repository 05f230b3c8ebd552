// SPDX-License-Identifier: Apache-2.0
// Devices to try kernels on, with arrays that tests can look into: filled, read back, spoiled, and guarded against
// writes beyond their ends.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/backends/registry.h"
#include "harness/core/bf16.h"
#include "harness/core/dtype.h"
#include "harness/core/f16.h"
#include "harness/core/kernel.h"
#include "tests/kernels/e4m3.h"

namespace warpmark {

/// The first device of a backend, and a stream on it.
struct KernelBench {
  std::unique_ptr<Device> device{};
  std::unique_ptr<Stream> stream{};
};

/// One for each backend that can be used here, made once in a test program.
inline std::map<std::string_view, KernelBench>& benches() {
  // Never taken down: at the end of the process nobody knows what of a driver is still there.
  static auto& all = *new auto([] {
    std::map<std::string_view, KernelBench> made;
    for (const Backend& backend : backends()) {
      if (backend.unavailable()) continue;
      KernelBench& bench = made[backend.name];
      bench.device = backend.open(0);
      bench.stream = bench.device->stream();
    }
    return made;
  }());
  return all;
}

inline KernelBench& cpu_bench() { return benches().at("cpu"); }

/// Calls test(kernel, bench) for the operation's kernels whose backend can be used here, and that can run there.
template <class Op, class Test>
void on_every_kernel(const Test& test) {
  for (const Kernel<Op>& kernel : kernels<Op>()) {
    const auto found = benches().find(kernel.id.backend);
    if (found == benches().end()) continue;
    KernelBench& bench = found->second;
    if (kernel.unsupported != nullptr && !kernel.unsupported(*bench.device, Case{.kernel = kernel.id}).empty())
      continue;
    test(kernel, bench);
  }
}

inline std::string text_of(const KernelId& id) {
  return id.backend + "/" + id.variant + "/" + std::string(name_of(id.dtype));
}

template <class Op>
void launch(const KernelId& id, const KernelBench& bench, const Op& op) {
  kernel_of<Op>(id).bind(*bench.stream, op).launch(*bench.stream);
  bench.stream->wait();
}

/// A number on the device.
template <class T>
class DeviceValue {
 public:
  DeviceValue(const KernelBench& bench, T value) : bench_(bench), buffer_(bench.device->allocate(sizeof(T))) {
    set(value);
  }
  [[nodiscard]] T* data() const { return static_cast<T*>(buffer_.data()); }
  void set(T value) const { bench_.stream->copy_in(data(), &value, sizeof value); }
  [[nodiscard]] T get() const {
    T value{};
    bench_.stream->copy_out(&value, data(), sizeof value);
    return value;
  }

 private:
  const KernelBench& bench_;
  Buffer buffer_;
};

/// The type of a product's results, but for int8, whose int32 is no type of operands.
constexpr DType result_of(DType dtype) { return dtype == DType::e4m3 ? DType::bf16 : dtype; }

/// An array on a device between two guards, poisoned throughout.
class GuardedArray {
 public:
  GuardedArray(const KernelBench& bench, std::size_t n, DType dtype) : GuardedArray(bench, n, element_of(dtype)) {}

  /// For the results of a product: int32 where its operands are int8, bf16 where they are fp8.
  static GuardedArray of_products(const KernelBench& bench, std::size_t n, DType dtype) {
    return {bench, n, dtype == DType::i8 ? Element{std::int32_t{}} : element_of(result_of(dtype))};
  }

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] void* data() const { return static_cast<unsigned char*>(buffer_.data()) + guard_bytes; }
  /// Not for results.
  void fill(std::uint64_t seed) const { bench_->stream->fill_random(data(), n_, dtype(), seed); }

  [[nodiscard]] std::vector<double> values() const {
    return std::visit(
        [&](auto value) {
          std::vector<decltype(value)> all(n_);
          if (n_ > 0) bench_->stream->copy_out(all.data(), data(), n_ * sizeof value);
          std::vector<double> values;
          for (const auto& each : all) values.push_back(static_cast<double>(each));
          return values;
        },
        element_);
  }

  [[nodiscard]] double get(std::size_t i) const {
    return std::visit(
        [&](auto value) {
          bench_->stream->copy_out(&value, at<decltype(value)>(i), sizeof value);
          return static_cast<double>(value);
        },
        element_);
  }

  void set(std::size_t i, double to) const {
    std::visit(
        [&](auto value) {
          value = static_cast<decltype(value)>(to);
          bench_->stream->copy_in(at<decltype(value)>(i), &value, sizeof value);
        },
        element_);
  }

  [[nodiscard]] bool guards_intact() const {
    const auto is_intact = [&](std::size_t first) {
      std::array<unsigned char, guard_bytes> guard{};
      bench_->stream->copy_out(guard.data(), static_cast<unsigned char*>(buffer_.data()) + first, guard_bytes);
      return std::all_of(guard.begin(), guard.end(), [](unsigned char byte) { return byte == 0xff; });
    };
    return is_intact(0) && is_intact(buffer_.bytes() - guard_bytes);
  }

 private:
  using Element = std::variant<double, float, F16, Bf16, E4m3, std::int8_t, std::int32_t, std::uint64_t, std::uint8_t>;
  static constexpr std::size_t guard_bytes = 256;  // whole vectors, so that the array is aligned as the buffer is

  static Element element_of(DType dtype) {
    switch (dtype) {
      case DType::f64: return double{};
      case DType::f32: return float{};
      case DType::f16: return F16{};
      case DType::bf16: return Bf16{};
      case DType::e4m3: return E4m3{};
      case DType::i8: return std::int8_t{};
      case DType::i32: return std::int32_t{};
      case DType::u64: return std::uint64_t{};
      case DType::u8: return std::uint8_t{};
    }
    throw std::logic_error("no array of " + std::string(name_of(dtype)));
  }

  static std::size_t bytes_of(const Element& element) {
    return std::visit([](auto value) { return sizeof value; }, element);
  }

  GuardedArray(const KernelBench& bench, std::size_t n, const Element& element)
      : bench_(&bench),
        n_(n),
        element_(element),
        buffer_(bench.device->allocate(n * bytes_of(element) + 2 * guard_bytes)) {
    bench.stream->poison(buffer_.data(), buffer_.bytes());
    bench.stream->wait();
  }

  [[nodiscard]] DType dtype() const {
    return std::array{DType::f64, DType::f32, DType::f16, DType::bf16, DType::e4m3,
                      DType::i8,  DType::i32, DType::u64, DType::u8}
        .at(element_.index());
  }

  template <class T>
  [[nodiscard]] T* at(std::size_t i) const {
    return static_cast<T*>(data()) + i;
  }

  const KernelBench* bench_;
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
