// SPDX-License-Identifier: Apache-2.0
#include "kernels/check/convolution.h"

#include <algorithm>
#include <array>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/bf16.h"
#include "harness/core/kernel.h"
#include "harness/core/uniform.h"
#include "kernels/check/check_cpu.h"

namespace warpmark::cpu {
namespace {

constexpr std::size_t vectors = 2;
using Pair = std::array<double, vectors>;

/// Channels that a thread adds up at a time in the gradient of the filters.
constexpr std::size_t channel_block = 16;

template <class T>
void add_products(Pair& sums, const T* values, const Pair* projected, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t v = 0; v < vectors; ++v) sums[v] += static_cast<double>(values[i]) * projected[i][v];
}

/// One slice of columns.
template <class T>
class Slice {
 public:
  Slice(ThreadPool& pool, const ops::ConvolutionCheck& check, std::size_t first, std::size_t width)
      : pool_(pool), op_(check.op), shape_(check.op.shape), first_(first), signs_(width) {
    for (std::size_t j = 0; j < width; ++j)
      for (std::size_t v = 0; v < vectors; ++v) signs_[j][v] = uniform(check.seed + v, j) < 0 ? -1 : 1;
  }

  [[nodiscard]] double worst() {
    project();
    if (op_.pass == ops::ConvolutionPass::filter_gradient) return worst_of_filters();
    const std::size_t columns = ops::product_of(op_.pass, shape_).columns;
    return largest(pool_, ops::product_of(op_.pass, shape_).rows, [&](std::size_t row) {
      Pair sums{};
      add_products(sums, static_cast<const T*>(op_.result) + row * columns + first_, signs_.data(), signs_.size());
      const Pair wanted = op_.pass == ops::ConvolutionPass::forward ? pixel_of_y(row) : pixel_of_x(row);
      return difference(sums, wanted);
    });
  }

 private:
  static double difference(const Pair& a, const Pair& b) {
    double worst = 0;
    for (std::size_t v = 0; v < vectors; ++v) worst = larger_or_nan(std::abs(a[v] - b[v]), worst);
    return worst;
  }

  /// b v, in the order of depth that the sums below go through.
  void project() {
    projected_.assign(ops::product_of(op_.pass, shape_).depth, {});
    pool_.run([&](std::size_t index, std::size_t count) {
      const Part part = part_of(projected_.size(), sizeof(Pair), index, count);
      for (std::size_t i = part.begin; i < part.end; ++i) projected_[i] = projected(i);
    });
  }

  [[nodiscard]] Pair projected(std::size_t depth) const {
    const auto* const filters = static_cast<const T*>(op_.filters);
    const std::size_t taps = shape_.r * shape_.s;
    Pair sums{};
    switch (op_.pass) {
      case ops::ConvolutionPass::forward:  // depth is r, s, c
        for (std::size_t j = 0; j < signs_.size(); ++j)
          add_products(sums, filters + (first_ + j) * taps * shape_.c + depth, &signs_[j], 1);
        break;
      case ops::ConvolutionPass::data_gradient:  // depth is r, s, k
        add_products(sums, filters + (depth % shape_.k * taps + depth / shape_.k) * shape_.c + first_, signs_.data(),
                     signs_.size());
        break;
      case ops::ConvolutionPass::filter_gradient:  // depth is n, p, q
        add_products(sums, static_cast<const T*>(op_.y) + depth * shape_.k + first_, signs_.data(), signs_.size());
        break;
    }
    return sums;
  }

  [[nodiscard]] Pair pixel_of_y(std::size_t row) const {
    const std::size_t q = row % shape_.q(), p = row / shape_.q() % shape_.p(), n = row / shape_.q() / shape_.p();
    const auto* const image = static_cast<const T*>(op_.x) + n * shape_.h * shape_.w * shape_.c;
    Pair sums{};
    for (std::size_t r = 0; r < shape_.r; ++r) {
      for (std::size_t s = 0; s < shape_.s; ++s) {
        const std::size_t h = p * shape_.stride + r - shape_.padding, w = q * shape_.stride + s - shape_.padding;
        if (h >= shape_.h || w >= shape_.w) continue;  // below 0 is far above it
        add_products(sums, image + (h * shape_.w + w) * shape_.c, projected_.data() + (r * shape_.s + s) * shape_.c,
                     shape_.c);
      }
    }
    return sums;
  }

  [[nodiscard]] Pair pixel_of_x(std::size_t row) const {
    const std::size_t w = row % shape_.w, h = row / shape_.w % shape_.h, n = row / shape_.w / shape_.h;
    const auto* const image = static_cast<const T*>(op_.y) + n * shape_.p() * shape_.q() * shape_.k;
    Pair sums{};
    for (std::size_t r = 0; r < shape_.r; ++r) {
      for (std::size_t s = 0; s < shape_.s; ++s) {
        const std::size_t at_h = h + shape_.padding - r, at_w = w + shape_.padding - s;
        if (at_h % shape_.stride != 0 || at_w % shape_.stride != 0) continue;
        const std::size_t p = at_h / shape_.stride, q = at_w / shape_.stride;
        if (p >= shape_.p() || q >= shape_.q()) continue;
        add_products(sums, image + (p * shape_.q() + q) * shape_.k, projected_.data() + (r * shape_.s + s) * shape_.k,
                     shape_.k);
      }
    }
    return sums;
  }

  [[nodiscard]] double worst_of_filters() const {
    const std::size_t blocks = (shape_.c + channel_block - 1) / channel_block;
    return largest(pool_, shape_.r * shape_.s * blocks, [&](std::size_t i) {
      const std::size_t c = i % blocks * channel_block;
      return worst_of_channels(i / blocks, c, std::min(channel_block, shape_.c - c));
    });
  }

  /// Of one place in the filters, `count` channels from c on.
  [[nodiscard]] double worst_of_channels(std::size_t tap, std::size_t c, std::size_t count) const {
    std::array<Pair, channel_block> wanted{};
    for (std::size_t depth = 0; depth < projected_.size(); ++depth) {
      const std::size_t q = depth % shape_.q(), p = depth / shape_.q() % shape_.p(),
                        n = depth / shape_.q() / shape_.p();
      const std::size_t h = p * shape_.stride + tap / shape_.s - shape_.padding;
      const std::size_t w = q * shape_.stride + tap % shape_.s - shape_.padding;
      if (h >= shape_.h || w >= shape_.w) continue;
      const T* const x = static_cast<const T*>(op_.x) + ((n * shape_.h + h) * shape_.w + w) * shape_.c + c;
      for (std::size_t i = 0; i < count; ++i) add_products(wanted[i], x + i, &projected_[depth], 1);
    }
    const auto* const result = static_cast<const T*>(op_.result);
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Pair sums{};
      for (std::size_t j = 0; j < signs_.size(); ++j)
        add_products(sums, result + ((first_ + j) * shape_.r * shape_.s + tap) * shape_.c + c + i, &signs_[j], 1);
      worst = larger_or_nan(difference(sums, wanted[i]), worst);
    }
    return worst;
  }

  ThreadPool& pool_;
  const ops::Convolution& op_;
  const ops::ConvolutionShape& shape_;
  std::size_t first_;
  std::vector<Pair> signs_;
  std::vector<Pair> projected_{};
};

template <class T>
Bound bind(Stream&, const ops::ConvolutionCheck& check) {
  return {.launch = [check](Stream& s) {
    const std::size_t columns = ops::product_of(check.op.pass, check.op.shape).columns;
    const std::size_t step = check.columns == 0 ? columns : check.columns;
    double worst = 0;
    for (std::size_t first = 0; first < columns; first += step)
      worst = larger_or_nan(Slice<T>(pool_of(s), check, first, std::min(step, columns - first)).worst(), worst);
    *check.out = worst;
  }};
}

const Implements<ops::ConvolutionCheck> f32{{.id = {"cpu", "check", DType::f32}, .bind = bind<float>}};
const Implements<ops::ConvolutionCheck> bf16{{.id = {"cpu", "check", DType::bf16}, .bind = bind<Bf16>}};

}  // namespace
}  // namespace warpmark::cpu
