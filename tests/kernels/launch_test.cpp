// SPDX-License-Identifier: Apache-2.0
// Every way to launch nothing leaves proof of its blocks and arguments, takes some time, and its check sees a block too
// few and arguments of another launch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "kernels/check/launched.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using ::testing::UnorderedElementsAre;

/// Operands of so many launches, and where they tell of themselves.
class Launches {
 public:
  Launches(const KernelBench& bench, std::size_t argument_bytes, std::size_t blocks, std::size_t count = 1)
      : bench_(bench), count_(count), launched_(bench, {.sum = 1, .blocks = ~std::uint64_t{0}}) {
    if (argument_bytes > 0) {
      arguments_.emplace(bench.device->allocate(argument_bytes * count));
      bench.stream->fill_random(arguments_->data(), argument_bytes * count, DType::u8, 7);
    }
    op_ = {.arguments = arguments_ ? arguments_->data() : nullptr,
           .argument_bytes = argument_bytes,
           .blocks = blocks,
           .launched = launched_.data()};
  }

  [[nodiscard]] const ops::Empty& op() const { return op_; }
  [[nodiscard]] ops::Launched told() const { return launched_.get(); }
  void pretend(const ops::Launched& told) const { launched_.set(told); }
  void forget() const { launched_.set({.sum = 1, .blocks = ~std::uint64_t{0}}); }
  [[nodiscard]] double check() const {
    const DeviceValue<double> out(bench_, -1);
    const KernelId id{bench_.device->info().backend, "check", DType::u8};
    launch(id, bench_, ops::LaunchedCheck{.empty = op_, .launches = count_, .out = out.data()});
    return out.get();
  }

 private:
  const KernelBench& bench_;
  std::size_t count_;
  DeviceValue<ops::Launched> launched_;
  std::optional<Buffer> arguments_{};
  ops::Empty op_{};
};

/// Calls test(kernel, bench) for those that run here. Each has to tell of itself when it is launched and when it is
/// timed.
template <class Op, class Make>
void expect_proof(std::size_t argument_bytes, std::size_t blocks, std::size_t launches, const Make& make) {
  for (const Kernel<Op>& kernel : kernels<Op>()) {
    const auto bench = benches().find(kernel.id.backend);
    if (bench == benches().end() || (kernel.id.backend == "cpu" && bench->second.device->info().units < 2)) continue;
    SCOPED_TRACE(text_of(kernel.id) + " " + std::to_string(argument_bytes) + " " + std::to_string(blocks));
    const Launches operands(bench->second, argument_bytes, blocks, launches);
    const Bound bound = kernel.bind(*bench->second.stream, make(operands.op()));
    operands.forget();
    EXPECT_EQ(operands.check(), 2) << "nothing has run";
    bound.launch(*bench->second.stream);
    EXPECT_EQ(operands.check(), 0);
    operands.forget();
    for (int i = 0; i < 257; ++i) EXPECT_GT(bound.sample(*bench->second.stream), -1e-3);
    EXPECT_EQ(operands.check(), 0) << "of 256 launches one at least tells";
    EXPECT_EQ(operands.told().blocks, blocks * launches);
  }
}

TEST(Launch, TellsOfItsBlocksAndArguments) {
  for (const std::size_t bytes : {0U, 64U, 1024U, 4096U}) {
    for (const std::size_t blocks : {1U, 7U, 1000U}) {
      expect_proof<ops::Submit>(bytes, blocks, 1, [](const ops::Empty& op) { return ops::Submit{op}; });
      expect_proof<ops::RoundTrip>(bytes, blocks, 1, [](const ops::Empty& op) { return ops::RoundTrip{op}; });
    }
  }
  expect_proof<ops::BackToBack>(64, 3, 1, [](const ops::Empty& op) { return ops::BackToBack{op}; });
  expect_proof<ops::AfterIdle>(0, 1, 1, [](const ops::Empty& op) { return ops::AfterIdle{op, 1e-6}; });
}

TEST(Launch, OfAGraphTellsOfEachNode) {
  for (const auto step :
       {ops::GraphStep::node, ops::GraphStep::launch, ops::GraphStep::instantiate, ops::GraphStep::upload})
    expect_proof<ops::GraphOfEmpty>(64, 1, 5, [step](const ops::Empty& op) { return ops::GraphOfEmpty{op, 5, step}; });
}

TEST(LaunchedCheck, SeesABlockTooFewAndOtherArguments) {
  for (auto& [name, bench] : benches()) {
    const Launches operands(bench, 64, 10);
    std::vector<unsigned char> bytes(64);
    bench.stream->copy_out(bytes.data(), operands.op().arguments, bytes.size());
    const std::uint64_t sum = ops::weighted_sum(bytes.data(), 64, 1);
    operands.pretend({.sum = sum, .blocks = 10});
    EXPECT_EQ(operands.check(), 0) << name;
    operands.pretend({.sum = sum, .blocks = 9});
    EXPECT_EQ(operands.check(), 1) << name;
    std::swap(bytes.front(), bytes.back());
    operands.pretend({.sum = ops::weighted_sum(bytes.data(), 64, 1), .blocks = 10});
    EXPECT_EQ(operands.check(), 1) << name << ": two bytes changed places";
    operands.pretend({.sum = ~sum, .blocks = 0});
    EXPECT_EQ(operands.check(), 2) << name;
  }
}

TEST(WeightedSum, ByHand) {
  const std::vector<unsigned char> bytes{1, 2, 3, 255, 0, 1};
  EXPECT_EQ(ops::weighted_sum(bytes.data(), 6, 1), 1U + 4 + 9 + 1020 + 0 + 6);
  EXPECT_EQ(ops::weighted_sum(bytes.data(), 3, 2), 1U + 4 + 9 + 255 + 0 + 3);
  EXPECT_EQ(ops::weighted_sum(nullptr, 0, 1), 0U);
}

}  // namespace
}  // namespace warpmark
