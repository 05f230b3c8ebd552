// SPDX-License-Identifier: Apache-2.0
// The one seam to process control: starts this program again as another role, ends it, and knows how it ended.
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

/// What the system does with processes. A test puts another in its place, such as one whose processes never end.
class Processes {
 public:
  Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  virtual ~Processes() = default;

  /// Starts this very program with `arguments` (without its name) in a process group of its own, with those
  /// descriptors as its standard input and its lines. Throws Error when the system cannot.
  [[nodiscard]] virtual pid_t start(const std::vector<std::string>& arguments, int input, int lines) = 0;
  /// Kills the whole group.
  virtual void kill(pid_t leader) = 0;
  /// Whether the process is no more; its number stays taken until `reap`.
  [[nodiscard]] virtual bool has_ended(pid_t process) = 0;
  /// Of one that has ended.
  [[nodiscard]] virtual Ending reap(pid_t process) = 0;
  /// How long a killed one may take: a driver that takes down the memory of a large context needs seconds.
  [[nodiscard]] virtual std::chrono::milliseconds longest_dying() const { return std::chrono::seconds(8); }
};

[[nodiscard]] Processes& system_processes();

/// A child that runs this very program with other arguments. Its standard input is ours to write, its lines ours to
/// read; its standard output goes nowhere, its standard error stays with ours. It is killed with the object, and with
/// it whatever it started.
class Child {
 public:
  /// `arguments` without the program's name. Throws Error when the system cannot start it.
  explicit Child(const std::vector<std::string>& arguments, Processes& processes = system_processes());
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Writes text and a line feed; false when the child no longer listens, or does not for ten seconds.
  bool send(std::string_view line);
  /// Descriptor to wait on for lines.
  [[nodiscard]] int lines() const { return from_; }
  /// Reads what is there without waiting, and returns the whole lines. `ended()` afterwards says whether the child
  /// closed its end.
  [[nodiscard]] std::vector<std::string> read_lines();
  [[nodiscard]] bool ended() const { return ended_; }
  /// Whether the process is no more, also while something that it started still holds its end of the lines.
  [[nodiscard]] bool gone() const;
  /// Waits for the end, at most so long; empty when the child is still there.
  [[nodiscard]] std::optional<Ending> wait(std::chrono::milliseconds longest);
  /// Kills it, and waits for the end. Returns the number of a process that is there all the same, which a driver holds
  /// in the kernel, and leaves it alone from then on.
  std::optional<pid_t> end();

 private:
  Processes& processes_;
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  bool ended_ = false;
  std::string partial_{};
};

/// "process 4711 cannot be ended ...", for people.
[[nodiscard]] std::string unended_text(pid_t process);

}  // namespace warpmark
