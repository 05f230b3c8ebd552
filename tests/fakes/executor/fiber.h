// SPDX-License-Identifier: Apache-2.0
// A fiber: a stack of its own on which a function runs until it suspends itself, and later goes on from there.
#pragma once

#include <cstddef>

namespace warpmark::fakes {

class Fiber {
 public:
  /// `entry` never returns: it suspends itself for good when it has nothing left to do.
  Fiber(void (*entry)(void*), void* argument);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  /// Frames that are still on the stack are dropped, without their destructors.
  ~Fiber();

  /// By whoever owns it: returns when the fiber suspends itself.
  void resume();
  /// By the fiber itself.
  void suspend();

 private:
  static void start(Fiber* fiber);
  void arrived();

  void (*entry_)(void*);
  void* argument_;
  char* stack_ = nullptr;  // with a page at its low end that nothing may touch
  void* own_ = nullptr;    // where the fiber goes on
  void* owner_ = nullptr;  // where its owner goes on

  // What the sanitizers have to be told at every switch.
  void* own_shadow_ = nullptr;
  void* owner_shadow_ = nullptr;
  const void* owner_stack_ = nullptr;
  std::size_t owner_stack_bytes_ = 0;
};

}  // namespace warpmark::fakes
