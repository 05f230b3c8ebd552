// SPDX-License-Identifier: Apache-2.0
// A program under the simulated clock: the first word is its role, the others say what it does, and it prints what it
// sees, a line each.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::int64_t per_second = 1'000'000'000;

std::int64_t clock_ns(clockid_t id) {
  timespec time{};
  if (clock_gettime(id, &time) != 0) std::abort();
  return time.tv_sec * per_second + time.tv_nsec;
}

std::int64_t steady_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

timespec time_of(std::int64_t ns) { return {.tv_sec = ns / per_second, .tv_nsec = ns % per_second}; }

/// Before the C library, the C++ library and everything that has constructors have started.
std::int64_t at_preinit_ns = 0;
void read_early(int /*count*/, char** /*arguments*/, char** /*environment*/) {
  at_preinit_ns = clock_ns(CLOCK_MONOTONIC);
}
__attribute__((section(".preinit_array"), used)) void (*const before_all)(int, char**, char**) = read_early;

void print(std::int64_t value) {
  std::printf("%lld\n", static_cast<long long>(value));
  std::fflush(stdout);
}

void spin(std::int64_t ns) {
  for (const std::int64_t start = steady_ns(); steady_ns() < start + ns;) continue;
}

/// So many threads read the clock a thousand times each.
void crowd(std::int64_t threads) {
  std::vector<std::thread> all;
  for (std::int64_t i = 0; i < threads; ++i)
    all.emplace_back([] {
      for (int k = 0; k < 1000; ++k) (void)steady_ns();
    });
  for (std::thread& each : all) each.join();
}

void sleep_until(std::int64_t ns) {
  const timespec time = time_of(ns);
  if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) != 0) std::abort();
}

/// What both functions say to a time that is none.
void sleep_wrongly() {
  const timespec time{.tv_sec = 1, .tv_nsec = per_second};
  print(nanosleep(&time, nullptr) == 0 ? 0 : errno);
  print(clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr));
}

struct Action {
  std::string_view name{};
  void (*act)(std::int64_t argument) = nullptr;
};

constexpr Action actions[] = {
    {"now", [](std::int64_t) { print(steady_ns()); }},
    {"preinit", [](std::int64_t) { print(at_preinit_ns); }},
    {"raw", [](std::int64_t) { print(clock_ns(CLOCK_MONOTONIC_RAW)); }},
    {"coarse", [](std::int64_t) { print(clock_ns(CLOCK_MONOTONIC_COARSE)); }},
    {"date", [](std::int64_t) { print(clock_ns(CLOCK_REALTIME)); }},
    {"cpu", [](std::int64_t) { print(clock_ns(CLOCK_PROCESS_CPUTIME_ID)); }},
    {"sleep", [](std::int64_t ns) { std::this_thread::sleep_for(std::chrono::nanoseconds(ns)); }},
    {"until", sleep_until},
    {"spin", spin},
    {"crowd", crowd},
    {"wrong", [](std::int64_t) { sleep_wrongly(); }},
};

/// "sleep=1000" is the action sleep with the argument 1000.
bool act(std::string_view word) {
  const std::size_t sign = std::min(word.find('='), word.size());
  std::int64_t argument = 0;
  if (sign < word.size()) (void)std::from_chars(word.data() + sign + 1, word.data() + word.size(), argument);
  for (const Action& action : actions) {
    if (action.name != word.substr(0, sign)) continue;
    action.act(argument);
    return true;
  }
  return false;
}

}  // namespace

int main(int count, char** words) {
  for (int i = 2; i < count; ++i)
    if (!act(words[i])) return 2;
  return 0;
}
