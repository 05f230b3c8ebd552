// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/early_interrupts.h"

#include <unistd.h>

#include <string_view>

#include "harness/core/status.h"

namespace warpmark {
namespace {

volatile std::sig_atomic_t saved = 0;

// Only what is safe in a handler: a write, an exit. The children that were started see our ends of their pipes close.
extern "C" void on_early_signal(int /*signal*/) {
  constexpr std::string_view line = "warpmark: interrupted; nothing was measured\n";
  if (saved == 0) (void)!write(STDERR_FILENO, line.data(), line.size());
  _exit(static_cast<int>(ExitCode::interrupted));
}

}  // namespace

EarlyInterrupts::EarlyInterrupts() {
  saved = 0;
  for (std::size_t i = 0; i < handled.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = on_early_signal;
    (void)sigaction(handled[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) (void)sigaction(handled[i], &action, nullptr);
  }
}

EarlyInterrupts::~EarlyInterrupts() {
  for (std::size_t i = 0; i < handled.size(); ++i) (void)sigaction(handled[i], &before_[i], nullptr);
}

void EarlyInterrupts::all_is_saved() { saved = 1; }

}  // namespace warpmark
