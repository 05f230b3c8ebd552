// SPDX-License-Identifier: Apache-2.0
// The choice of the fastest of several algorithms, on a simulated H200, whose times are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.h"
#include "kernels/library/fastest_cuda.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {
namespace {

using testing::HasSubstr;

KernelBench& gpu() { return benches().at("cuda"); }

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Algorithms that fill so many elements, one after the other; the last stays.
class FastestAlgorithm : public testing::Test {
 protected:
  std::size_t among(std::vector<std::vector<std::size_t>> elements) {
    const Buffer buffer = gpu().device->allocate(most * sizeof(float));
    return cuda::fastest_algorithm(stream(), elements.size(), [&](std::size_t i) {
      gpu().stream->fill_random(buffer.data(), elements[i].front(), DType::f32, 1);
      if (elements[i].size() > 1) elements[i].erase(elements[i].begin());
      return std::string();
    });
  }
  static cuda::CudaStream& stream() { return cuda::cuda_stream(*gpu().stream); }
  static constexpr std::size_t most = 4'000'000;
};

TEST_F(FastestAlgorithm, IsTheOneThatTakesLeast) {
  EXPECT_EQ(among({{most}}), 0U);
  EXPECT_EQ(among({{most}, {most / 2}}), 1U);
  EXPECT_EQ(among({{most / 2}, {most / 8}, {most}, {most / 4}, {most / 3}}), 1U);
}

TEST_F(FastestAlgorithm, IsNotTheOneThatWasLuckyOnce) {
  // A launch to warm up and one that is timed are short, as all of the others' are not.
  EXPECT_EQ(among({{most / 8, most / 8, most}, {most / 2}, {most / 2 + 1000000}}), 1U);
}

TEST_F(FastestAlgorithm, IsNotOneThatRefuses) {
  const auto refusing = [](std::size_t i) {
    gpu().stream->wait();
    return std::string(i == 0 ? "not that way" : "");
  };
  EXPECT_EQ(cuda::fastest_algorithm(stream(), 2, refusing), 1U);
  EXPECT_EQ(cuda::first_algorithm(stream(), 2, refusing), 1U);
  EXPECT_THAT(complaint([&] { (void)cuda::fastest_algorithm(stream(), 1, refusing); }), HasSubstr("not that way"));
  EXPECT_THROW((void)cuda::fastest_algorithm(stream(), 1, refusing), Unsupported);
  EXPECT_THROW((void)cuda::first_algorithm(stream(), 1, refusing), Unsupported);
}

TEST_F(FastestAlgorithm, IsNotLookedForWhereOneFails) {
  int launches = 0;
  const auto failing = [&](std::size_t) -> std::string {
    if (++launches == 2) throw Error("broken");
    return "";
  };
  EXPECT_EQ(complaint([&] { (void)cuda::fastest_algorithm(stream(), 2, failing); }), "broken");
  launches = 0;
  const auto fickle = [&](std::size_t) { return std::string(++launches == 2 ? "no more" : ""); };
  EXPECT_THAT(complaint([&] { (void)cuda::fastest_algorithm(stream(), 2, fickle); }), HasSubstr("again: no more"));
}

}  // namespace
}  // namespace warpmark
