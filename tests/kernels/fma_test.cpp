// SPDX-License-Identifier: Apache-2.0
// Every kernel of multiply-adds turns every pair as often as it was asked to, and the check sees one that it did not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "kernels/check/turned.h"
#include "kernels/compute/fma.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using ::testing::IsSupersetOf;

struct Pair {
  double u = 0;
  double v = 0;
};

/// Eight digits, by one rounding: the way over f32 would be two.
double nearest_bf16(double x) {
  if (x == 0) return 0;
  const int exponent = std::ilogb(x);
  return std::ldexp(std::nearbyint(std::ldexp(x, 7 - exponent)), exponent - 7);
}

/// Rounds once: f64 holds product and sum of two narrow numbers.
double fused(DType dtype, double a, double b, double c) {
  switch (dtype) {
    case DType::f32:
      return static_cast<double>(std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
    case DType::f16: return static_cast<double>(F16(a * b + c));
    case DType::bf16: return nearest_bf16(a * b + c);
    default: return std::fma(a, b, c);
  }
}

Pair turned_integers(std::size_t pair, std::size_t rounds) {
  auto u = static_cast<std::uint32_t>(1 + pair % 128);
  std::uint32_t v = 3;
  for (std::size_t round = 0; round < rounds; ++round) {
    u += 0x9e3779b1U * v;
    v -= 0x9e3779b1U * u;
  }
  return {static_cast<double>(static_cast<std::int32_t>(u)), static_cast<double>(static_cast<std::int32_t>(v))};
}

Pair turned(DType dtype, std::size_t pair, std::size_t rounds) {
  if (dtype == DType::i32) return turned_integers(pair, rounds);
  Pair at{.u = 1 + static_cast<double>(pair % 128) / 128, .v = 0.5};
  for (std::size_t round = 0; round < rounds; ++round) {
    at.u = fused(dtype, 0.0439453125, at.v, at.u);
    at.v = fused(dtype, -0.0439453125, at.u, at.v);
  }
  return at;
}

struct Turned {
  Turned(const KernelBench& on, const KernelId& of, std::size_t pairs, std::size_t times)
      : bench(on), id(of), n(pairs), rounds(times), u(on, pairs, of.dtype), v(on, pairs, of.dtype) {}

  [[nodiscard]] ops::Fma op() const { return {.u = u.data(), .v = v.data(), .n = n, .rounds = rounds}; }
  [[nodiscard]] double check() const {
    const DeviceValue<double> out(bench, -1);
    launch(KernelId{id.backend, "check", id.dtype}, bench,
           ops::TurnedCheck{.u = u.data(), .v = v.data(), .n = n, .rounds = rounds, .out = out.data()});
    return out.get();
  }
  /// By the numbers that the host reads.
  [[nodiscard]] double error() const {
    const double epsilon = id.dtype == DType::i32 ? 1 : epsilon_of(id.dtype);
    double worst = 0;
    const std::vector<double> us = u.values();
    const std::vector<double> vs = v.values();
    for (std::size_t i = 0; i < n; ++i) {
      const Pair right = turned(id.dtype, i, rounds);
      worst = worse_error(std::abs(us[i] - right.u) / epsilon, worst);
      worst = worse_error(std::abs(vs[i] - right.v) / epsilon, worst);
    }
    return worst;
  }
  [[nodiscard]] double allowed() const {
    return id.variant == "baseline" ? 2 + static_cast<double>(rounds) / 8 : 0;  // it has no multiply-add
  }

  const KernelBench& bench;
  KernelId id;
  std::size_t n;
  std::size_t rounds;
  GuardedArray u, v;
};

std::vector<std::string> ids(std::string_view backend) {
  std::vector<std::string> all;
  for (const Kernel<ops::Fma>& kernel : kernels<ops::Fma>())
    if (kernel.id.backend == backend) all.push_back(text_of(kernel.id));
  return all;
}

TEST(Fma, IsThereInEveryType) {
#if defined(__x86_64__)
  EXPECT_THAT(ids("cpu"), IsSupersetOf({"cpu/baseline/f64", "cpu/baseline/f32", "cpu/avx2/f64", "cpu/avx2/f32",
                                        "cpu/avx512/f64", "cpu/avx512/f32", "cpu/avx512-fp16/f16"}));
#endif
#if WARPMARK_HAS_CUDA
  EXPECT_THAT(ids("cuda"),
              IsSupersetOf({"cuda/fma/f64", "cuda/fma/f32", "cuda/fma/f16", "cuda/fma/bf16", "cuda/fma/i32"}));
#endif
}

TEST(Fma, TurnsEveryPairAsOftenAsItWasAsked) {
  on_every_kernel<ops::Fma>([](const Kernel<ops::Fma>& kernel, const KernelBench& bench) {
    for (const std::size_t n : {1U, 2U, 127U, 129U, 1000U, 3001U}) {
      for (const std::size_t rounds : {1U, 2U, 33U, 100U}) {
        const Turned all(bench, kernel.id, n, rounds);
        const std::string what = text_of(kernel.id) + " " + std::to_string(n) + " x " + std::to_string(rounds);
        EXPECT_FALSE(all.check() <= all.allowed()) << what << ": poison is not right";
        launch(kernel.id, bench, all.op());
        EXPECT_LE(all.error(), all.allowed()) << what;
        EXPECT_LE(all.check(), all.allowed()) << what;
        EXPECT_TRUE(all.u.guards_intact() && all.v.guards_intact()) << what;
      }
    }
  });
}

TEST(Fma, DependsOnEveryRound) {
  on_every_kernel<ops::Fma>([](const Kernel<ops::Fma>& kernel, const KernelBench& bench) {
    for (const std::size_t rounds : {255U, 257U}) {
      const Turned all(bench, kernel.id, 1000, rounds);
      launch(kernel.id, bench, all.op());
      ASSERT_LE(all.check(), all.allowed()) << text_of(kernel.id);
      Turned other(bench, kernel.id, 1000, 256);
      ops::Fma op = other.op();
      op.rounds = rounds;
      launch(kernel.id, bench, op);
      EXPECT_FALSE(other.check() <= other.allowed()) << text_of(kernel.id) << ": " << rounds << " were taken for 256";
    }
  });
}

/// A little off, as much as the type shows; no number; nothing.
std::vector<double> spoiled(DType dtype, double right) {
  if (dtype == DType::i32) return {right + 1, 0};
  return {right + std::max(0.01, 4 * epsilon_of(dtype)), std::numeric_limits<double>::quiet_NaN(), 0};
}

TEST(TurnedCheck, SeesOneSpoiledNumberAnywhere) {
  on_every_kernel<ops::Fma>([](const Kernel<ops::Fma>& kernel, const KernelBench& bench) {
    const Turned all(bench, kernel.id, 1000, 20);
    launch(kernel.id, bench, all.op());
    for (const GuardedArray* const array : {&all.u, &all.v}) {
      for (const std::size_t place : spoiled_places(1000)) {
        const double right = array->get(place);
        for (const double wrong : spoiled(kernel.id.dtype, right)) {
          array->set(place, wrong);
          EXPECT_FALSE(all.check() <= all.allowed()) << text_of(kernel.id) << " " << wrong << " for " << right;
        }
        array->set(place, right);
      }
    }
    EXPECT_LE(all.check(), all.allowed()) << "not as it was";
  });
}

}  // namespace
}  // namespace warpmark
