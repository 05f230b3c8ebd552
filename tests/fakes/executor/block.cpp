// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/executor/block.h"

#include <bit>

#include "tests/fakes/executor/cuda_on_cpu.h"

namespace warpmark::fakes {

Block::Block(const Extent& size, const std::function<void()>& thread)
    : size_(size), thread_(thread), threads_(size.count()) {}

std::string Block::run() {
  for (Thread& t : threads_) t.state = State::fresh;
  next_fresh_ = 0;
  live_ = static_cast<unsigned>(threads_.size());
  while (live_ > 0) {
    if (next_fresh_ < threads_.size())
      resume(idle_fiber());
    else if (!resume_ready() && !release_warps() && !release_block())
      return stuck();
  }
  return {};
}

/// A stack serves one fresh thread after the other: a kernel without barriers needs one for the whole grid.
void Block::work(void* block) {
  auto& self = *static_cast<Block*>(block);
  for (;;) {
    self.run_fresh();
    self.idle_.push_back(self.running_);
    self.running_->suspend();
  }
}

void Block::run_fresh() {
  while (next_fresh_ < threads_.size()) {
    enter(next_fresh_++);
    thread_();
    threads_[current_].state = State::done;
    --live_;
  }
}

void Block::enter(unsigned index) {
  current_ = index;
  threadIdx = {index % size_.x, index / size_.x % size_.y, index / (size_.x * size_.y)};
}

void Block::park(State state) {
  const unsigned self = current_;
  threads_[self].state = state;
  threads_[self].fiber = running_;
  running_->suspend();
  enter(self);
}

void Block::resume(Fiber& fiber) {
  running_ = &fiber;
  fiber.resume();
}

Fiber& Block::idle_fiber() {
  if (idle_.empty()) return *fibers_.emplace_back(std::make_unique<Fiber>(&Block::work, this));
  Fiber& fiber = *idle_.back();
  idle_.pop_back();
  return fiber;
}

bool Block::resume_ready() {
  bool any = false;
  for (Thread& t : threads_) {
    if (t.state != State::ready) continue;
    resume(*t.fiber);
    any = true;
  }
  return any;
}

bool Block::release_warps() {
  bool any = false;
  for (unsigned first = 0; first < threads_.size(); first += warp_threads) any = release_warp(first) || any;
  return any;
}

bool Block::release_warp(unsigned first) {
  const unsigned count = std::min(warp_threads, static_cast<unsigned>(threads_.size()) - first);
  std::uint32_t live = 0;
  for (unsigned lane = 0; lane < count; ++lane)
    if (threads_[first + lane].state != State::done) live |= 1U << lane;
  bool any = false;
  for (unsigned lane = 0; lane < count; ++lane) {
    const Thread& waiting = threads_[first + lane];
    if (waiting.state != State::at_warp) continue;
    const std::uint32_t group = waiting.mask & live;
    bool all = true;
    for (unsigned other = 0; other < count; ++other) {
      const Thread& t = threads_[first + other];
      if ((group >> other & 1U) != 0 && (t.state != State::at_warp || t.mask != waiting.mask)) all = false;
    }
    if (!all) continue;
    hand_over(first, group);
    any = true;
  }
  return any;
}

void Block::hand_over(unsigned first, std::uint32_t group) {
  std::uint32_t votes = 0;
  for (std::uint32_t left = group; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (threads_[first + lane].offered != 0) votes |= 1U << lane;
  }
  for (std::uint32_t left = group; left != 0; left &= left - 1) {
    Thread& t = threads_[first + static_cast<unsigned>(std::countr_zero(left))];
    // What a lane outside the group would offer is not defined: it gets its own.
    const bool defined = t.source < warp_threads && (group >> t.source & 1U) != 0;
    t.received = defined ? threads_[first + t.source].offered : t.offered;
    t.votes = votes;
    t.state = State::ready;
  }
}

/// Threads that have left count as having arrived, as on hardware.
bool Block::release_block() {
  for (const Thread& t : threads_)
    if (t.state != State::done && t.state != State::at_block) return false;
  for (Thread& t : threads_)
    if (t.state == State::at_block) t.state = State::ready;
  return true;
}

std::string Block::stuck() const {
  unsigned at_block = 0;
  unsigned at_warp = 0;
  for (const Thread& t : threads_) {
    at_block += t.state == State::at_block ? 1 : 0;
    at_warp += t.state == State::at_warp ? 1 : 0;
  }
  return "deadlock in block (" + std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y) + ", " +
         std::to_string(blockIdx.z) + "): of " + std::to_string(threads_.size()) + " threads " +
         std::to_string(at_block) + " wait at __syncthreads and " + std::to_string(at_warp) +
         " for lanes of their warp, and the others never come";
}

void Block::wait_for_block() { park(State::at_block); }

std::uint32_t Block::vote(std::uint32_t mask, bool yes) {
  (void)exchange(mask, yes ? 1 : 0, lane());
  return threads_[current_].votes;
}

std::uint64_t Block::exchange(std::uint32_t mask, std::uint64_t offered, unsigned source) {
  Thread& self = threads_[current_];
  self.mask = mask | 1U << lane();
  self.offered = offered;
  self.source = source;
  park(State::at_warp);
  return self.received;
}

}  // namespace warpmark::fakes
