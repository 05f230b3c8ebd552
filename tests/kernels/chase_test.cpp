// SPDX-License-Identifier: Apache-2.0
// Every chase walks the cycle that the backend filled, step by step, and its check sees a step too few and a node that
// leads elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "harness/core/shuffle.h"
#include "kernels/check/landing.h"
#include "kernels/latency/chase.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using ::testing::UnorderedElementsAre;

constexpr std::size_t stride = 128;
constexpr std::size_t words = stride / sizeof(std::uint64_t);
constexpr std::uint64_t seed = 3;

class Ring {
 public:
  Ring(const KernelBench& bench, std::size_t nodes)
      : bench_(bench), nodes_(nodes), buffer_(bench.device->allocate(nodes * stride)), landing_(bench, {}) {
    bench.stream->fill_cycle(buffer_.data(), nodes, stride, seed);
    poison();
  }

  [[nodiscard]] ops::Chase op(std::size_t steps) const {
    return {.ring = buffer_.data(),
            .nodes = nodes_,
            .stride_bytes = stride,
            .seed = seed,
            .steps = steps,
            .landing = landing_.data()};
  }
  [[nodiscard]] ops::Landing landing() const { return landing_.get(); }
  void set_landing(const ops::Landing& to) const { landing_.set(to); }
  void poison() const { landing_.set({.address = ~std::uint64_t{0}, .place = ~std::uint64_t{0}}); }

  /// Where so many steps end, found by taking each: no order is known here.
  [[nodiscard]] std::uint64_t walked(std::size_t steps) const {
    std::vector<std::uint64_t> memory(nodes_ * words);
    bench_.stream->copy_out(memory.data(), buffer_.data(), buffer_.bytes());
    std::uint64_t at = address(Shuffle(seed, nodes_)(0));
    for (std::size_t i = 0; i < steps; ++i) at = memory.at((at - address(0)) / sizeof(std::uint64_t));
    return at;
  }
  [[nodiscard]] std::uint64_t address(std::uint64_t node) const {
    return reinterpret_cast<std::uint64_t>(buffer_.data()) + node * stride;
  }
  /// The node at that place then leads past its neighbour.
  void skip_one_after(std::uint64_t place) const {
    const Shuffle order(seed, nodes_);
    const std::uint64_t next = address(order((place + 2) % nodes_));
    bench_.stream->copy_in(static_cast<std::byte*>(buffer_.data()) + order(place) * stride, &next, sizeof next);
  }

  [[nodiscard]] double check(const Kernel<ops::Chase>& kernel) const {
    const DeviceValue<double> out(bench_, -1);
    launch(KernelId{kernel.id.backend, "check", DType::u64}, bench_, ops::LandingCheck{.op = op(0), .out = out.data()});
    return out.get();
  }

 private:
  const KernelBench& bench_;
  std::size_t nodes_;
  Buffer buffer_;
  DeviceValue<ops::Landing> landing_;
};

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const Kernel<ops::Chase>& kernel : kernels<ops::Chase>()) all.push_back(text_of(kernel.id));
  return all;
}

TEST(Chase, IsThereOnEveryBackend) {
#if WARPMARK_HAS_CUDA
  EXPECT_THAT(ids(), UnorderedElementsAre("cpu/chase/u64", "cuda/chase/u64"));
#else
  EXPECT_THAT(ids(), UnorderedElementsAre("cpu/chase/u64"));
#endif
}

TEST(Chase, EndsWhereAWalkStepByStepEnds) {
  on_every_kernel<ops::Chase>([](const Kernel<ops::Chase>& kernel, const KernelBench& bench) {
    for (const std::size_t nodes : {1U, 2U, 3U, 64U, 1000U}) {
      for (const std::size_t steps : {1U, 2U, 63U, 999U, 5000U}) {
        const Ring ring(bench, nodes);
        EXPECT_EQ(ring.check(kernel), 1) << "poison is not right";
        launch(kernel.id, bench, ring.op(steps));
        EXPECT_EQ(ring.landing().address, ring.walked(steps)) << text_of(kernel.id) << " " << nodes << " " << steps;
        EXPECT_EQ(ring.landing().place, steps % nodes);
        EXPECT_EQ(ring.check(kernel), 0);
      }
    }
  });
}

TEST(Chase, GoesOnWhereTheLastLaunchEnded) {
  on_every_kernel<ops::Chase>([](const Kernel<ops::Chase>& kernel, const KernelBench& bench) {
    const Ring ring(bench, 100);
    const Bound bound = kernel.bind(*bench.stream, ring.op(30));
    for (const std::size_t place : {30U, 60U, 90U, 20U}) {
      ring.poison();
      bound.launch(*bench.stream);
      bench.stream->wait();
      EXPECT_EQ(ring.landing().place, place) << text_of(kernel.id);
      EXPECT_EQ(ring.check(kernel), 0);
    }
  });
}

TEST(LandingCheck, SeesAWalkThatIsNotRight) {
  on_every_kernel<ops::Chase>([](const Kernel<ops::Chase>& kernel, const KernelBench& bench) {
    const Ring ring(bench, 100);
    launch(kernel.id, bench, ring.op(42));
    const ops::Landing right = ring.landing();
    ASSERT_EQ(ring.check(kernel), 0);
    for (const ops::Landing& wrong : {ops::Landing{.address = ring.walked(41), .place = right.place},
                                      {.address = right.address + 8, .place = 42},
                                      {.address = right.address, .place = 43},
                                      {.address = right.address, .place = 142},
                                      {.address = 0, .place = 42}}) {
      ring.set_landing(wrong);
      EXPECT_EQ(ring.check(kernel), 1) << text_of(kernel.id) << " " << wrong.place;
    }
  });
}

TEST(LandingCheck, SeesANodeOnTheWayThatLeadsElsewhere) {
  on_every_kernel<ops::Chase>([](const Kernel<ops::Chase>& kernel, const KernelBench& bench) {
    for (const std::uint64_t place : {0U, 17U, 41U}) {
      const Ring ring(bench, 100);
      ring.skip_one_after(place);
      launch(kernel.id, bench, ring.op(42));
      EXPECT_EQ(ring.check(kernel), 1) << text_of(kernel.id) << " " << place;
    }
    const Ring ring(bench, 100);
    ring.skip_one_after(42);
    launch(kernel.id, bench, ring.op(42));
    EXPECT_EQ(ring.check(kernel), 0) << "it is not on the way";
  });
}

}  // namespace
}  // namespace warpmark
