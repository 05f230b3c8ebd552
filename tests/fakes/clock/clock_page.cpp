// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/clock/clock_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

// System calls by their numbers: the sanitizers stand in front of the C library's functions and may not have started.
// Arguments have to be as wide as the call takes them.

namespace warpmark::fakes {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view variable = "SIMULATED_CLOCK=";
constexpr std::uint64_t our_mark = 0x6b636f6c636d6973;  // "simclock"
constexpr long page_bytes = 4096;
constexpr int refused = 125;
constexpr std::string_view no_page =
    "this is no page of a simulated clock; SIMULATED_CLOCK names one, or a file that is made";

void say(std::string_view text) { (void)syscall(SYS_write, STDERR_FILENO, text.data(), text.size()); }

[[noreturn]] void refuse(std::string_view what, std::string_view why) {
  for (const std::string_view text : {"libvclock.so: "sv, what, ": "sv, why, "\n"sv}) say(text);
  for (;;) (void)syscall(SYS_exit_group, refused);
}

[[noreturn]] void refuse_by_errno(std::string_view what) { refuse(what, strerrordesc_np(errno)); }

template <class T>
T* map(std::size_t bytes, int flags, int file) {
  const long at = syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0L);
  return at == -1 ? nullptr : std::bit_cast<T*>(at);
}

/// A file of zero-terminated words. Not getenv: the C library has its environment only once it has started.
class Words {
 public:
  explicit Words(const char* path) {
    const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0));
    text_ = file < 0 ? nullptr : map<char>(most, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    if (text_ == nullptr) refuse_by_errno(path);
    for (;;) {
      const long n = syscall(SYS_read, file, text_ + bytes_, most - 1 - bytes_);  // the last byte stays 0
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse_by_errno(path);
      if (n == 0) break;
      bytes_ += static_cast<std::size_t>(n);
    }
    (void)syscall(SYS_close, file);
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() { (void)syscall(SYS_munmap, text_, most); }

  /// The first word from `index` on that begins so; null where there is none.
  [[nodiscard]] const char* find(std::string_view beginning, int index) const {
    for (const char* word = text_; word < text_ + bytes_; word += std::strlen(word) + 1)
      if (index-- <= 0 && std::string_view(word).starts_with(beginning)) return word;
    return nullptr;
  }

 private:
  static constexpr std::size_t most = 8U << 20;  // Linux allows 6 MiB
  char* text_ = nullptr;
  std::size_t bytes_ = 0;
};

Role role_of_this_process() {
  const Words command("/proc/self/cmdline");
  const char* const first = command.find("", 1);
  if (first == nullptr) return Role::stranger;
  if (first == "worker"sv) return Role::mover;
  return first == "sampler"sv ? Role::follower : Role::stranger;
}

ClockPage* map_page(const char* path) {
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (file < 0) refuse_by_errno(path);
  const long bytes = syscall(SYS_lseek, file, 0L, SEEK_END);
  if (bytes < 0) refuse_by_errno(path);
  if (bytes != 0 && bytes != page_bytes) refuse(path, no_page);
  // Whoever comes at the same time makes the same length; what is new in a file is zero, and so is the time then.
  if (syscall(SYS_ftruncate, file, page_bytes) != 0) refuse_by_errno(path);
  auto* const page = map<ClockPage>(std::size_t{page_bytes}, MAP_SHARED, file);
  if (page == nullptr) refuse_by_errno(path);
  (void)syscall(SYS_close, file);
  std::uint64_t mark = 0;
  if (!page->mark.compare_exchange_strong(mark, our_mark) && mark != our_mark) refuse(path, no_page);
  return page;
}

ClockPage* page_of_the_environment() {
  const Words environment("/proc/self/environ");
  const char* const found = environment.find(variable, 0);
  const char* const path = found == nullptr ? "" : found + variable.size();
  if (*path == '\0') refuse("SIMULATED_CLOCK is not set", "name the file that keeps the simulated machine's time");
  return map_page(path);
}

// Constant from the start, so that a call before any constructor finds them.
constexpr int unknown = -1;
constinit std::atomic<int> known_role{unknown};
constinit std::atomic<ClockPage*> known_page{nullptr};

}  // namespace

SharedClock shared_clock() {
  if (const int role = known_role.load(std::memory_order_acquire); role != unknown)
    return {.role = static_cast<Role>(role), .page = known_page.load(std::memory_order_relaxed)};
  const Role role = role_of_this_process();
  ClockPage* page = nullptr;
  if (role != Role::stranger) {
    page = page_of_the_environment();
    // Of threads that come here at once, all take the first one's.
    ClockPage* first = nullptr;
    if (!known_page.compare_exchange_strong(first, page)) {
      (void)syscall(SYS_munmap, page, page_bytes);
      page = first;
    }
  }
  known_role.store(static_cast<int>(role), std::memory_order_release);
  return {.role = role, .page = page};
}

}  // namespace warpmark::fakes
