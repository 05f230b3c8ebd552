// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/store/full_disk.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace warpmark {
namespace {

constexpr int no_mount = 77;

void set_limit(rlim_t bytes) {
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

[[noreturn]] void answer(int to, const std::function<std::string()>& act) {
  std::string text;
  try {
    text = act();
  } catch (const std::exception& error) {
    text = std::string("unexpected exception: ") + error.what();
  }
  const bool whole = ::write(to, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::_exit(whole ? 0 : 1);
}

/// `prepare` returns 0, or the code that the child ends with.
std::optional<std::string> in_child(const std::function<int()>& prepare, const std::function<std::string()>& act) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    if (const int code = prepare(); code != 0) ::_exit(code);
    answer(ends[1], act);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == no_mount) return std::nullopt;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return "the child died: " + text;
  return text;
}

}  // namespace

std::string with_file_limit(std::size_t bytes, const std::function<std::string()>& act) {
  const auto prepare = [&] {
    std::signal(SIGXFSZ, SIG_IGN);  // otherwise the system kills a process that goes beyond
    set_limit(bytes);
    return 0;
  };
  return in_child(prepare, act).value_or("");
}

void lift_file_limit() { set_limit(RLIM_INFINITY); }

namespace {

/// Whoever is not root becomes root of a user namespace, in which its own files keep their owner.
bool may_mount() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (user == 0) return ::unshare(CLONE_NEWNS) == 0;
  if (::unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  return ::geteuid() == 0;
}

}  // namespace

std::optional<std::string> on_small_disk(const std::filesystem::path& folder, std::size_t bytes,
                                         const std::function<std::string()>& act) {
  const auto prepare = [&] {
    if (!may_mount()) return no_mount;
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return no_mount;
    const std::string options = "size=" + std::to_string(bytes);
    return ::mount("tmpfs", folder.c_str(), "tmpfs", 0, options.c_str()) == 0 ? 0 : no_mount;
  };
  return in_child(prepare, act);
}

}  // namespace warpmark
