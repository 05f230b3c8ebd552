// SPDX-License-Identifier: Apache-2.0
// Every kernel of matrix sums comes out as its contract says, round by round, and the check sees one result that is
// not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/check/matrix_sums.h"
#include "kernels/compute/matrix.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using ::testing::IsSupersetOf;

struct Sums {
  Sums(const KernelBench& on, const KernelId& of, std::size_t results, std::size_t times)
      : bench(on), id(of), n(results), rounds(times), c(on, results, DType::f32) {}

  [[nodiscard]] ops::MatrixSums op() const { return {.c = static_cast<float*>(c.data()), .n = n, .rounds = rounds}; }
  [[nodiscard]] double check() const {
    const DeviceValue<double> out(bench, -1);
    launch(KernelId{id.backend, "check", id.dtype}, bench,
           ops::MatrixSumsCheck{.c = op().c, .n = n, .rounds = rounds, .out = out.data()});
    return out.get();
  }

  const KernelBench& bench;
  KernelId id;
  std::size_t n;
  std::size_t rounds;
  GuardedArray c;
};

std::vector<double> right(std::size_t n, std::size_t rounds) {
  std::vector<double> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(static_cast<double>(rounds) * (i % 2 == 0 ? 1 : -1));
  return all;
}

std::vector<std::string> ids(std::string_view backend) {
  std::vector<std::string> all;
  for (const Kernel<ops::MatrixSums>& kernel : kernels<ops::MatrixSums>())
    if (kernel.id.backend == backend) all.push_back(text_of(kernel.id));
  return all;
}

TEST(MatrixSums, AreThereInEveryType) {
#if defined(__x86_64__)
  EXPECT_THAT(ids("cpu"), IsSupersetOf({"cpu/dot/bf16", "cpu/dot/i8", "cpu/amx/bf16", "cpu/amx/i8"}));
#endif
#if WARPMARK_HAS_CUDA
  EXPECT_THAT(ids("cuda"), IsSupersetOf({"cuda/mma/f64", "cuda/mma-tf32/f32", "cuda/mma/f16", "cuda/mma-acc16/f16",
                                         "cuda/mma/bf16", "cuda/mma/e4m3", "cuda/mma/i8", "cuda/wgmma-tf32/f32",
                                         "cuda/wgmma/f16", "cuda/wgmma/bf16", "cuda/wgmma/e4m3", "cuda/wgmma/i8"}));
#endif
}

TEST(MatrixSums, GainOneInEveryRound) {
  on_every_kernel<ops::MatrixSums>([](const Kernel<ops::MatrixSums>& kernel, const KernelBench& bench) {
    for (const std::size_t n : {2U, 126U, 1000U}) {
      for (const std::size_t rounds : {1U, 2U, 5U}) {
        const Sums sums(bench, kernel.id, n, rounds);
        const std::string what = text_of(kernel.id) + " " + std::to_string(n) + " x " + std::to_string(rounds);
        EXPECT_FALSE(sums.check() <= 0) << what << ": poison is not right";
        launch(kernel.id, bench, sums.op());
        EXPECT_EQ(sums.c.values(), right(n, rounds)) << what;
        EXPECT_EQ(sums.check(), 0) << what;
        EXPECT_TRUE(sums.c.guards_intact()) << what;
      }
    }
  });
}

TEST(MatrixSums, AreExactInHalfPrecisionUpToTheMost) {
  on_every_kernel<ops::MatrixSums>([](const Kernel<ops::MatrixSums>& kernel, const KernelBench& bench) {
    if (kernel.id.variant != "mma-acc16" && kernel.id.backend == "cuda") return;  // the simulated ones take their time
    const Sums sums(bench, kernel.id, 64, kernel.id.backend == "cuda" ? 300 : ops::matrix_most_rounds);
    launch(kernel.id, bench, sums.op());
    EXPECT_EQ(sums.check(), 0) << text_of(kernel.id);
  });
}

TEST(MatrixSumsCheck, SeesARoundTooFewAndOneSpoiledResult) {
  on_every_kernel<ops::MatrixSums>([](const Kernel<ops::MatrixSums>& kernel, const KernelBench& bench) {
    Sums sums(bench, kernel.id, 512, 3);
    launch(kernel.id, bench, sums.op());
    ASSERT_EQ(sums.check(), 0) << text_of(kernel.id);
    for (const std::size_t place : spoiled_places(512)) {
      const double as_it_was = sums.c.get(place);
      for (const double wrong : {as_it_was * 1.01, std::numeric_limits<double>::quiet_NaN(), 0.0, -as_it_was}) {
        sums.c.set(place, wrong);
        EXPECT_FALSE(sums.check() <= 0) << text_of(kernel.id) << " " << wrong << " at " << place;
      }
      sums.c.set(place, as_it_was);
    }
    sums.rounds = 4;
    EXPECT_EQ(sums.check(), 1) << text_of(kernel.id);
  });
}

}  // namespace
}  // namespace warpmark
