// SPDX-License-Identifier: Apache-2.0
#include "harness/run/interrupts.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "harness/core/error.h"
#include "harness/core/status.h"

namespace warpmark {
namespace {

std::array<int, 2> wake{-1, -1};
volatile std::sig_atomic_t received = 0;

// Only what is safe in a handler: a flag, a write, an exit.
extern "C" void on_signal(int /*signal*/) {
  if (received != 0) _exit(static_cast<int>(ExitCode::interrupted));
  received = 1;
  (void)!write(wake[1], "!", 1);
}

}  // namespace

Interrupts::Interrupts() {
  if (pipe2(wake.data(), O_CLOEXEC | O_NONBLOCK) != 0) throw Error("no pipe for signals");
  received = 0;
  (void)std::signal(SIGPIPE, SIG_IGN);
  for (std::size_t i = 0; i < handled.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = on_signal;
    (void)sigaction(handled[i], nullptr, &before_[i]);
    // What is ignored stays so: nohup and shells that start a job in the background mean it.
    if (before_[i].sa_handler != SIG_IGN) (void)sigaction(handled[i], &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < handled.size(); ++i) (void)sigaction(handled[i], &before_[i], nullptr);
  for (int& end : wake) {
    (void)close(end);
    end = -1;
  }
}

int Interrupts::descriptor() const { return wake[0]; }
bool Interrupts::requested() const { return received != 0; }

}  // namespace warpmark
