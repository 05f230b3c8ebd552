// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "harness/core/units.h"
#include "harness/stats/order.h"
#include "harness/summary/outside_json.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr double most_others = 0.1;
constexpr double most_steal = 0.02;
constexpr double most_clock_spread = 0.05;
constexpr double least_clock_share = 0.65;
constexpr double least_huge_share = 0.9;
constexpr double huge_pages_matter_from_bytes = 32 << 20;
// Below 20 steps of the kernel's counters (10 ms) a share says little.
constexpr double least_seconds = 0.2;

/// A part of the CPU time of all records in which both were read.
class Share {
 public:
  void add(const json& telemetry, std::string_view part) {
    const auto seconds = number_in(telemetry, "seconds"), cpus = number_in(telemetry, "cpus");
    const auto taken = number_in(telemetry, part);
    if (!seconds || !cpus || !taken) return;
    seconds_ += *seconds;
    cpu_seconds_ += *seconds * *cpus;
    taken_ += *taken;
  }
  [[nodiscard]] std::optional<double> value() const {
    if (seconds_ < least_seconds || cpu_seconds_ <= 0) return std::nullopt;
    return taken_ / cpu_seconds_;
  }

 private:
  double seconds_ = 0, cpu_seconds_ = 0, taken_ = 0;
};

void add_throttling(const json& telemetry, Conditions& to) {
  to.periods += static_cast<std::int64_t>(std::min(0x1p53, number_in(telemetry, "periods").value_or(0)));
  to.throttled_periods +=
      static_cast<std::int64_t>(std::min(0x1p53, number_in(telemetry, "throttled_periods").value_or(0)));
  to.throttled_seconds += number_in(telemetry, "throttled_seconds").value_or(0);
}

void add_clock(const json& telemetry, Conditions& to, std::vector<double>& medians) {
  const json& clock = part_of(telemetry, "clock_hz");
  const auto low = number_in(clock, "p5"), middle = number_in(clock, "median"), high = number_in(clock, "p95");
  if (!low || !middle || !high || *middle <= 0) return;
  to.clock_max_hz = std::max(to.clock_max_hz, number_in(telemetry, "clock_max_hz").value_or(0));
  to.clock_low_hz = medians.empty() ? *low : std::min(to.clock_low_hz, *low);
  to.clock_high_hz = std::max(to.clock_high_hz, *high);
  medians.push_back(*middle);
}

void add_huge_pages(const Record& record, Conditions& to) {
  const json& pages = part_of(record.telemetry, "huge_pages");
  const auto asked = number_in(pages, "asked_bytes"), got = number_in(pages, "bytes");
  if (!asked || !got || *asked <= 0 || !(record.work.bytes() > huge_pages_matter_from_bytes)) return;
  if (to.huge_asked_bytes > 0 && *got / *asked >= to.huge_bytes / to.huge_asked_bytes) return;
  to.huge_asked_bytes = *asked;
  to.huge_bytes = *got;
  to.huge_pages_off = part_of(pages, "setting") == "never";
}

std::string huge_pages_remedy(const Conditions& c) {
  if (c.huge_pages_off) return "they are switched off; write madvise to /sys/kernel/mm/transparent_hugepage/enabled";
  return "free memory is in pieces, or a control group forbids them; run again after a restart of the machine or "
         "container";
}

std::string low_clock_remedy(const Conditions& c) {
  if (std::string reason = low_clock_reason(c.gpu); !reason.empty()) return reason;
  return "heat, a power limit or a lower limit that somebody set holds it down; `nvidia-smi -q -d PERFORMANCE,CLOCK` "
         "says which";
}

std::string_view moving_clock_remedy(const Conditions& c) {
  return at_power_limit(c.gpu) ? "its power limit moves it; fix its clock (`nvidia-smi -lgc`)"
                               : "let the machine cool down, or fix its clock";
}

std::string processes_text(const Conditions& c) {
  return c.gpu.foreign_processes > 1 ? fmt::format("{:.0f} other processes were", c.gpu.foreign_processes)
                                     : "another process was";
}

constexpr std::string_view shared_gpu_remedy =
    "`nvidia-smi` lists them, or another container or guest has the same card";
constexpr std::string_view quota_remedy = "raise it (docker run --cpus, limits.cpu of Kubernetes)";

std::string cases_text(const RunHit& run) { return fmt::format("{} of {} cases", run.hit, run.cases); }

/// CPU time that others had: in the worst case and over the run.
std::string taken_text(const RunHit& run, const std::optional<double>& worst, const std::optional<double>& whole) {
  if (run.hit == 0) return fmt::format("{} of the CPU time over the whole run", format_percent(whole.value_or(0)));
  const std::string over_all = whole ? fmt::format(", {} over the whole run", format_percent(*whole)) : "";
  return fmt::format("{} of the CPU time at worst ({}{})", format_percent(worst.value_or(0)), cases_text(run),
                     over_all);
}

std::string held_down_text(const RunHit& run) {
  const HeldDown worst = *held_down(run.worst.gpu);
  return fmt::format(
      "The clock of the GPU was held down in {}, at worst by {} in {} of the readings: those numbers are lower than "
      "the "
      "card's; {}, and run again.",
      cases_text(run), worst.reason->words, format_percent(worst.share), worst.reason->remedy);
}

}  // namespace

Conditions conditions_of(std::span<const Record* const> records) {
  Conditions conditions;
  Share others, steal;
  std::vector<double> clocks;
  for (const Record* record : records) {
    others.add(record->telemetry, "others_seconds");
    steal.add(record->telemetry, "steal_seconds");
    add_throttling(record->telemetry, conditions);
    add_clock(record->telemetry, conditions, clocks);
    add_huge_pages(*record, conditions);
    add(*record, conditions.gpu);
  }
  conditions.others_share = others.value();
  conditions.steal_share = steal.value();
  if (!clocks.empty()) conditions.clock_hz = median(sorted(clocks));
  return conditions;
}

bool matters(const Conditions& c, Condition condition) {
  switch (condition) {
    case Condition::throttled: return c.throttled_periods > 0;
    case Condition::held_down: return badness(c, condition) > least_held_share;
    case Condition::shared_gpu: return c.gpu.foreign_processes > 0;
    case Condition::others: return c.others_share && *c.others_share > most_others;
    case Condition::steal: return c.steal_share && *c.steal_share > most_steal;
    case Condition::low_clock: return badness(c, condition) > 1 - least_clock_share;
    case Condition::clock: return badness(c, condition) > most_clock_spread;
    case Condition::huge_pages: return c.huge_asked_bytes > 0 && badness(c, condition) > 1 - least_huge_share;
  }
  return false;
}

double badness(const Conditions& c, Condition condition) {
  switch (condition) {
    case Condition::throttled:
      return static_cast<double>(c.throttled_periods) / std::max(1.0, static_cast<double>(c.periods));
    case Condition::held_down: {
      const auto held = held_down(c.gpu);
      return held ? held->share : 0;
    }
    case Condition::shared_gpu: return c.gpu.foreign_processes;
    case Condition::others: return c.others_share.value_or(0);
    case Condition::steal: return c.steal_share.value_or(0);
    case Condition::low_clock: return c.clock_max_hz > 0 && c.clock_hz > 0 ? 1 - c.clock_hz / c.clock_max_hz : 0;
    case Condition::clock: return c.clock_hz > 0 ? (c.clock_high_hz - c.clock_low_hz) / c.clock_hz : 0;
    case Condition::huge_pages: return c.huge_asked_bytes > 0 ? 1 - c.huge_bytes / c.huge_asked_bytes : 0;
  }
  return 0;
}

std::string case_sentence(const Conditions& c, Condition condition) {
  switch (condition) {
    case Condition::throttled:
      return fmt::format("the CPU quota of its control group stopped it in {} of {} periods, for {}: {}",
                         c.throttled_periods, c.periods, format_seconds(c.throttled_seconds), quota_remedy);
    case Condition::held_down: return held_down_sentence(*held_down(c.gpu), "its clock");
    case Condition::shared_gpu:
      return fmt::format("{} on its GPU: stop what else uses it and run again; {}", processes_text(c),
                         shared_gpu_remedy);
    case Condition::others:
      return fmt::format("other programs took {} of the time of its CPUs: stop them and run again",
                         format_percent(c.others_share.value_or(0)));
    case Condition::steal:
      return fmt::format(
          "the hypervisor gave {} of its CPU time to other guests (steal): run again at another time, or on "
          "dedicated cores",
          format_percent(c.steal_share.value_or(0)));
    case Condition::low_clock:
      return fmt::format("the clock was {}, {} of the device's highest: {}", format_rate(c.clock_hz, "Hz"),
                         format_percent(c.clock_hz / c.clock_max_hz), low_clock_remedy(c));
    case Condition::clock:
      return fmt::format("the core clock moved between {} and {}: {}", format_rate(c.clock_low_hz, "Hz"),
                         format_rate(c.clock_high_hz, "Hz"), moving_clock_remedy(c));
    case Condition::huge_pages:
      return fmt::format("only {} of {} got the huge pages that were asked for: {}", format_bytes(c.huge_bytes),
                         format_bytes(c.huge_asked_bytes), huge_pages_remedy(c));
  }
  return {};
}

std::string run_sentence(const RunHit& run, Condition condition) {
  const std::string cases = cases_text(run);
  const Conditions& worst = run.worst;
  switch (condition) {
    case Condition::throttled:
      return fmt::format(
          "The CPU quota of the control group stopped {}, at worst in {} of {} periods: those numbers are the quota's, "
          "not the CPU's; {} and run again.",
          cases, worst.throttled_periods, worst.periods, quota_remedy);
    case Condition::held_down: return held_down_text(run);
    case Condition::shared_gpu:
      return fmt::format("In {} {} on the GPU: stop what else uses it and run again; {}.", cases, processes_text(worst),
                         shared_gpu_remedy);
    case Condition::others:
      return fmt::format("Other programs took {}: stop them and run again.",
                         taken_text(run, worst.others_share, run.whole.others_share));
    case Condition::steal:
      return fmt::format(
          "Steal: the hypervisor gave other guests {}. Run again at another time, or on dedicated cores.",
          taken_text(run, worst.steal_share, run.whole.steal_share));
    case Condition::low_clock:
      return fmt::format("The clock was below {} of the device's highest in {}, at worst {}, {} of it: {}.",
                         format_percent(least_clock_share), cases, format_rate(worst.clock_hz, "Hz"),
                         format_percent(worst.clock_hz / worst.clock_max_hz), low_clock_remedy(worst));
    case Condition::clock:
      return fmt::format("The core clock moved by more than {} in {}, at worst between {} and {}: {}, and run again.",
                         format_percent(most_clock_spread), cases, format_rate(worst.clock_low_hz, "Hz"),
                         format_rate(worst.clock_high_hz, "Hz"), moving_clock_remedy(worst));
    case Condition::huge_pages:
      return fmt::format(
          "Huge pages were refused in {}, at worst {} of {} got them, which may cost large arrays some bandwidth: {}.",
          cases, format_bytes(worst.huge_bytes), format_bytes(worst.huge_asked_bytes), huge_pages_remedy(worst));
  }
  return {};
}

}  // namespace warpmark
