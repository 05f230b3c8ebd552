// SPDX-License-Identifier: Apache-2.0
// Blocked product: pack B once, then every thread packs the rows of A that are its own and walks the micro kernel over
// them.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_cpu.h"

namespace warpmark::cpu {

std::span<const Compiled<GemmMicro>> gemm_micros() {
#if defined(__x86_64__)
  static const std::array micros{Compiled<GemmMicro>{Isa::baseline, gemm_micro_baseline},
                                 Compiled<GemmMicro>{Isa::avx2, gemm_micro_avx2},
                                 Compiled<GemmMicro>{Isa::avx512, gemm_micro_avx512}};
#else
  static const std::array micros{Compiled<GemmMicro>{Isa::baseline, gemm_micro_baseline}};
#endif
  return micros;
}

namespace {

class BlockedGemm {
 public:
  BlockedGemm(const ops::Gemm& op, const GemmMicro& micro, std::size_t threads)
      : m_(op.m),
        n_(op.n),
        k_(op.k),
        rows_(micro.blocks.rows),
        columns_(micro.blocks.columns),
        run_(micro.run),
        a_(static_cast<const float*>(op.a)),
        b_(static_cast<const float*>(op.b)),
        c_(static_cast<float*>(op.c)),
        panels_((n_ + columns_ - 1) / columns_),
        packed_b_(new float[panels_ * columns_ * k_]),  // not filled: the threads that use a panel touch it first
        packed_a_(threads) {
    for (std::vector<float>& mine : packed_a_) mine.resize(rows_ * gemm_depth);
  }

  void pack_b(std::size_t index, std::size_t count) {
    const Part part = part_of(panels_, 64, index, count);
    for (std::size_t panel = part.begin; panel < part.end; ++panel) {
      float* to = packed_b_.get() + panel * columns_ * k_;
      const std::size_t width = std::min(columns_, n_ - panel * columns_);
      for (std::size_t l = 0; l < k_; ++l, to += columns_) {
        const float* const from = b_ + l * n_ + panel * columns_;
        std::copy_n(from, width, to);
        std::fill(to + width, to + columns_, 0.0F);
      }
    }
  }

  void multiply(std::size_t index, std::size_t count) {
    const std::size_t strips = (m_ + rows_ - 1) / rows_;
    const Part part = part_of(strips, 64, index, count);
    for (std::size_t strip = part.begin; strip < part.end; ++strip) {
      for (std::size_t l = 0; l < k_; l += gemm_depth) {
        const std::size_t depth = std::min(gemm_depth, k_ - l);
        pack_a(packed_a_[index].data(), strip * rows_, l, depth);
        for (std::size_t panel = 0; panel < panels_; ++panel)
          block(packed_a_[index].data(), strip * rows_, panel, l, depth);
      }
    }
  }

 private:
  void pack_a(float* to, std::size_t row, std::size_t l, std::size_t depth) const {
    const std::size_t height = std::min(rows_, m_ - row);
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < depth; ++j) to[j * rows_ + i] = i < height ? a_[(row + i) * k_ + l + j] : 0.0F;
  }

  void block(const float* a, std::size_t row, std::size_t panel, std::size_t l, std::size_t depth) const {
    const std::size_t column = panel * columns_;
    const std::size_t height = std::min(rows_, m_ - row);
    const std::size_t width = std::min(columns_, n_ - column);
    const float* const b = packed_b_.get() + panel * columns_ * k_ + l * columns_;
    float* const c = c_ + row * n_ + column;
    if (height == rows_ && width == columns_) return run_(depth, a, b, c, n_, l != 0);
    std::array<float, 12 * 32> edge{};  // the largest micro kernel's block
    run_(depth, a, b, edge.data(), columns_, false);
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j) c[i * n_ + j] = edge[i * columns_ + j] + (l != 0 ? c[i * n_ + j] : 0.0F);
  }

  std::size_t m_, n_, k_;
  std::size_t rows_, columns_;
  GemmMicroKernel run_;
  const float* a_;
  const float* b_;
  float* c_;
  std::size_t panels_;
  std::unique_ptr<float[]> packed_b_;
  std::vector<std::vector<float>> packed_a_;
};

Bound bind(Stream& stream, const ops::Gemm& op) {
  const Compiled<GemmMicro> micro = widest(gemm_micros());
  const std::size_t threads = pool_of(stream).size();
  const auto gemm = std::make_shared<BlockedGemm>(op, micro.run, threads);
  return {.launch =
              [gemm](Stream& s) {
                pool_of(s).run([&](std::size_t index, std::size_t count) { gemm->pack_b(index, count); });
                pool_of(s).run([&](std::size_t index, std::size_t count) { gemm->multiply(index, count); });
              },
          .about = {{"isa", name_of(micro.isa)}, {"threads", threads}, {"algorithm", "blocked, B packed per launch"}}};
}

std::string unsupported(const Device&, const Case& at) {
  const bool batched = std::any_of(at.at.begin(), at.at.end(), [](const auto& axis) { return axis.first == "batch"; });
  return batched ? "the reference without a library multiplies one pair of matrices at a time" : "";
}

const Implements<ops::Gemm> f32{{.id = {"cpu", "blocked", DType::f32}, .bind = bind, .unsupported = unsupported}};

}  // namespace
}  // namespace warpmark::cpu
