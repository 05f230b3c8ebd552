// SPDX-License-Identifier: Apache-2.0
// A peer for scripts/perf/paired.py: memcpy by one pinned thread from BYTES of one array to another, whose pages are
// warm, locked, huge, or mapped anew for every copy.
// Usage: memcpy warm|locked|huge|cold BYTES. Prints the median bandwidth over about a second, each byte counted once.
// Build: g++ -O2 memcpy.cpp -o memcpy
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

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

/// On a boundary of huge pages.
char* mapped(std::size_t bytes, int advice) {
  void* const memory = mmap(nullptr, bytes + 2 * huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  char* const first = static_cast<char*>(memory) + (huge_page - reinterpret_cast<std::size_t>(memory) % huge_page);
  (void)madvise(first, bytes, advice);
  return first;
}

double copy_seconds(char* to, const char* from, std::size_t bytes, int times) {
  const double before = now();
  for (int i = 0; i < times; ++i) {
    std::memcpy(to, from, bytes);
    asm volatile("" : : : "memory");
  }
  return (now() - before) / times;
}

double cold_seconds(const char* from, std::size_t bytes) {
  void* const to = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (to == MAP_FAILED) std::exit(1);
  (void)madvise(to, bytes, MADV_NOHUGEPAGE);
  const double seconds = copy_seconds(static_cast<char*>(to), from, bytes, 1);
  (void)munmap(to, bytes);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const std::string kind = argv[1];
  const std::size_t bytes = std::strtoull(argv[2], nullptr, 10);
  pin_to_the_first_cpu();
  // The other end is memory for which huge pages were asked, as large arrays of programs are.
  char* const from = mapped(bytes, MADV_HUGEPAGE);
  char* const to = mapped(bytes, kind == "huge" ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  std::memset(from, 1, bytes);
  if (kind != "cold") std::memset(to, 2, bytes);
  if (kind == "locked" && mlock(to, bytes) != 0) return 1;
  const int times = static_cast<int>(
      std::clamp<std::size_t>((std::size_t{64} << 20) / std::max<std::size_t>(bytes, 1), 1, 1'000'000));
  std::vector<double> seconds;
  const double start = now();
  for (int turn = 0; turn < 20 || now() - start < 1.2; ++turn) {
    const double took = kind == "cold" ? cold_seconds(from, bytes) : copy_seconds(to, from, bytes, times);
    if (turn >= 10) seconds.push_back(took);
  }
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  std::printf("memcpy into %s pages, %zu bytes\nmedian %.6e B/s\n", kind.c_str(), bytes,
              static_cast<double>(bytes) / seconds[seconds.size() / 2]);
  return 0;
}
