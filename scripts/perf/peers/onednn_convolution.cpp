// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: oneDNN's convolution called as its examples do, every layout left to the library.
// Usage: onednn_convolution f32|bf16 fprop|dgrad|wgrad BATCH C SIZE K FILTER STRIDE. Square images and filters. Prints
// the version and the median rate of single calls over about a second, by the FLOP of a direct convolution.
// Build: g++ -O2 onednn_convolution.cpp -ldnnl -o onednn_convolution
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

using dnnl::memory;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Uniform in [-1, 1).
void fill(memory& to, bool is_f32, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  auto* const bytes = static_cast<unsigned char*>(to.get_data_handle());
  const std::size_t step = is_f32 ? 4 : 2;
  for (std::size_t i = 0; i + step <= to.get_desc().get_size(); i += step) {
    const float value = uniform(engine);
    std::memcpy(bytes + i, reinterpret_cast<const unsigned char*>(&value) + 4 - step, step);
  }
}

struct Call {
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;
  std::string implementation;
};

struct Layer {
  memory::desc x, filters, y;
  memory::dims strides, padding;
};

dnnl::convolution_forward::primitive_desc forward(const dnnl::engine& engine, dnnl::prop_kind kind, const Layer& l) {
  const auto direct = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
  return {engine, kind, direct, l.x, l.filters, l.y, l.strides, l.padding, l.padding};
#else
  return {{kind, direct, l.x, l.filters, l.y, l.strides, l.padding, l.padding}, engine};
#endif
}

template <class Gradient>
typename Gradient::primitive_desc backward(const dnnl::engine& engine, const Layer& l) {
  const auto direct = dnnl::algorithm::convolution_direct;
  const auto hint = forward(engine, dnnl::prop_kind::forward_training, l);
#if DNNL_VERSION_MAJOR >= 3
  return {engine, direct, l.x, l.filters, l.y, l.strides, l.padding, l.padding, hint};
#else
  return {{direct, l.x, l.filters, l.y, l.strides, l.padding, l.padding}, engine, hint};
#endif
}

Call make_call(const std::string& pass, const dnnl::engine& engine, const Layer& l) {
  if (pass == "dgrad") {
    const auto plan = backward<dnnl::convolution_backward_data>(engine, l);
    return {dnnl::convolution_backward_data(plan),
            {{DNNL_ARG_DIFF_SRC, memory(plan.diff_src_desc(), engine)},
             {DNNL_ARG_WEIGHTS, memory(plan.weights_desc(), engine)},
             {DNNL_ARG_DIFF_DST, memory(plan.diff_dst_desc(), engine)}},
            plan.impl_info_str()};
  }
  if (pass == "wgrad") {
    const auto plan = backward<dnnl::convolution_backward_weights>(engine, l);
    return {dnnl::convolution_backward_weights(plan),
            {{DNNL_ARG_SRC, memory(plan.src_desc(), engine)},
             {DNNL_ARG_DIFF_WEIGHTS, memory(plan.diff_weights_desc(), engine)},
             {DNNL_ARG_DIFF_DST, memory(plan.diff_dst_desc(), engine)}},
            plan.impl_info_str()};
  }
  const auto plan = forward(engine, dnnl::prop_kind::forward_inference, l);
  return {dnnl::convolution_forward(plan),
          {{DNNL_ARG_SRC, memory(plan.src_desc(), engine)},
           {DNNL_ARG_WEIGHTS, memory(plan.weights_desc(), engine)},
           {DNNL_ARG_DST, memory(plan.dst_desc(), engine)}},
          plan.impl_info_str()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9) {
    std::fputs("usage: onednn_convolution f32|bf16 fprop|dgrad|wgrad BATCH C SIZE K FILTER STRIDE\n", stderr);
    return 2;
  }
  const bool is_f32 = std::string(argv[1]) == "f32";
  const std::string pass = argv[2];
  std::vector<long> n;
  for (int i = 3; i < argc; ++i) n.push_back(std::atol(argv[i]));
  const long batch = n[0], c = n[1], size = n[2], k = n[3], filter = n[4], stride = n[5], padding = filter / 2;
  const long out = (size + 2 * padding - filter) / stride + 1;
  const auto type = is_f32 ? memory::data_type::f32 : memory::data_type::bf16;
  const auto any = memory::format_tag::any;
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  Call call = make_call(pass, engine,
                        {{{batch, c, size, size}, type, any},
                         {{k, c, filter, filter}, type, any},
                         {{batch, k, out, out}, type, any},
                         {stride, stride},
                         {padding, padding}});
  for (auto& [which, array] : call.arguments) fill(array, is_f32, static_cast<unsigned>(which));
  std::vector<double> rates;
  const double start = now();
  const double flops = 2.0 * batch * k * out * out * c * filter * filter;
  for (int i = 0; i < 5 || now() - start < 1.2; ++i) {
    const double before = now();
    call.primitive.execute(stream, call.arguments);
    stream.wait();
    if (before - start > 0.2 || i > 2) rates.push_back(flops / (now() - before));
  }
  std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
  std::printf("oneDNN %d.%d.%d %s\nmedian %.6e FLOP/s\n", dnnl_version()->major, dnnl_version()->minor,
              dnnl_version()->patch, call.implementation.c_str(), rates[rates.size() / 2]);
  return 0;
}
