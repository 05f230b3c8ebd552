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
#include "harness/store/json_text.h"

namespace warpmark {
namespace {

using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

constexpr double leaving_seconds = 10;  // after the last record: nothing is lost by ending it
constexpr auto redraw = std::chrono::milliseconds(500);
constexpr auto longest_leaving = std::chrono::seconds(10);

class Watch {
 public:
  Watch(const WorkerOrder& order, const Interrupts& interrupts, const ShiftEvents& events, Processes& processes)
      : order_(order), interrupts_(interrupts), events_(events), child_({"worker", "--order"}, processes) {
    (void)child_.send(to_json(order).dump());  // a worker that died at once shows at the first read
    expect_within(events.start_timeout);
  }

  ShiftEnd run() {
    for (;;) {
      wait_for_news();
      const bool gone = child_.gone();  // looked up first: all that it wrote is in the pipe then
      for (const std::string& line : child_.read_lines())
        if (!take(line)) return left(ShiftEnd::Kind::died, "sent what is no message and was killed: " + shown(line));
      if (gone || child_.ended()) return ending();
      if (interrupts_.requested()) return left(ShiftEnd::Kind::interrupted, "interrupted");
      if (stopped_) return left(ShiftEnd::Kind::stopped, "was stopped");
      if (SteadyClock::now() >= deadline_)
        return left(ShiftEnd::Kind::silent,
                    fmt::format("said nothing for {} and was killed", format_seconds(allowed_seconds_)));
    }
  }

 private:
  void expect_within(double seconds) {
    const double longest = events_.longest_wait();
    is_cut_ = longest < seconds;
    allowed_seconds_ = std::min(seconds, longest);
    deadline_ = SteadyClock::now() +
                std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(allowed_seconds_));
  }

  void wait_for_news() {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - SteadyClock::now());
    const auto longest = std::clamp(left + std::chrono::milliseconds(1), std::chrono::milliseconds(0), redraw);
    std::array<pollfd, 2> sources{pollfd{.fd = child_.lines(), .events = POLLIN, .revents = 0},
                                  pollfd{.fd = interrupts_.descriptor(), .events = POLLIN, .revents = 0}};
    if (poll(sources.data(), sources.size(), static_cast<int>(longest.count())) == 0 && !current_.empty())
      events_.waiting();
  }

  /// False for what no worker of ours sends: a library in its process may write to a descriptor that is not its own.
  bool take(const std::string& line) {
    try {
      const json message = json::parse(line);
      if (message.contains("begin")) return begin(message.at("begin").get<std::string>());
      if (message.contains("unusable")) return give_up(message.at("unusable").get<std::string>());
      return keep(record_from_json(message.at("record")));
    } catch (const json::exception&) {
      return false;
    }
  }

  bool give_up(const std::string& why) {
    unusable_ = why;
    return !has_begun_ && !why.empty();
  }

  bool begin(const std::string& id) {
    if (recorded_ == order_.ids.size() || id != order_.ids[recorded_]) return false;
    current_ = id;
    has_begun_ = true;
    events_.begun(id);
    expect_within(events_.deadline_seconds(id));
    (void)child_.send("");  // it waits for this
    return true;
  }

  bool keep(const Record& record) {
    if (current_.empty() || record.id != current_ || record.repeat != order_.repeat) return false;
    events_.recorded(record);
    current_.clear();
    const bool is_last = ++recorded_ == order_.ids.size();
    stopped_ = !is_last && !events_.may_begin(order_.ids[recorded_]);
    expect_within(is_last ? leaving_seconds : events_.start_timeout);
    if (!stopped_) (void)child_.send("");  // it waits for this
    return true;
  }

  ShiftEnd ending() {
    const auto ended = child_.wait(longest_leaving);
    if (!ended) return left(ShiftEnd::Kind::died, "closed its pipe, did not leave and was killed");
    if (!unusable_.empty()) return end(ShiftEnd::Kind::unusable, unusable_);
    if (!ended->signal && ended->code == 0) return end(ShiftEnd::Kind::done, "left without a record of it");
    return end(ShiftEnd::Kind::died, "died: " + ended->text());
  }

  /// Leaves a worker that is still there.
  ShiftEnd left(ShiftEnd::Kind kind, std::string how) {
    const auto unended = child_.end();
    ShiftEnd at_end = end(kind, unended ? how + "; " + unended_text(*unended) : std::move(how));
    at_end.unended = unended;
    return at_end;
  }

  [[nodiscard]] ShiftEnd end(ShiftEnd::Kind kind, std::string how) const {
    return {.kind = kind,
            .current = current_,
            .how = std::move(how),
            .is_cut = kind == ShiftEnd::Kind::silent && is_cut_,
            .has_begun = has_begun_};
  }

  const WorkerOrder& order_;
  const Interrupts& interrupts_;
  const ShiftEvents& events_;
  Child child_;
  std::string current_{};
  std::size_t recorded_ = 0;
  bool is_cut_ = false;
  bool has_begun_ = false;
  bool stopped_ = false;
  std::string unusable_{};
  double allowed_seconds_ = 0;
  SteadyClock::time_point deadline_{};
};

}  // namespace

ShiftEnd watch_shift(const WorkerOrder& order, const Interrupts& interrupts, const ShiftEvents& events,
                     Processes& processes) {
  return Watch(order, interrupts, events, processes).run();
}

}  // namespace warpmark
