// SPDX-License-Identifier: Apache-2.0
// Every memory kernel and every loop behind them, at odd sizes, against the same arithmetic written plainly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/kernel.h"
#include "kernels/memory/copy.h"
#include "kernels/memory/dot.h"
#include "kernels/memory/memory_cpu.h"
#include "kernels/memory/read.h"
#include "kernels/memory/scale.h"
#include "kernels/memory/triad.h"
#include "kernels/memory/write.h"
#include "tests/kernels/cpu_bench.h"

namespace warpmark {
namespace {

using ::testing::UnorderedElementsAreArray;

constexpr double factor = 0.4;
constexpr std::size_t odd_sizes[] = {1, 2, 3, 63, 64, 65, 1000, 4099};

/// b and c filled, a poisoned.
struct Operands {
  Operands(std::size_t n, DType type) : dtype(type), a(n, type), b(n, type), c(n, type) {
    b.fill(1);
    c.fill(2);
  }
  DType dtype;
  GuardedArray a, b, c;
};

ops::Write op_on(const Operands& o, const ops::Write&) { return {.a = o.a.data(), .s = factor, .n = o.a.size()}; }
ops::Copy op_on(const Operands& o, const ops::Copy&) { return {.a = o.a.data(), .b = o.b.data(), .n = o.a.size()}; }
ops::Scale op_on(const Operands& o, const ops::Scale&) {
  return {.a = o.a.data(), .b = o.b.data(), .s = factor, .n = o.a.size()};
}
ops::Triad op_on(const Operands& o, const ops::Triad&) {
  return {.a = o.a.data(), .b = o.b.data(), .c = o.c.data(), .s = factor, .n = o.a.size()};
}

double right(const Operands&, const ops::Write&, std::size_t) { return factor; }
double right(const Operands& o, const ops::Copy&, std::size_t i) { return o.b.get(i); }
double right(const Operands& o, const ops::Scale&, std::size_t i) { return factor * o.b.get(i); }
double right(const Operands& o, const ops::Triad&, std::size_t i) { return o.b.get(i) + factor * o.c.get(i); }

/// The largest distance from the right result, in epsilons of the largest term: the factor itself is rounded too.
template <class Op>
double error(const Operands& o, const Op& op) {
  double worst = 0;
  for (std::size_t i = 0; i < o.a.size(); ++i)
    worst = worse_error(std::abs(o.a.get(i) - right(o, op, i)) / epsilon_of(o.dtype), worst);
  return worst;
}

constexpr double allowed = 2;

/// The result is right, nothing else was written, and one spoiled element anywhere shows.
template <class Op>
void expect_right(const Operands& o, const Op& op, const std::string& what) {
  EXPECT_LE(error(o, op), allowed) << what;
  EXPECT_TRUE(o.a.guards_intact()) << what;
  for (const std::size_t place : spoiled_places(o.a.size())) {
    const double as_it_was = o.a.get(place);
    for (const double wrong : spoiled_values(as_it_was)) {
      o.a.set(place, wrong);
      EXPECT_FALSE(error(o, op) <= allowed) << what << ": " << wrong << " at " << place << " was not noticed";
    }
    o.a.set(place, as_it_was);
  }
}

template <class Op>
class Maps : public testing::Test {};
using EveryMap = testing::Types<ops::Write, ops::Copy, ops::Scale, ops::Triad>;
TYPED_TEST_SUITE(Maps, EveryMap);

TYPED_TEST(Maps, AreThoseOfTheCpuBackend) {
  std::vector<std::string> found;
  for (const Kernel<TypeParam>& kernel : kernels<TypeParam>())
    found.push_back(kernel.id.variant + "/" + std::string(name_of(kernel.id.dtype)));
  std::vector<std::string> expected;
  for (const char* variant : {"plain", "plain-1core", "nt", "nt-1core"})
    for (const char* dtype : {"f64", "f32"}) expected.push_back(std::string(variant) + "/" + dtype);
#if defined(__x86_64__)
  EXPECT_THAT(found, UnorderedElementsAreArray(expected));
#endif
}

TYPED_TEST(Maps, AreRightAtOddSizes) {
  for (const Kernel<TypeParam>& kernel : kernels<TypeParam>()) {
    for (const std::size_t n : odd_sizes) {
      for (const std::size_t passes : {1U, 3U}) {
        const Operands o(n, kernel.id.dtype);
        TypeParam op = op_on(o, TypeParam{});
        op.passes = passes;
        ASSERT_TRUE(std::isnan(error(o, op))) << "poison is not right";
        const Bound bound = kernel.bind(*cpu_bench().stream, op);
        bound.launch(*cpu_bench().stream);
        expect_right(o, op, kernel.id.variant + " n=" + std::to_string(n));
        EXPECT_TRUE(bound.about.contains("isa"));
        EXPECT_EQ(bound.about.at("threads") == 1,
                  kernel.id.variant.ends_with("1core") || cpu_bench().device.info().units == 1);
      }
    }
  }
}

/// The loop of an operation, on whole arrays.
template <class T, class Op>
void run_loop(const cpu::MapLoop<T> loop, const Operands& o, const Op& op, const std::string& what) {
  loop(static_cast<T*>(o.a.data()), static_cast<const T*>(o.b.data()), static_cast<const T*>(o.c.data()),
       static_cast<T>(factor), o.a.size(), 2);
  expect_right(o, op, what);
}

template <class T>
void try_maps(const cpu::MapLoops<T>& loops, DType dtype, const std::string& what) {
  for (const std::size_t n : odd_sizes) {
    const std::string which = what + " n=" + std::to_string(n);
    run_loop(loops.write, Operands(n, dtype), ops::Write{}, which + " write");
    run_loop(loops.copy, Operands(n, dtype), ops::Copy{}, which + " copy");
    run_loop(loops.scale, Operands(n, dtype), ops::Scale{}, which + " scale");
    run_loop(loops.triad, Operands(n, dtype), ops::Triad{}, which + " triad");
  }
  const GuardedArray nothing(0, dtype);
  auto* const at = static_cast<T*>(nothing.data());
  loops.write(at, nullptr, nullptr, 1, 0, 1);
  EXPECT_TRUE(nothing.guards_intact()) << what << " writes no element of none";
}

TEST(MemoryLoops, OfMapsAreRightOnEveryInstructionSetOfTheMachine) {
  EXPECT_EQ(cpu::memory_loops.front().isa, cpu::Isa::baseline);
  for (const auto& [isa, loops] : cpu::memory_loops) {
    if (!cpu::supported(isa)) continue;
    const std::string name(name_of(isa));
    try_maps(loops->f64.plain, DType::f64, name + " plain");
    try_maps(loops->f32.plain, DType::f32, name + " plain");
#if defined(__x86_64__)
    try_maps(loops->f64.nontemporal, DType::f64, name + " nt");
    try_maps(loops->f32.nontemporal, DType::f32, name + " nt");
#endif
  }
}

std::uint64_t bits_of(const GuardedArray& x, DType dtype) {
  std::uint64_t sum = 0;
  for (const double value : x.values())
    sum += dtype == DType::f64 ? __builtin_bit_cast(std::uint64_t, value)
                               : __builtin_bit_cast(std::uint32_t, static_cast<float>(value));
  return sum;
}

std::uint64_t modulo(std::uint64_t sum, DType dtype) { return dtype == DType::f64 ? sum : sum & 0xffffffffU; }

TEST(ReadKernels, AddUpEveryBitOfEveryPass) {
  for (const Kernel<ops::Read>& kernel : kernels<ops::Read>()) {
    for (const std::size_t n : odd_sizes) {
      const GuardedArray x(n, kernel.id.dtype);
      x.fill(3);
      std::uint64_t sum = 0;
      const ops::Read op{.x = x.data(), .n = n, .passes = 3, .sum = &sum};
      kernel.bind(*cpu_bench().stream, op).launch(*cpu_bench().stream);
      EXPECT_EQ(sum, modulo(3 * bits_of(x, kernel.id.dtype), kernel.id.dtype)) << kernel.id.variant << " " << n;
    }
  }
}

TEST(DotKernels, AddUpEveryProduct) {
  for (const Kernel<ops::Dot>& kernel : kernels<ops::Dot>()) {
    for (const std::size_t n : {1U, 2U, 3U, 63U, 64U, 65U, 1000U, 40'001U}) {
      const GuardedArray x(n, kernel.id.dtype), y(n, kernel.id.dtype);
      x.fill(3);
      y.fill(4);
      long double expected = 0;
      for (std::size_t i = 0; i < n; ++i) expected += static_cast<long double>(x.get(i)) * y.get(i);
      double sum = 0;
      const ops::Dot op{.x = x.data(), .y = y.data(), .n = n, .passes = 3, .sum = &sum};
      kernel.bind(*cpu_bench().stream, op).launch(*cpu_bench().stream);
      const double tolerance = epsilon_of(kernel.id.dtype) * (16 + static_cast<double>(n) / 16);
      EXPECT_NEAR(sum, static_cast<double>(expected), tolerance) << kernel.id.variant << " " << n;
    }
  }
}

template <class T>
void try_sums(const cpu::MemoryLoopsOf<T>& loops, DType dtype, const std::string& what) {
  const GuardedArray x(4099, dtype), y(4099, dtype);
  x.fill(3);
  y.fill(4);
  double dot = 0;
  for (std::size_t i = 0; i < x.size(); ++i) dot += x.get(i) * y.get(i);
  const auto* const from = static_cast<const T*>(x.data());
  EXPECT_EQ(modulo(loops.read(from, x.size(), 2), dtype), modulo(2 * bits_of(x, dtype), dtype)) << what;
  EXPECT_NE(modulo(loops.read(from, x.size() - 1, 2), dtype), modulo(2 * bits_of(x, dtype), dtype)) << what;
  EXPECT_NEAR(loops.dot(from, static_cast<const T*>(y.data()), x.size(), 2), dot, 300 * epsilon_of(dtype)) << what;
  EXPECT_EQ(loops.read(from, 0, 2), 0U) << what;
  EXPECT_EQ(loops.dot(from, from, 0, 2), 0) << what;
}

TEST(MemoryLoops, OfSumsAreRightOnEveryInstructionSetOfTheMachine) {
  for (const auto& [isa, loops] : cpu::memory_loops) {
    if (!cpu::supported(isa)) continue;
    try_sums(loops->f64, DType::f64, std::string(name_of(isa)) + " f64");
    try_sums(loops->f32, DType::f32, std::string(name_of(isa)) + " f32");
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
