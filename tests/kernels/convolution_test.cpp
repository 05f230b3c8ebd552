// SPDX-License-Identifier: Apache-2.0
// Every kernel of convolution at shapes that are awkward, and the check that judges them, on every backend: right
// results pass, a spoiled element, a NaN, what was not written and swapped dimensions do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "harness/core/error.h"
#include "kernels/check/convolution.h"
#include "tests/kernels/convolution_reference.h"

namespace warpmark {
namespace {

using ops::ConvolutionPass;
using ops::ConvolutionShape;

// Not square, so that rows are not taken for columns; whole blocks of channels and not.
constexpr ConvolutionShape shapes[] = {
    {.n = 2, .c = 16, .h = 9, .w = 7, .k = 32, .r = 3, .s = 3, .padding = 1},
    {.n = 1, .c = 32, .h = 10, .w = 8, .k = 16, .r = 3, .s = 3, .stride = 2, .padding = 1},
    {.n = 3, .c = 64, .h = 5, .w = 6, .k = 48, .r = 1, .s = 1},
    {.n = 2, .c = 32, .h = 6, .w = 4, .k = 64, .r = 1, .s = 1, .stride = 2},
    {.n = 1, .c = 3, .h = 17, .w = 14, .k = 16, .r = 7, .s = 7, .stride = 2, .padding = 3},
    {.n = 2, .c = 5, .h = 6, .w = 7, .k = 9, .r = 3, .s = 2, .padding = 1},
};

double rounding_of(const Kernel<ops::Convolution>& kernel) {
  return std::max(epsilon_of(kernel.id.dtype), kernel.rounding.of_operands);
}

/// The values in the contract's layout.
std::vector<double> plain_values(const KernelBench& bench, const Bound& bound, const ConvolutionArrays& a) {
  if (!bound.plain_result) return a.result().values();
  const void* const plain = bound.plain_result(*bench.stream);
  const GuardedArray copy(bench, a.result().size(), a.dtype);
  std::vector<unsigned char> bytes(a.result().size() * size_of(a.dtype));
  bench.stream->copy_out(bytes.data(), plain, bytes.size());
  bench.stream->copy_in(copy.data(), bytes.data(), bytes.size());
  return copy.values();
}

/// False where the kernel says that it has no such thing.
bool try_kernel(const Kernel<ops::Convolution>& kernel, const KernelBench& bench, ConvolutionPass pass,
                const ConvolutionShape& shape) {
  const std::string what = text_of(kernel.id) + text_of(pass, shape);
  const ConvolutionArrays arrays(bench, pass, shape, kernel.id.dtype);
  const ConvolutionReference reference(arrays);
  const double allowed = 4 * rounding_of(kernel);
  EXPECT_FALSE(reference.worst_of(arrays.result().values()) <= allowed) << what << ": poison is not right";
  Bound bound;
  try {
    bound = kernel.bind(*bench.stream, arrays.op());
  } catch (const Unsupported&) {
    return false;
  }
  bench.stream->poison(arrays.result().data(), arrays.result().size() * size_of(kernel.id.dtype));
  for (int twice = 0; twice < 2; ++twice) bound.launch(*bench.stream);  // the result is replaced, not added to
  bench.stream->wait();
  EXPECT_LE(reference.worst_of(plain_values(bench, bound, arrays)), allowed) << what;
  EXPECT_TRUE(arrays.x.guards_intact() && arrays.filters.guards_intact() && arrays.y.guards_intact()) << what;
  return true;
}

TEST(ConvolutionKernels, AreRightAtAwkwardShapes) {
  std::map<std::string, int> ran;
  on_every_kernel<ops::Convolution>([&](const Kernel<ops::Convolution>& kernel, const KernelBench& bench) {
    if (kernel.id.backend != "cpu") return;  // cudnn_simulated_test.cpp has the others
    for (const ConvolutionPass pass : every_pass)
      for (const ConvolutionShape& shape : shapes)
        ran[text_of(kernel.id) + text_of(pass, {})] += try_kernel(kernel, bench, pass, shape) ? 1 : 0;
  });
  for (const auto& [what, times] : ran) EXPECT_GE(times, 4) << what;
}

TEST(ConvolutionShape, HasTheSizeThatIsLeftByFilterAndStride) {
  constexpr ConvolutionShape conv1{
      .n = 2, .c = 3, .h = 224, .w = 224, .k = 64, .r = 7, .s = 7, .stride = 2, .padding = 3};
  EXPECT_EQ(conv1.p(), 112U);  // (224 + 6 - 7) / 2 + 1 = 111 + 1
  EXPECT_EQ(conv1.y_elements(), 2U * 112 * 112 * 64);
  EXPECT_EQ(conv1.filter_elements(), 64U * 3 * 49);
  EXPECT_EQ(ops::product_of(ConvolutionPass::filter_gradient, conv1).depth, 2U * 112 * 112);
}

double found_by(const KernelBench& bench, const ConvolutionArrays& a, std::size_t columns) {
  const DeviceValue<double> out(bench, -1);
  launch<ops::ConvolutionCheck>({.backend = bench.device->info().backend, .variant = "check", .dtype = a.dtype}, bench,
                                {.op = a.op(), .columns = columns, .seed = 7, .out = out.data()});
  return out.get();
}

/// What rounding to the type takes a row of a slice.
double allowed_of(const ConvolutionReference& reference, DType dtype) {
  double largest = 0;
  for (const double each : reference.result) largest = std::max(largest, std::abs(each));
  return epsilon_of(dtype) * largest * 8 + 1e-9;
}

void store(const GuardedArray& array, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) array.set(i, values[i]);
}

/// The two middle dimensions exchanged, as by someone who takes rows for columns.
std::vector<double> swapped(const std::vector<double>& values, std::size_t rows, std::size_t columns,
                            std::size_t inner) {
  std::vector<double> all(values.size());
  const std::size_t plane = rows * columns * inner;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i % plane / inner / columns, column = i / inner % columns;
    all[i / plane * plane + (column * rows + row) * inner + i % inner] = values[i];
  }
  return all;
}

void expect_swap_seen(const KernelBench& bench, const ConvolutionArrays& a, const ConvolutionReference& reference,
                      double allowed) {
  const ConvolutionShape& s = a.shape;
  if (s.r == 1 && a.pass == ConvolutionPass::filter_gradient) return;  // nothing there to swap
  const std::vector<double> wrong = a.pass == ConvolutionPass::forward ? swapped(reference.result, s.p(), s.q(), s.k)
                                    : a.pass == ConvolutionPass::data_gradient
                                        ? swapped(reference.result, s.h, s.w, s.c)
                                        : swapped(reference.result, s.r, s.s, s.c);
  store(a.result(), wrong);
  EXPECT_GT(found_by(bench, a, 0), 5 * allowed) << "swapped";
}

void try_check(const KernelBench& bench, DType dtype, ConvolutionPass pass, const ConvolutionShape& shape) {
  SCOPED_TRACE(bench.device->info().id + "/" + std::string(name_of(dtype)) + text_of(pass, shape));
  const ConvolutionArrays arrays(bench, pass, shape, dtype);
  const ConvolutionReference reference(arrays);
  const double allowed = allowed_of(reference, dtype);
  EXPECT_TRUE(std::isnan(found_by(bench, arrays, 0))) << "not written";
  store(arrays.result(), reference.result);
  for (const std::size_t columns : {0U, 5U, 16U}) EXPECT_LE(found_by(bench, arrays, columns), allowed);
  for (const std::size_t place : spoiled_places(reference.result.size())) {
    const double right = arrays.result().get(place);
    arrays.result().set(place, right + 3 * allowed);
    EXPECT_GT(found_by(bench, arrays, 0), allowed) << place;
    arrays.result().set(place, std::nan(""));
    EXPECT_TRUE(std::isnan(found_by(bench, arrays, 5))) << place;
    arrays.result().set(place, right);
  }
  expect_swap_seen(bench, arrays, reference, allowed);
}

TEST(ConvolutionCheck, PassesWhatIsRightAndNothingElse) {
  int checks = 0;
  on_every_kernel<ops::ConvolutionCheck>([&](const Kernel<ops::ConvolutionCheck>& kernel, const KernelBench& bench) {
    ++checks;
    for (const ConvolutionPass pass : every_pass)
      for (const ConvolutionShape& shape : shapes) try_check(bench, kernel.id.dtype, pass, shape);
  });
  EXPECT_GE(checks, 2);
}

}  // namespace
}  // namespace warpmark
