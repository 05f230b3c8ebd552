// SPDX-License-Identifier: Apache-2.0
// What the simulated driver knows of a kernel: its function on the CPU, compiled from the product's own .cu text, and
// what a launch costs.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fakes/machine/byte_range.h"

namespace warpmark::fakes {

/// Of one launch. No ranges: nothing that a cache could hold.
struct Work {
  double bytes = 0;
  double flops = 0;
  std::string_view unit{};           // that does the flops, as the scenario names it
  double steps = 0;                  // loads, each of which waits for the one before it
  std::vector<ByteRange> touched{};  // each byte once: the footprint
  ByteRange output{};                // where a spoiled launch is wrong
  std::size_t output_element_bytes = 1;
};

/// A watcher spins until the host tells it to stop, so it lasts until the host waits for it. Probes and watchers leave
/// the operands of other kernels alone.
enum class Kind : unsigned char { worker, probe, watcher };

struct Twin {
  std::string_view kernel{};  // its C name
  std::size_t parameter_bytes = 0;
  void (*run_thread)(const void* parameters) = nullptr;
  Work (*work)(const void* parameters) = nullptr;
  Kind kind = Kind::worker;
};

/// Of a kernel that takes `Parameters` by value.
template <class Parameters, void (*kernel)(Parameters), Work (*work)(const Parameters&)>
constexpr Twin twin_of(std::string_view name, Kind kind = Kind::worker) {
  return {.kernel = name,
          .parameter_bytes = sizeof(Parameters),
          .run_thread = [](const void* p) { kernel(*static_cast<const Parameters*>(p)); },
          .work = [](const void* p) { return work(*static_cast<const Parameters*>(p)); },
          .kind = kind};
}

/// Null where the kernel has none: twins.cpp is where it is to be entered.
[[nodiscard]] const Twin* find_twin(std::string_view kernel);

/// For kernels that only a test has.
void add_twin(const Twin& twin);

// Of each .cu file, the twins of its kernels.
[[nodiscard]] std::vector<Twin> stream_twins();
[[nodiscard]] std::vector<Twin> memory_twins();
[[nodiscard]] std::vector<Twin> check_twins();
[[nodiscard]] std::vector<Twin> convolution_twins();
[[nodiscard]] std::vector<Twin> gemm_twins();
[[nodiscard]] std::vector<Twin> gemv_twins();
[[nodiscard]] std::vector<Twin> transpose_twins();
[[nodiscard]] std::vector<Twin> latency_twins();
[[nodiscard]] std::vector<Twin> launch_twins();
[[nodiscard]] std::vector<Twin> compute_twins();

}  // namespace warpmark::fakes
