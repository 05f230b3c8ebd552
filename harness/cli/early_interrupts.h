// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its relatives before and after a run has something to save: then the program ends at once, with the exit
// code and the line that a run has. While it measures, harness/run/interrupts.h has the signals.
#pragma once

#include <array>
#include <csignal>

namespace warpmark {

/// SIGINT, SIGTERM and SIGHUP, from construction to destruction; what is ignored stays so. One object at a time.
class EarlyInterrupts {
 public:
  EarlyInterrupts();
  ~EarlyInterrupts();
  EarlyInterrupts(const EarlyInterrupts&) = delete;
  EarlyInterrupts& operator=(const EarlyInterrupts&) = delete;

  /// From now on there is a result: a signal ends the program without a word.
  static void all_is_saved();

 private:
  static constexpr std::array handled{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, handled.size()> before_{};
};

}  // namespace warpmark
