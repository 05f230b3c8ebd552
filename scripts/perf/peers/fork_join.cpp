// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: fork and join of a region with a delay of known length, less that delay (the
// formula of EPCC's benchmarks), in a plain loop over warpmark's own pool of threads.
// Usage: fork_join. Prints the median overhead of a region over about a second.
// Build, from the root of the sources: g++ -std=c++20 -O2 -I. scripts/perf/peers/fork_join.cpp
//   harness/backends/cpu/thread_pool.cpp -pthread -o fork_join
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "harness/backends/cpu/thread_pool.h"

namespace {

constexpr int delay_turns = 1000;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void delay() {
  for (int i = 0; i < delay_turns; ++i) asm volatile("" : "+r"(i));
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Of many timings of one call.
template <class Call>
double median_seconds(const Call& call, double least_seconds) {
  std::vector<double> seconds;
  const double start = now();
  while (seconds.size() < 2000 || now() - start < least_seconds) {
    const double before = now();
    call();
    seconds.push_back(now() - before);
  }
  return median_of(std::move(seconds));
}

}  // namespace

int main() {
  warpmark::cpu::ThreadPool pool(allowed_cpus());
  const double reference = median_seconds([] { delay(); }, 0);
  const auto region = [](std::size_t, std::size_t) { delay(); };
  (void)median_seconds([&] { pool.run(region); }, 0.2);
  const double test = median_seconds([&] { pool.run(region); }, 1);
  std::printf("fork and join by %zu threads, a delay of %.3e s\nmedian %.6e s\n", pool.size(), reference,
              test - reference);
  return 0;
}
