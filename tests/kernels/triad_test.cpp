// SPDX-License-Identifier: Apache-2.0
// Every kernel of triad and every loop behind them, at odd sizes, against the same arithmetic written plainly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/kernel.h"
#include "kernels/memory/triad.h"
#include "kernels/memory/triad_cpu.h"
#include "tests/kernels/cpu_bench.h"

namespace warpmark {
namespace {

using ::testing::IsSupersetOf;

constexpr double factor = 0.4;
constexpr std::size_t odd_sizes[] = {1, 2, 3, 63, 64, 65, 1000, 4099};

/// b and c filled, a poisoned.
struct Operands {
  Operands(std::size_t n, DType type) : dtype(type), a(n, type), b(n, type), c(n, type) {
    b.fill(1);
    c.fill(2);
  }

  /// The largest distance from the right result, in epsilons of |b| + |s c|: two roundings cost up to 1.
  [[nodiscard]] double error() const {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double scale = epsilon_of(dtype) * (std::abs(b.get(i)) + std::abs(factor * c.get(i)));
      worst = worse_error(std::abs(a.get(i) - (b.get(i) + factor * c.get(i))) / scale, worst);
    }
    return worst;
  }

  DType dtype;
  GuardedArray a, b, c;
};

/// The result is right, nothing else was written, and one spoiled element anywhere shows.
void expect_right(const Operands& operands, const std::string& what) {
  EXPECT_LE(operands.error(), 2) << what;
  EXPECT_TRUE(operands.a.guards_intact()) << what;
  for (const std::size_t place : spoiled_places(operands.a.size())) {
    const double right = operands.a.get(place);
    for (const double wrong : spoiled_values(right)) {
      operands.a.set(place, wrong);
      EXPECT_FALSE(operands.error() <= 2) << what << ": " << wrong << " at " << place << " was not noticed";
    }
    operands.a.set(place, right);
  }
}

TEST(TriadKernels, AreThoseOfTheCpuBackend) {
  std::vector<std::string> variants;
  for (const Kernel<ops::Triad>& kernel : kernels<ops::Triad>()) variants.push_back(kernel.id.variant);
  EXPECT_THAT(variants, IsSupersetOf({"plain"}));
#if defined(__x86_64__)
  EXPECT_THAT(variants, IsSupersetOf({"nt"}));
#endif
}

TEST(TriadKernels, AreRightAtOddSizes) {
  for (const Kernel<ops::Triad>& kernel : kernels<ops::Triad>()) {
    for (const std::size_t n : odd_sizes) {
      for (const std::size_t passes : {1U, 3U}) {
        const Operands o(n, kernel.id.dtype);
        ASSERT_TRUE(std::isnan(o.error())) << "poison is not right";
        const ops::Triad op{.a = o.a.data(), .b = o.b.data(), .c = o.c.data(), .s = factor, .n = n, .passes = passes};
        const Bound bound = kernel.bind(*cpu_bench().stream, op);
        bound.launch(*cpu_bench().stream);
        expect_right(o, kernel.id.variant + " n=" + std::to_string(n));
        EXPECT_TRUE(bound.about.contains("isa"));
      }
    }
  }
}

void try_loops(std::span<const cpu::Compiled<cpu::TriadLoop>> loops, const std::string& kind) {
  for (const cpu::Compiled<cpu::TriadLoop>& loop : loops) {
    if (!cpu::supported(loop.isa)) continue;
    for (const std::size_t n : odd_sizes) {
      const Operands o(n, DType::f64);
      loop.run(static_cast<double*>(o.a.data()), static_cast<const double*>(o.b.data()),
               static_cast<const double*>(o.c.data()), factor, n, 2);
      expect_right(o, kind + " " + std::string(name_of(loop.isa)) + " n=" + std::to_string(n));
    }
  }
}

TEST(TriadLoops, AreRightOnEveryInstructionSetOfTheMachine) {
  ASSERT_FALSE(cpu::plain_triad_loops().empty());
  EXPECT_EQ(cpu::plain_triad_loops().front().isa, cpu::Isa::baseline);
  try_loops(cpu::plain_triad_loops(), "plain");
  try_loops(cpu::nontemporal_triad_loops(), "nt");
}

TEST(TriadLoops, WriteNothingForNoElements) {
  for (const cpu::Compiled<cpu::TriadLoop>& loop : cpu::plain_triad_loops()) {
    if (!cpu::supported(loop.isa)) continue;
    const GuardedArray a(0, DType::f64);
    loop.run(static_cast<double*>(a.data()), static_cast<const double*>(a.data()), static_cast<const double*>(a.data()),
             factor, 0, 1);
    EXPECT_TRUE(a.guards_intact());
  }
}

TEST(GuardedArray, NoticesAWriteBeyondEitherEnd) {
  const GuardedArray a(3, DType::f64);
  EXPECT_TRUE(a.guards_intact());
  a.set(3, 1);
  EXPECT_FALSE(a.guards_intact());
  const GuardedArray b(3, DType::f64);
  static_cast<double*>(b.data())[-1] = 1;
  EXPECT_FALSE(b.guards_intact());
}

}  // namespace
}  // namespace warpmark
