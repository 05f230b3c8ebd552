// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: a linked list through BYTES of memory in random order, by one pinned thread.
// Usage: pointer_chase BYTES. Prints the median time of a load over about a second.
// Build: g++ -O2 pointer_chase.cpp -o pointer_chase
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace {

struct Node {
  Node* next;
  char rest_of_line[64 - sizeof(Node*)];
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void pin_to_the_first_cpu() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    (void)sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

Node* list_of(std::size_t count) {
  void* const memory = mmap(nullptr, count * sizeof(Node), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  (void)madvise(memory, count * sizeof(Node), MADV_HUGEPAGE);
  auto* const nodes = static_cast<Node*>(memory);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(42));
  for (std::size_t i = 0; i < count; ++i) nodes[order[i]].next = nodes + order[(i + 1) % count];
  return nodes + order[0];
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1ULL << 30) / sizeof(Node);
  if (count == 0) return 1;
  pin_to_the_first_cpu();
  const Node* at = list_of(count);
  constexpr int loads = 100'000;
  std::vector<double> seconds;
  const double start = now();
  for (int turn = 0; turn < 20 || now() - start < 1.2; ++turn) {
    const double before = now();
    for (int i = 0; i < loads; ++i) at = at->next;
    const double took = now() - before;
    asm volatile("" : : "r"(at));
    if (turn >= 10) seconds.push_back(took / loads);
  }
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  std::printf("linked list of %zu lines\nmedian %.6e s\n", count, seconds[seconds.size() / 2]);
  return 0;
}
