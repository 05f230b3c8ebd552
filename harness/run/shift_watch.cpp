// SPDX-License-Identifier: Apache-2.0
#include "harness/run/shift_watch.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "harness/core/units.h"
#include "harness/store/document.h"

namespace warpmark {
namespace {

using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

constexpr double start_up_seconds = 60;  // opening devices and libraries, before the first case begins
constexpr auto redraw = std::chrono::milliseconds(500);
constexpr auto longest_dying = std::chrono::milliseconds(2000);

class Watch {
 public:
  Watch(const WorkerOrder& order, const Interrupts& interrupts, const ShiftEvents& events)
      : interrupts_(interrupts), events_(events), child_({"worker", "--order"}) {
    (void)child_.send(to_json(order).dump());  // a worker that died at once shows at the first read
    expect_within(start_up_seconds);
  }

  ShiftEnd run() {
    for (;;) {
      wait_for_news();
      for (const std::string& line : child_.read_lines()) take(line);
      if (child_.ended()) return ending();
      if (interrupts_.requested()) return left(ShiftEnd::Kind::interrupted, "interrupted");
      if (SteadyClock::now() >= deadline_)
        return left(ShiftEnd::Kind::silent, fmt::format("said nothing for {}", format_seconds(allowed_seconds_)));
    }
  }

 private:
  void expect_within(double seconds) {
    allowed_seconds_ = seconds;
    deadline_ = SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
  }

  void wait_for_news() {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - SteadyClock::now());
    const auto longest = std::clamp(left + std::chrono::milliseconds(1), std::chrono::milliseconds(0), redraw);
    std::array<pollfd, 2> sources{pollfd{.fd = child_.lines(), .events = POLLIN, .revents = 0},
                                  pollfd{.fd = interrupts_.descriptor(), .events = POLLIN, .revents = 0}};
    if (poll(sources.data(), sources.size(), static_cast<int>(longest.count())) == 0 && !current_.empty()) events_.waiting();
  }

  void take(const std::string& line) {
    const json message = json::parse(line);
    if (message.contains("begin")) {
      current_ = message.at("begin").get<std::string>();
      expect_within(events_.deadline_seconds(current_));
      events_.begun(current_);
    } else {
      events_.recorded(record_from_json(message.at("record")));
      current_.clear();
      expect_within(start_up_seconds);
      (void)child_.send("");
    }
  }

  ShiftEnd ending() {
    const auto ended = child_.wait(longest_dying);
    if (ended && !ended->signal && ended->code == 0) return {.kind = ShiftEnd::Kind::done, .current = current_};
    return {.kind = ShiftEnd::Kind::died, .current = current_, .how = ended ? ended->text() : "it closed its pipe and hangs"};
  }

  ShiftEnd left(ShiftEnd::Kind kind, std::string how) {
    child_.kill();
    return {.kind = kind, .current = current_, .how = std::move(how)};
  }

  const Interrupts& interrupts_;
  const ShiftEvents& events_;
  Child child_;
  std::string current_{};
  double allowed_seconds_ = 0;
  SteadyClock::time_point deadline_{};
};

}  // namespace

ShiftEnd watch_shift(const WorkerOrder& order, const Interrupts& interrupts, const ShiftEvents& events) {
  return Watch(order, interrupts, events).run();
}

}  // namespace warpmark
