// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: oneDNN's matmul called as its examples do, every layout left to the library.
// Usage: onednn_matmul f32|bf16|s8 N, or M N K for C[M x N] = A[M x K] B[K x N]. Prints the version and the median rate
// of single calls over about a second. Build: g++ -O2 onednn_matmul.cpp -ldnnl -o onednn_matmul
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <random>
#include <string>
#include <vector>

using dnnl::memory;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Uniform in [-1, 1), of s8 in [-128, 127].
void fill(memory& to, memory::data_type type, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  auto* const bytes = static_cast<unsigned char*>(to.get_data_handle());
  const std::size_t size = to.get_desc().get_size();
  const std::size_t step = type == memory::data_type::f32 ? 4 : type == memory::data_type::bf16 ? 2 : 1;
  for (std::size_t i = 0; i + step <= size; i += step) {
    const float value = uniform(engine);
    const auto small = static_cast<signed char>(std::floor(value * 128));
    if (step == 1) std::memcpy(bytes + i, &small, 1);
    if (step == 2) std::memcpy(bytes + i, reinterpret_cast<const unsigned char*>(&value) + 2, 2);
    if (step == 4) std::memcpy(bytes + i, &value, 4);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "f32";
  const long m = argc > 2 ? std::atol(argv[2]) : 1024;
  const long n = argc > 4 ? std::atol(argv[3]) : m;
  const long k = argc > 4 ? std::atol(argv[4]) : m;
  const auto in = name == "f32"    ? memory::data_type::f32
                  : name == "bf16" ? memory::data_type::bf16
                                   : memory::data_type::s8;
  const auto out = name == "s8" ? memory::data_type::s32 : in;
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc a({m, k}, in, memory::format_tag::any);
  const memory::desc b({k, n}, in, memory::format_tag::any);
  const memory::desc c({m, n}, out, memory::format_tag::any);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::matmul::primitive_desc plan(engine, a, b, c);
#else
  const dnnl::matmul::primitive_desc plan(dnnl::matmul::desc(a, b, c), engine);
#endif
  memory ma(plan.src_desc(), engine), mb(plan.weights_desc(), engine), mc(plan.dst_desc(), engine);
  fill(ma, in, 1);
  fill(mb, in, 2);
  const dnnl::matmul matmul(plan);
  std::vector<double> rates;
  const double start = now();
  for (int i = 0; i < 5 || now() - start < 1.2; ++i) {
    const double before = now();
    matmul.execute(stream, {{DNNL_ARG_SRC, ma}, {DNNL_ARG_WEIGHTS, mb}, {DNNL_ARG_DST, mc}});
    stream.wait();
    if (before - start > 0.2 || i > 2) rates.push_back(2.0 * m * n * k / (now() - before));
  }
  std::nth_element(rates.begin(), rates.begin() + rates.size() / 2, rates.end());
  std::printf("oneDNN %d.%d.%d %s\nmedian %.6e FLOP/s\n", dnnl_version()->major, dnnl_version()->minor,
              dnnl_version()->patch, plan.impl_info_str(), rates[rates.size() / 2]);
  return 0;
}
