// SPDX-License-Identifier: Apache-2.0
// Pinned threads that start a loop together and end it together within a microsecond. Our own: OpenMP's runtime blinds
// ThreadSanitizer.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace warpmark::cpu {

class ThreadPool {
 public:
  /// One thread per CPU number, pinned to it; the calling thread is the first. Throws Error when there is none.
  explicit ThreadPool(std::vector<int> cpus);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] std::size_t size() const { return cpus_.size(); }
  [[nodiscard]] const std::vector<int>& cpus() const { return cpus_; }

  /// Calls work(index, count) on every thread and returns when all are done. Only from the thread that made the pool.
  /// `work` may not throw.
  template <class Work>
  void run(const Work& work) {
    start([](const void* context, std::size_t index,
             std::size_t count) { (*static_cast<const Work*>(context))(index, count); },
          &work);
  }

  /// Hands work(index, count) to every thread but the calling one and does not wait for it: it has to last, and nothing
  /// else may be run, until finish() has returned.
  template <class Work>
  void post(const Work& work) {
    hand_over([](const void* context, std::size_t index,
                 std::size_t count) { (*static_cast<const Work*>(context))(index, count); },
              &work);
  }
  /// Returns when all of what was handed over is done.
  void finish() const;

  /// Returns when every other thread has gone to sleep: until then they wait awake, on CPUs that others may want.
  void rest() const;

 private:
  using Entry = void (*)(const void* context, std::size_t index, std::size_t count);

  void start(Entry entry, const void* context);
  void hand_over(Entry entry, const void* context);
  void serve(std::size_t index);

  std::vector<int> cpus_;
  Entry entry_ = nullptr;
  const void* context_ = nullptr;
  // Apart from each other by a cache line, so that waiting for one does not slow writing the other.
  alignas(64) std::atomic<unsigned> round_{0};
  alignas(64) std::atomic<std::size_t> busy_{0};
  std::atomic<bool> leaving_{false};
  std::vector<std::thread> threads_{};
};

struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Which of n elements a thread works on: whole cache lines (the last part takes the rest), the same for every call and
/// every element size, so that the thread that touched memory first is the one that uses it.
[[nodiscard]] Part part_of(std::size_t n, std::size_t element_bytes, std::size_t index, std::size_t count);

/// Lets the calling thread, and threads it starts meanwhile, run on every CPU of the pool.
class Unpinned {
 public:
  explicit Unpinned(const ThreadPool& pool);
  ~Unpinned();
  Unpinned(const Unpinned&) = delete;
  Unpinned& operator=(const Unpinned&) = delete;

 private:
  int first_cpu_;
};

}  // namespace warpmark::cpu
