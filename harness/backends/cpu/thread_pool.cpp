// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/core/error.h"

namespace warpmark::cpu {
namespace {

// Long enough to bridge the gap between two launches of a batch, short enough to leave the CPU to a library's own
// threads.
constexpr auto spin_time = std::chrono::microseconds(50);

constexpr std::size_t cache_line_bytes = 64;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void pin(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  // A CPU that was taken away meanwhile leaves the thread where it is: slower, and the samples show it.
  (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

}  // namespace

ThreadPool::ThreadPool(std::vector<int> cpus) : cpus_(std::move(cpus)) {
  if (cpus_.empty()) throw Error("no CPU is allowed for this process");
  pin({cpus_.front()});
  for (std::size_t i = 1; i < cpus_.size(); ++i) threads_.emplace_back([this, i] { serve(i); });
}

ThreadPool::~ThreadPool() {
  leaving_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::start(Entry entry, const void* context) {
  hand_over(entry, context);
  entry(context, 0, cpus_.size());
  finish();
}

void ThreadPool::hand_over(Entry entry, const void* context) {
  entry_ = entry;
  context_ = context;
  busy_.store(threads_.size(), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadPool::finish() const {
  for (unsigned turn = 1; busy_.load(std::memory_order_acquire) != 0; ++turn) {
    pause();
    if (turn % 4096 == 0) std::this_thread::yield();  // another program may sit on the CPU that we wait for
  }
}

void ThreadPool::rest() const {
  if (threads_.empty()) return;
  // Awake ourselves, so that our own CPU keeps its clock.
  const auto deadline = std::chrono::steady_clock::now() + 2 * spin_time;
  while (std::chrono::steady_clock::now() < deadline) pause();
}

void ThreadPool::serve(std::size_t index) {
  pin({cpus_[index]});
  for (unsigned seen = 0;;) {
    const auto deadline = std::chrono::steady_clock::now() + spin_time;
    while (round_.load(std::memory_order_acquire) == seen && std::chrono::steady_clock::now() < deadline) pause();
    round_.wait(seen, std::memory_order_acquire);
    seen = round_.load(std::memory_order_acquire);
    if (leaving_) return;
    entry_(context_, index, cpus_.size());
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

Part part_of(std::size_t n, std::size_t element_bytes, std::size_t index, std::size_t count) {
  const std::size_t line = std::max<std::size_t>(cache_line_bytes / element_bytes, 1);
  const auto edge = [&](std::size_t i) { return i == count ? n : n / line * i / count * line; };
  return {.begin = edge(index), .end = edge(index + 1)};
}

Unpinned::Unpinned(const ThreadPool& pool) : first_cpu_(pool.cpus().front()) { pin(pool.cpus()); }
Unpinned::~Unpinned() { pin({first_cpu_}); }

}  // namespace warpmark::cpu
