// SPDX-License-Identifier: Apache-2.0
// A convolution and its gradients as plainly as can be, in f64, for tests to hold kernels against; and the arrays of a
// layer on a device.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kernels/convolution/convolution.h"
#include "tests/kernels/kernel_bench.h"

namespace warpmark {

inline constexpr ops::ConvolutionPass every_pass[] = {
    ops::ConvolutionPass::forward, ops::ConvolutionPass::data_gradient, ops::ConvolutionPass::filter_gradient};

[[nodiscard]] inline std::string text_of(ops::ConvolutionPass pass, const ops::ConvolutionShape& s) {
  std::string text = pass == ops::ConvolutionPass::forward         ? " forward"
                     : pass == ops::ConvolutionPass::data_gradient ? " data gradient"
                                                                   : " filter gradient";
  for (const std::size_t each : {s.n, s.c, s.h, s.w, s.k, s.r, s.s, s.stride, s.padding})
    text += " " + std::to_string(each);
  return text;
}

/// The arrays of one pass: what it is given is random, the result poisoned.
struct ConvolutionArrays {
  ConvolutionArrays(const KernelBench& bench, ops::ConvolutionPass of, const ops::ConvolutionShape& s, DType type)
      : pass(of),
        shape(s),
        dtype(type),
        x(bench, s.x_elements(), dtype),
        filters(bench, s.filter_elements(), dtype),
        y(bench, s.y_elements(), dtype) {
    if (pass != ops::ConvolutionPass::data_gradient) x.fill(1);
    if (pass != ops::ConvolutionPass::filter_gradient) filters.fill(2);
    if (pass != ops::ConvolutionPass::forward) y.fill(3);
  }
  [[nodiscard]] const GuardedArray& result() const {
    return pass == ops::ConvolutionPass::forward ? y : pass == ops::ConvolutionPass::data_gradient ? x : filters;
  }
  [[nodiscard]] ops::Convolution op() const {
    const auto given = [this](const GuardedArray& array) { return &array == &result() ? nullptr : array.data(); };
    return {.pass = pass,
            .shape = shape,
            .result = result().data(),
            .x = given(x),
            .filters = given(filters),
            .y = given(y)};
  }
  ops::ConvolutionPass pass;
  ops::ConvolutionShape shape;
  DType dtype;
  GuardedArray x, filters, y;
};

/// The right result, and for each element how far rounding may take a sum of its products, in epsilons.
struct ConvolutionReference {
  explicit ConvolutionReference(const ConvolutionArrays& a)
      : shape(a.shape), result(ops::result_elements(a.pass, a.shape)), squares(result.size()), terms(result.size()) {
    const std::vector<double> x = a.x.values(), filters = a.filters.values(), y = a.y.values();
    each_product([&](std::size_t of_x, std::size_t of_filters, std::size_t of_y) {
      switch (a.pass) {
        case ops::ConvolutionPass::forward: return add(of_y, x[of_x] * filters[of_filters]);
        case ops::ConvolutionPass::data_gradient: return add(of_x, y[of_y] * filters[of_filters]);
        case ops::ConvolutionPass::filter_gradient: return add(of_filters, x[of_x] * y[of_y]);
      }
    });
  }

  [[nodiscard]] double spread(std::size_t place) const { return std::sqrt(squares[place] * terms[place]); }

  /// Of one element, in epsilons of 1; 0 where nothing is to be added up and nothing is there.
  [[nodiscard]] double error_at(std::size_t place, double got) const {
    const double off = std::abs(got - result[place]);
    return off == 0 ? 0 : off / spread(place);
  }

  [[nodiscard]] double worst_of(const std::vector<double>& got) const {
    double worst = 0;
    for (std::size_t i = 0; i < result.size(); ++i) worst = worse_error(error_at(i, got[i]), worst);
    return worst;
  }

  ops::ConvolutionShape shape;
  std::vector<double> result, squares, terms;

 private:
  void add(std::size_t to, double term) {
    result[to] += term;
    squares[to] += term * term;
    terms[to] += 1;
  }

  /// Calls work(index in x, index in filters, index in y) for every product of the layer.
  template <class Work>
  void each_product(const Work& work) const {
    const ops::ConvolutionShape& s = shape;
    for (std::size_t pixel = 0; pixel < s.n * s.p() * s.q(); ++pixel) {
      const std::size_t q = pixel % s.q(), p = pixel / s.q() % s.p(), n = pixel / s.q() / s.p();
      for (std::size_t tap = 0; tap < s.r * s.s; ++tap) {
        const auto h = static_cast<std::ptrdiff_t>(p * s.stride + tap / s.s) - static_cast<std::ptrdiff_t>(s.padding);
        const auto w = static_cast<std::ptrdiff_t>(q * s.stride + tap % s.s) - static_cast<std::ptrdiff_t>(s.padding);
        if (h < 0 || w < 0 || h >= static_cast<std::ptrdiff_t>(s.h) || w >= static_cast<std::ptrdiff_t>(s.w)) continue;
        const std::size_t at = (n * s.h + static_cast<std::size_t>(h)) * s.w + static_cast<std::size_t>(w);
        for (std::size_t k = 0; k < s.k; ++k)
          for (std::size_t c = 0; c < s.c; ++c) work(at * s.c + c, (k * s.r * s.s + tap) * s.c + c, pixel * s.k + k);
      }
    }
  }
};

}  // namespace warpmark
