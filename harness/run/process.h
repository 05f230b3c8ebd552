// SPDX-License-Identifier: Apache-2.0
// The one seam to process control: starts this program again as another role, and knows how it ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

/// The descriptor on which a child of ours writes its lines; its standard output belongs to libraries.
inline constexpr int lines_descriptor = 3;

/// Opens /dev/null in the place of each standard stream that whoever started this program closed: the next file that is
/// opened, a journal maybe, would otherwise get its number, and what is printed. Standard output stays one that cannot
/// be written. To be called before anything is opened.
void hold_standard_streams();

/// How a process ended: by a signal, or with a code.
struct Ending {
  std::optional<int> signal{};
  int code = 0;
  [[nodiscard]] std::string text() const;  // "killed by SIGSEGV (Segmentation fault)", "exit code 3"
};

/// A child that runs this very program with other arguments. Its standard input is ours to write, its lines ours to
/// read; its standard output goes nowhere, its standard error stays with ours. It is killed with the object, and with
/// it whatever it started.
class Child {
 public:
  /// `arguments` without the program's name. Throws Error when the system cannot start it.
  explicit Child(const std::vector<std::string>& arguments);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Writes text and a line feed; false when the child no longer listens.
  bool send(std::string_view line);
  /// Descriptor to wait on for lines.
  [[nodiscard]] int lines() const { return from_; }
  /// Reads what is there without waiting, and returns the whole lines. `ended()` afterwards says whether the child
  /// closed its end.
  [[nodiscard]] std::vector<std::string> read_lines();
  [[nodiscard]] bool ended() const { return ended_; }
  /// Whether the process is no more, also while something that it started still holds its end of the lines.
  [[nodiscard]] bool gone() const;
  void kill();
  /// Waits for the end, at most so long; empty when the child is still there (a process in the kernel's hands cannot be
  /// killed).
  [[nodiscard]] std::optional<Ending> wait(std::chrono::milliseconds longest);

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  bool ended_ = false;
  std::string partial_{};
};

}  // namespace warpmark
