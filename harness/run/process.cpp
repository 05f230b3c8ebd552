// SPDX-License-Identifier: Apache-2.0
#include "harness/run/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "harness/core/error.h"

extern char** environ;

namespace warpmark {
namespace {

/// Closes the ends that nobody has taken.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw Error(fmt::format("no pipe to a child process: {}", std::strerror(errno)));
  }
  ~Pipe() {
    for (const int end : ends_)
      if (end >= 0) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int read() const { return ends_[0]; }
  [[nodiscard]] int write() const { return ends_[1]; }
  [[nodiscard]] int take_read() { return std::exchange(ends_[0], -1); }
  [[nodiscard]] int take_write() { return std::exchange(ends_[1], -1); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// The environment, plus what OpenMP's threads need to know: they may not spin into the next sample. Never overrides
/// the user's own. Without Google Benchmark's variables (BENCHMARK_FILTER, BENCHMARK_REPETITIONS): an order says it
/// all.
std::vector<std::string> child_environment() {
  std::vector<std::string> all;
  bool spin_given = false;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    // Google Benchmark's own, and ours: under `run` everything comes with the order.
    if (variable.starts_with("BENCHMARK_") || variable.starts_with("WARPMARK_")) continue;
    all.emplace_back(variable);
    spin_given = spin_given || all.back().starts_with("GOMP_SPINCOUNT=") || all.back().starts_with("OMP_WAIT_POLICY=");
  }
  if (!spin_given) all.emplace_back("GOMP_SPINCOUNT=10000");
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// The parent may ignore or block signals; a child starts with none of that, and in a group of its own, so that Ctrl-C
/// reaches the supervisor alone, which decides.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    sigset_t standard;
    sigemptyset(&standard);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) sigaddset(&standard, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &standard);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

class SystemProcesses : public Processes {
 public:
  pid_t start(const std::vector<std::string>& arguments, int input, int lines) override {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, lines, lines_descriptor);
    std::vector<std::string> command{"warpmark"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = child_environment();
    const SpawnAttributes attributes;
    pid_t process = -1;
    const int refused = posix_spawn(&process, "/proc/self/exe", &actions, attributes.get(), pointers(command).data(),
                                    pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (refused != 0) throw Error(fmt::format("cannot start a worker process: {}", std::strerror(refused)));
    return process;
  }

  void kill(pid_t leader) override { (void)::kill(-leader, SIGKILL); }

  bool has_ended(pid_t process) override {
    siginfo_t ended{};
    return waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           ended.si_pid == process;
  }

  Ending reap(pid_t process) override {
    int status = 0;
    (void)waitpid(process, &status, 0);
    if (WIFSIGNALED(status)) return Ending{.signal = WTERMSIG(status)};
    return Ending{.signal = std::nullopt, .code = WEXITSTATUS(status)};
  }
};

}  // namespace

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Data that goes nowhere is an error, as it was before; what is said on standard error may go nowhere.
    const int mode = stream == STDOUT_FILENO ? O_RDONLY : O_RDWR;
    if (fcntl(stream, F_GETFD) < 0) (void)open("/dev/null", mode);  // gets the lowest free number, which is this one
  }
}

std::string Ending::text() const {
  if (!signal) return fmt::format("exit code {}", code);
  const char* const name = sigabbrev_np(*signal);
  return fmt::format("killed by SIG{} ({})", name == nullptr ? std::to_string(*signal) : name, strsignal(*signal));
}

Processes& system_processes() {
  static SystemProcesses processes;
  return processes;
}

Child::Child(const std::vector<std::string>& arguments, Processes& processes) : processes_(processes) {
  // Whoever started us may ignore it, and we would inherit that: then the system keeps no child's ending.
  (void)std::signal(SIGCHLD, SIG_DFL);
  (void)std::signal(SIGPIPE, SIG_IGN);  // a child may be gone before it has read what we send
  Pipe down;
  Pipe up;
  pid_ = processes.start(arguments, down.read(), up.write());
  to_ = down.take_write();
  from_ = up.take_read();
  (void)fcntl(from_, F_SETFL, O_NONBLOCK);
  (void)fcntl(to_, F_SETFL, O_NONBLOCK);  // a child that does not read may not hold us
}

Child::~Child() {
  close(to_);
  close(from_);
  (void)end();
}

bool Child::send(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(to_, text.data() + sent, text.size() - sent);
    if (n > 0) {
      sent += static_cast<std::size_t>(n);
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    constexpr int longest_ms = 10'000;
    pollfd wait_for{.fd = to_, .events = POLLOUT, .revents = 0};
    if (n == 0 || errno != EAGAIN || poll(&wait_for, 1, longest_ms) <= 0) return false;
  }
  return true;
}

std::vector<std::string> Child::read_lines() {
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const ssize_t n = read(from_, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    if (n == 0) {
      ended_ = true;
      break;
    }
    partial_.append(chunk.data(), static_cast<std::size_t>(n));
  }
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = partial_.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(partial_.substr(begin, end - begin));
  partial_.erase(0, begin);
  return lines;
}

bool Child::gone() const { return processes_.has_ended(pid_); }

std::optional<Ending> Child::wait(std::chrono::milliseconds longest) {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  while (!gone()) {
    if (std::chrono::steady_clock::now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  processes_.kill(pid_);  // what it left behind; until it is reaped, no other group can have its number
  return processes_.reap(std::exchange(pid_, -1));
}

std::optional<pid_t> Child::end() {
  if (pid_ <= 0) return std::nullopt;
  processes_.kill(pid_);
  if (wait(processes_.longest_dying())) return std::nullopt;
  return std::exchange(pid_, -1);
}

std::string unended_text(pid_t process) {
  return fmt::format(
      "process {} cannot be ended: a driver holds it (`ps -o stat,wchan {}`, `dmesg`), and the machine may have to be "
      "restarted",
      process, process);
}

}  // namespace warpmark
