// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its relatives as something to wait for: the first asks the run to end and save, the second ends the
// program at once.
#pragma once

#include <array>
#include <csignal>

namespace warpmark {

/// SIGINT, SIGTERM and SIGHUP, from construction to destruction. SIGPIPE is ignored from then on: a pipe whose reader
/// left is an error of the write that meets it. One object at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// Readable from the first signal on.
  [[nodiscard]] int descriptor() const;
  [[nodiscard]] bool requested() const;

 private:
  static constexpr std::array handled{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, handled.size()> before_{};
};

}  // namespace warpmark
