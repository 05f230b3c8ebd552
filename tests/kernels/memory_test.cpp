// SPDX-License-Identifier: Apache-2.0
// Every memory kernel and every loop behind them, at odd sizes, against the same arithmetic written plainly.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/backends/cpu/isa.h"
#include "harness/core/kernel.h"
#include "kernels/memory/copy.h"
#include "kernels/memory/dot.h"
#include "kernels/memory/memory_cpu.h"
#include "kernels/memory/read.h"
#include "kernels/memory/scale.h"
#include "kernels/memory/triad.h"
#include "kernels/memory/write.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using ::testing::UnorderedElementsAreArray;

constexpr double factor = 0.4;
constexpr std::size_t odd_sizes[] = {1, 2, 3, 63, 64, 65, 1000, 4099};

/// b and c filled, a poisoned.
struct Operands {
  Operands(const KernelBench& bench, std::size_t n, DType type)
      : dtype(type), a(bench, n, type), b(bench, n, type), c(bench, n, type) {
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

/// The operands as the host reads them.
struct Values {
  explicit Values(const Operands& o) : a(o.a.values()), b(o.b.values()), c(o.c.values()) {}
  std::vector<double> a, b, c;
};

double right(const Values&, const ops::Write&, std::size_t) { return factor; }
double right(const Values& v, const ops::Copy&, std::size_t i) { return v.b[i]; }
double right(const Values& v, const ops::Scale&, std::size_t i) { return factor * v.b[i]; }
double right(const Values& v, const ops::Triad&, std::size_t i) { return v.b[i] + factor * v.c[i]; }

/// The largest distance from the right result, in epsilons of the largest term: the factor itself is rounded too.
template <class Op>
double error(const Operands& o, const Op& op) {
  const Values values(o);
  double worst = 0;
  for (std::size_t i = 0; i < values.a.size(); ++i)
    worst = worse_error(std::abs(values.a[i] - right(values, op, i)) / epsilon_of(o.dtype), worst);
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

/// Variants of an operation on a backend, each for f64 and f32.
std::vector<std::string> named(const std::string& backend, std::initializer_list<std::string> variants) {
  std::vector<std::string> all;
  for (const std::string& variant : variants)
    for (const char* dtype : {"f64", "f32"}) all.push_back(fmt::format("{}/{}/{}", backend, variant, dtype));
  return all;
}

template <class Op>
std::vector<std::string> found(std::string_view backend) {
  std::vector<std::string> all;
  for (const Kernel<Op>& kernel : kernels<Op>())
    if (kernel.id.backend == backend) all.push_back(text_of(kernel.id));
  return all;
}

#if defined(__x86_64__)
TYPED_TEST(Maps, AreThoseOfTheCpuBackend) {
  EXPECT_THAT(found<TypeParam>("cpu"),
              UnorderedElementsAreArray(named("cpu", {"plain", "plain-1core", "nt", "nt-1core"})));
}
#endif

#if WARPMARK_HAS_CUDA
TYPED_TEST(Maps, AreThoseOfTheCudaBackend) {
  EXPECT_THAT(found<TypeParam>("cuda"), UnorderedElementsAreArray(named("cuda", {"plain", "cs"})));
}

TEST(SumKernels, AreThoseOfTheCudaBackend) {
  EXPECT_THAT(found<ops::Read>("cuda"), UnorderedElementsAreArray(named("cuda", {"plain"})));
  EXPECT_THAT(found<ops::Dot>("cuda"), UnorderedElementsAreArray(named("cuda", {"plain"})));
}
#endif

template <class Op>
void try_map(const Kernel<Op>& kernel, const KernelBench& bench, std::size_t n, std::size_t passes) {
  const Operands o(bench, n, kernel.id.dtype);
  Op op = op_on(o, Op{});
  op.passes = passes;
  ASSERT_TRUE(std::isnan(error(o, op))) << "poison is not right";
  launch(kernel.id, bench, op);
  expect_right(o, op, text_of(kernel.id) + " n=" + std::to_string(n));
}

TYPED_TEST(Maps, AreRightAtOddSizes) {
  on_every_kernel<TypeParam>([](const Kernel<TypeParam>& kernel, const KernelBench& bench) {
    for (const std::size_t n : odd_sizes)
      for (const std::size_t passes : {1U, 3U}) try_map(kernel, bench, n, passes);
  });
}

TYPED_TEST(Maps, SayHowTheyRan) {
  on_every_kernel<TypeParam>([](const Kernel<TypeParam>& kernel, KernelBench& bench) {
    const Operands o(bench, 1, kernel.id.dtype);
    const nlohmann::json about = kernel.bind(*bench.stream, op_on(o, TypeParam{})).about;
    if (kernel.id.backend == "cpu") {
      EXPECT_TRUE(about.contains("isa"));
      EXPECT_EQ(about.at("threads") == 1, kernel.id.variant.ends_with("1core") || bench.device->info().units == 1);
    } else {
      EXPECT_EQ(about.at("vector_bytes"), 16);
      EXPECT_EQ(about.at("unroll"), 4);
      EXPECT_EQ(about.at("block_threads"), 256);
      EXPECT_TRUE(about.at("jit").is_boolean());
    }
  });
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
    run_loop(loops.write, Operands(cpu_bench(), n, dtype), ops::Write{}, which + " write");
    run_loop(loops.copy, Operands(cpu_bench(), n, dtype), ops::Copy{}, which + " copy");
    run_loop(loops.scale, Operands(cpu_bench(), n, dtype), ops::Scale{}, which + " scale");
    run_loop(loops.triad, Operands(cpu_bench(), n, dtype), ops::Triad{}, which + " triad");
  }
  const GuardedArray nothing(cpu_bench(), 0, dtype);
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

void try_read(const Kernel<ops::Read>& kernel, const KernelBench& bench, std::size_t n) {
  const GuardedArray x(bench, n, kernel.id.dtype);
  x.fill(3);
  const DeviceValue<std::uint64_t> sum(bench, 0);
  const Bound bound = kernel.bind(*bench.stream, {.x = x.data(), .n = n, .passes = 3, .sum = sum.data()});
  for (int again = 0; again < 3; ++again) {
    sum.set(0);
    bound.launch(*bench.stream);
    EXPECT_EQ(sum.get(), modulo(3 * bits_of(x, kernel.id.dtype), kernel.id.dtype)) << text_of(kernel.id) << " " << n;
  }
}

TEST(ReadKernels, AddUpEveryBitOfEveryPass) {
  on_every_kernel<ops::Read>([](const Kernel<ops::Read>& kernel, const KernelBench& bench) {
    for (const std::size_t n : odd_sizes) try_read(kernel, bench, n);
  });
}

void try_dot(const Kernel<ops::Dot>& kernel, const KernelBench& bench, std::size_t n) {
  const GuardedArray x(bench, n, kernel.id.dtype), y(bench, n, kernel.id.dtype);
  x.fill(3);
  y.fill(4);
  const std::vector<double> of_x = x.values(), of_y = y.values();
  long double expected = 0;
  for (std::size_t i = 0; i < n; ++i) expected += static_cast<long double>(of_x[i]) * of_y[i];
  const double tolerance = epsilon_of(kernel.id.dtype) * (16 + static_cast<double>(n) / 16);
  const DeviceValue<double> sum(bench, 0);
  const Bound bound =
      kernel.bind(*bench.stream, {.x = x.data(), .y = y.data(), .n = n, .passes = 3, .sum = sum.data()});
  std::set<double> sums;
  for (int again = 0; again < 3; ++again) {
    sum.set(0);
    bound.launch(*bench.stream);
    sums.insert(sum.get());
    EXPECT_NEAR(sum.get(), static_cast<double>(expected), tolerance) << text_of(kernel.id) << " " << n;
  }
  EXPECT_EQ(sums.size(), 1U) << text_of(kernel.id) << " " << n << ": the order of the sum is fixed";
}

TEST(DotKernels, AddUpEveryProduct) {
  on_every_kernel<ops::Dot>([](const Kernel<ops::Dot>& kernel, const KernelBench& bench) {
    for (const std::size_t n : {1U, 2U, 3U, 63U, 64U, 65U, 1000U, 40'001U}) try_dot(kernel, bench, n);
  });
}

template <class T>
void try_sums(const cpu::MemoryLoopsOf<T>& loops, DType dtype, const std::string& what) {
  const GuardedArray x(cpu_bench(), 4099, dtype), y(cpu_bench(), 4099, dtype);
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
  const GuardedArray a(cpu_bench(), 3, DType::f64);
  EXPECT_TRUE(a.guards_intact());
  a.set(3, 1);
  EXPECT_FALSE(a.guards_intact());
  const GuardedArray b(cpu_bench(), 3, DType::f64);
  static_cast<double*>(b.data())[-1] = 1;
  EXPECT_FALSE(b.guards_intact());
}

TEST(KernelBenches, HaveTheGpuWhereThereIsOne) {
  for (const Backend& backend : backends()) {
    const Unavailable unavailable = backend.unavailable();
    EXPECT_EQ(benches().count(backend.name), unavailable ? 0U : 1U);
    if (!unavailable) continue;
    if (std::getenv("SIMULATED_MACHINE") != nullptr) FAIL() << backend.name << ": " << unavailable.why;
    GTEST_SKIP() << "kernels of " << backend.name << " were not tried: " << unavailable.why;
  }
}

}  // namespace
}  // namespace warpmark
