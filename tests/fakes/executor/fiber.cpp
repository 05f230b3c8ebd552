// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/executor/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "tests/fakes/executor/sanitizers.h"

#if defined(WARPMARK_UNDER_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(WARPMARK_UNDER_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace warpmark::fakes {
namespace {

// Instrumented frames are larger. Only pages that a thread touches become memory.
#if defined(WARPMARK_UNDER_ASAN) || defined(WARPMARK_UNDER_TSAN)
constexpr std::size_t stack_bytes = 512 << 10;
#else
constexpr std::size_t stack_bytes = 128 << 10;
#endif
constexpr std::size_t guard_bytes = 4096;

#if defined(__x86_64__)
// swapcontext asks the kernel for the signal mask at every switch, which is most of what a barrier would then cost.
asm(R"(
.text
.local warpmark_fiber_switch
.type warpmark_fiber_switch, @function
warpmark_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size warpmark_fiber_switch, . - warpmark_fiber_switch
.local warpmark_fiber_start
.type warpmark_fiber_start, @function
warpmark_fiber_start:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size warpmark_fiber_start, . - warpmark_fiber_start
)");
extern "C" void warpmark_fiber_switch(void** save_to, void* go_on_at);
extern "C" void warpmark_fiber_start();

/// A stack that looks as if the fiber had just left it at the beginning of warpmark_fiber_start.
void* first_frame(char* top, void (*start)(Fiber*), Fiber* fiber) {
  auto** at = reinterpret_cast<void**>(top);
  *--at = nullptr;
  *--at = nullptr;  // one more, so that the stack is aligned where `start` is called
  *--at = reinterpret_cast<void*>(&warpmark_fiber_start);
  *--at = nullptr;                         // rbp
  *--at = reinterpret_cast<void*>(start);  // rbx
  *--at = fiber;                           // r12
  for (int i = 0; i < 3; ++i) *--at = nullptr;
  return at;
}

void switch_to(void** save_to, void* go_on_at) { warpmark_fiber_switch(save_to, go_on_at); }
void forget(void* /*saved*/) {}
#else
void* first_frame(char* top, void (*start)(Fiber*), Fiber* fiber) {
  auto* const context = new ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = top - (stack_bytes - guard_bytes);
  context->uc_stack.ss_size = stack_bytes - guard_bytes;
  context->uc_link = nullptr;
  makecontext(context, reinterpret_cast<void (*)()>(start), 1, fiber);
  return context;
}

void switch_to(void** save_to, void* go_on_at) {
  if (*save_to == nullptr) *save_to = new ucontext_t;
  swapcontext(static_cast<ucontext_t*>(*save_to), static_cast<ucontext_t*>(go_on_at));
}
void forget(void* saved) { delete static_cast<ucontext_t*>(saved); }
#endif

/// Stacks that were used and will be again: asking the kernel for each costs more than the threads of a block do.
class Stacks {
 public:
  Stacks() = default;
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() {
    for (char* const stack : free_) munmap(stack, stack_bytes);
  }

  [[nodiscard]] char* take() {
    if (free_.empty()) return fresh();
    char* const stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void give_back(char* stack) { free_.push_back(stack); }

 private:
  static char* fresh() {
    void* const stack =
        mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) throw std::bad_alloc();
    mprotect(stack, guard_bytes, PROT_NONE);
    return static_cast<char*>(stack);
  }

  std::vector<char*> free_{};
};

Stacks& stacks() {
  thread_local Stacks own;
  return own;
}

}  // namespace

Fiber::Fiber(void (*entry)(void*), void* argument) : entry_(entry), argument_(argument), stack_(stacks().take()) {
  own_ = first_frame(stack_ + stack_bytes, &Fiber::start, this);
#if defined(WARPMARK_UNDER_TSAN)
  own_shadow_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(WARPMARK_UNDER_ASAN)
  __asan_unpoison_memory_region(stack_, stack_bytes);
#elif defined(WARPMARK_UNDER_TSAN)
  __tsan_destroy_fiber(own_shadow_);
#endif
  stacks().give_back(stack_);
  forget(own_);
  forget(owner_);
}

void Fiber::start(Fiber* fiber) {
  fiber->arrived();
  fiber->entry_(fiber->argument_);
}

void Fiber::arrived() {
#if defined(WARPMARK_UNDER_ASAN)
  __sanitizer_finish_switch_fiber(own_shadow_, &owner_stack_, &owner_stack_bytes_);
#endif
}

void Fiber::resume() {
#if defined(WARPMARK_UNDER_ASAN)
  __sanitizer_start_switch_fiber(&owner_shadow_, stack_ + guard_bytes, stack_bytes - guard_bytes);
#elif defined(WARPMARK_UNDER_TSAN)
  owner_shadow_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(own_shadow_, 0);
#endif
  switch_to(&owner_, own_);
#if defined(WARPMARK_UNDER_ASAN)
  __sanitizer_finish_switch_fiber(owner_shadow_, nullptr, nullptr);
#endif
}

void Fiber::suspend() {
#if defined(WARPMARK_UNDER_ASAN)
  __sanitizer_start_switch_fiber(&own_shadow_, owner_stack_, owner_stack_bytes_);
#elif defined(WARPMARK_UNDER_TSAN)
  __tsan_switch_to_fiber(owner_shadow_, 0);
#endif
  switch_to(&own_, owner_);
  arrived();
}

}  // namespace warpmark::fakes
