// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/cudnn/convolution.h"

#include <bit>
#include <vector>

#include "harness/core/bf16.h"
#include "harness/core/f16.h"

namespace warpmark::fakes {
namespace {

using ops::ConvolutionPass;
using ops::ConvolutionShape;
using Values = std::vector<float>;

std::size_t bytes_of(cudnnDataType_t type) { return type == CUDNN_DATA_FLOAT ? 4 : 2; }

/// The matrix unit reads no more of an f32 than that.
float cut_to_tf32(float value) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000U); }

template <class T>
Values read_as(const void* from, std::size_t n) {
  Values all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<float>(static_cast<double>(static_cast<const T*>(from)[i]));
  return all;
}

Values read(const SimulatedConvolution& p, const void* from, std::size_t n) {
  if (from == nullptr) return {};
  if (p.type == CUDNN_DATA_HALF) return read_as<F16>(from, n);
  if (p.type == CUDNN_DATA_BFLOAT16) return read_as<Bf16>(from, n);
  Values all = read_as<float>(from, n);
  if (p.by_matrix_unit != 0)
    for (float& each : all) each = cut_to_tf32(each);
  return all;
}

template <class T>
void write_as(void* to, const Values& all) {
  for (std::size_t i = 0; i < all.size(); ++i) static_cast<T*>(to)[i] = T(static_cast<double>(all[i]));
}

/// k, r, s, c brought to r, s, c, k.
Values filters_last(const Values& filters, const ConvolutionShape& s) {
  const std::size_t inner = s.r * s.s * s.c;
  Values turned(filters.size());
  for (std::size_t k = 0; k < s.k; ++k)
    for (std::size_t i = 0; i < inner; ++i) turned[i * s.k + k] = filters[k * inner + i];
  return turned;
}

void add_scaled(float* to, float factor, const float* from, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

/// Calls work(pixel of y, pixel of x, place in the filter) for all that meet.
template <class Work>
void each_meeting(const ConvolutionShape& s, const Work& work) {
  for (std::size_t y = 0; y < s.n * s.p() * s.q(); ++y) {
    const std::size_t q = y % s.q(), p = y / s.q() % s.p(), n = y / s.q() / s.p();
    for (std::size_t tap = 0; tap < s.r * s.s; ++tap) {
      const std::size_t h = p * s.stride + tap / s.s - s.padding, w = q * s.stride + tap % s.s - s.padding;
      if (h < s.h && w < s.w) work(y, (n * s.h + h) * s.w + w, tap);
    }
  }
}

Values computed(const SimulatedConvolution& p) {
  const ConvolutionShape& s = p.op.shape;
  const std::size_t taps = s.r * s.s;
  const Values x = read(p, p.op.x, s.x_elements()), y = read(p, p.op.y, s.y_elements());
  const Values filters = read(p, p.op.filters, s.filter_elements());
  Values result(ops::result_elements(p.op.pass, s));
  if (p.op.pass == ConvolutionPass::forward) {
    const Values turned = filters_last(filters, s);
    each_meeting(s, [&](std::size_t of_y, std::size_t of_x, std::size_t tap) {
      for (std::size_t c = 0; c < s.c; ++c)
        add_scaled(&result[of_y * s.k], x[of_x * s.c + c], &turned[(tap * s.c + c) * s.k], s.k);
    });
  } else if (p.op.pass == ConvolutionPass::data_gradient) {
    each_meeting(s, [&](std::size_t of_y, std::size_t of_x, std::size_t tap) {
      for (std::size_t k = 0; k < s.k; ++k)
        add_scaled(&result[of_x * s.c], y[of_y * s.k + k], &filters[(k * taps + tap) * s.c], s.c);
    });
  } else {
    each_meeting(s, [&](std::size_t of_y, std::size_t of_x, std::size_t tap) {
      for (std::size_t k = 0; k < s.k; ++k)
        add_scaled(&result[(k * taps + tap) * s.c], y[of_y * s.k + k], &x[of_x * s.c], s.c);
    });
  }
  return result;
}

void run_any(const void* parameters) {
  const auto& p = *static_cast<const SimulatedConvolution*>(parameters);
  Values result = computed(p);
  if (p.is_coarse != 0)
    for (float& each : result) each *= 1.01F;
  if (p.type == CUDNN_DATA_HALF) return write_as<F16>(p.op.result, result);
  if (p.type == CUDNN_DATA_BFLOAT16) return write_as<Bf16>(p.op.result, result);
  write_as<float>(p.op.result, result);
}

std::string_view unit_of(const SimulatedConvolution& p) {
  if (p.by_matrix_unit == 0) return "f32_fma";
  if (p.type == CUDNN_DATA_FLOAT) return "tf32_matrix";
  return p.type == CUDNN_DATA_HALF ? "f16_matrix" : "bf16_matrix";
}

Work work_of(const void* parameters) {
  const auto& p = *static_cast<const SimulatedConvolution*>(parameters);
  const ConvolutionShape& s = p.op.shape;
  const ByteRange output = range_of(p.op.result, ops::result_elements(p.op.pass, s) * bytes_of(p.type));
  std::vector<ByteRange> touched{output};
  if (p.op.x != nullptr) touched.push_back(range_of(p.op.x, s.x_elements() * bytes_of(p.type)));
  if (p.op.filters != nullptr) touched.push_back(range_of(p.op.filters, s.filter_elements() * bytes_of(p.type)));
  if (p.op.y != nullptr) touched.push_back(range_of(p.op.y, s.y_elements() * bytes_of(p.type)));
  double bytes = 0;
  for (const ByteRange& each : touched) bytes += static_cast<double>(each.bytes());
  const double flops = 2 * static_cast<double>(s.y_elements()) * static_cast<double>(s.c * s.r * s.s);
  return {.bytes = bytes,
          .flops = flops / p.speed,
          .unit = unit_of(p),
          .touched = std::move(touched),
          .output = output,
          .output_element_bytes = bytes_of(p.type)};
}

}  // namespace

const Twin& convolution_twin() {
  static const Twin twin{.kernel = "cudnnConvolution",
                         .parameter_bytes = sizeof(SimulatedConvolution),
                         .run_thread = run_any,
                         .work = work_of};
  return twin;
}

}  // namespace warpmark::fakes
