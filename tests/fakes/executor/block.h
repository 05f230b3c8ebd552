// SPDX-License-Identifier: Apache-2.0
// One block of a kernel: its threads, what they wait for, and what lanes of a warp hand to each other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/fakes/executor/fiber.h"
#include "tests/fakes/executor/grid.h"

namespace warpmark::fakes {

class Block {
 public:
  static constexpr unsigned warp_threads = 32;

  Block(const Extent& size, const std::function<void()>& thread);

  /// Runs all threads. Returns why they could not finish, empty when they did.
  [[nodiscard]] std::string run();

  // What a running thread may ask for.
  void wait_for_block();
  /// What the lanes of `mask` agree on: which of them voted.
  [[nodiscard]] std::uint32_t vote(std::uint32_t mask, bool yes);
  /// The value that the source lane offers at the same time.
  [[nodiscard]] std::uint64_t exchange(std::uint32_t mask, std::uint64_t offered, unsigned source);
  [[nodiscard]] unsigned lane() const { return current_ % warp_threads; }

 private:
  enum class State : std::uint8_t { fresh, ready, at_block, at_warp, done };
  struct Thread {
    State state = State::fresh;
    std::uint32_t mask = 0;  // whom it waits for in its warp
    unsigned source = 0;
    std::uint64_t offered = 0;
    std::uint64_t received = 0;
    std::uint32_t votes = 0;
    Fiber* fiber = nullptr;  // the stack that it waits on
  };

  static void work(void* block);
  void run_fresh();
  void enter(unsigned index);
  void park(State state);
  void resume(Fiber& fiber);
  [[nodiscard]] Fiber& idle_fiber();
  bool resume_ready();
  bool release_warps();
  bool release_warp(unsigned first);
  void hand_over(unsigned first, std::uint32_t group);
  bool release_block();
  [[nodiscard]] std::string stuck() const;

  Extent size_;
  const std::function<void()>& thread_;
  std::vector<Thread> threads_;
  std::vector<std::unique_ptr<Fiber>> fibers_{};
  std::vector<Fiber*> idle_{};
  Fiber* running_ = nullptr;
  unsigned current_ = 0;
  unsigned next_fresh_ = 0;
  unsigned live_ = 0;
};

/// The block whose thread is running.
[[nodiscard]] Block& current_block();
/// Where its threads read the time.
[[nodiscard]] DeviceTimers& current_timers();

}  // namespace warpmark::fakes
