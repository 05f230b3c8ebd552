// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/cpu_conditions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/telemetry/kernel_text.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr double tick_seconds = 0.01;  // USER_HZ is 100 on every architecture that we build for
// A counter is off by up to one tick at either end: with fewer ticks than these a share could not be told from 10 %
// more.
constexpr std::int64_t least_ticks = 20;

constexpr const char* stat_path = "/proc/stat";
constexpr const char* self_path = "/proc/self/stat";
constexpr const char* smaps_path = "/proc/self/smaps_rollup";
constexpr const char* setting_path = "/sys/kernel/mm/transparent_hugepage/enabled";
constexpr std::size_t stat_limit_bytes = std::size_t{4} << 20;  // its line of interrupts is long on large machines

void deny(json& to, const std::string& what, const std::string& why) {
  to["denied"].push_back({{"what", what}, {"why", why}});
}

/// Why a file had no usable answer: it could not be read, or what it says is not understood.
std::string reason(const FileRoot& root, const std::string& path) {
  const std::string why = root.why_not(path);
  return why.empty() ? path + ": does not say" : why;
}

/// user nice system idle iowait irq softirq steal; what follows is contained in user and nice.
std::optional<CpuTicks> ticks_of(const std::vector<std::string_view>& line) {
  enum : std::size_t { user, nice, system, idle, iowait, irq, softirq, steal, count };
  if (line.size() < 1 + count) return std::nullopt;
  std::array<std::int64_t, count> ticks{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = integer(line[1 + i]);
    if (!value || *value < 0) return std::nullopt;
    ticks.at(i) = *value;
  }
  const std::int64_t busy = ticks[user] + ticks[nice] + ticks[system] + ticks[irq] + ticks[softirq];
  return CpuTicks{.all = busy + ticks[idle] + ticks[iowait] + ticks[steal], .busy = busy, .stolen = ticks[steal]};
}

std::string too_short(double seconds) {
  return std::to_string(static_cast<int>(seconds * 1000)) +
         " ms are too short for a share of counters in steps of 10 ms";
}

/// Of the group that was stopped longest: what its parents were stopped is contained in that or counted again.
std::optional<Throttling> most_throttled(const std::vector<Throttling>& before, const std::vector<Throttling>& now) {
  std::optional<Throttling> most;
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i) {
    const Throttling &from = before[i], &to = now[i];
    if (!from.periods || !to.periods || !from.throttled_periods || !to.throttled_periods) continue;
    Throttling change{.periods = *to.periods - *from.periods,
                      .throttled_periods = *to.throttled_periods - *from.throttled_periods};
    if (from.throttled_seconds && to.throttled_seconds)
      change.throttled_seconds = *to.throttled_seconds - *from.throttled_seconds;
    if (*change.periods < 0 || *change.throttled_periods < 0) continue;  // another group of the same name
    if (!most || *change.throttled_periods > *most->throttled_periods) most = change;
  }
  return most;
}

}  // namespace

std::optional<CpuTicks> cpu_ticks(std::string_view proc_stat, const std::vector<int>& cpus) {
  CpuTicks sum;
  std::size_t found = 0;
  for (const std::string_view line : split(proc_stat, '\n')) {
    if (!line.starts_with("cpu")) break;  // theirs are the first lines
    const auto parts = words(line);
    const auto cpu = integer(parts.front().substr(3));
    if (!cpu || std::find(cpus.begin(), cpus.end(), *cpu) == cpus.end()) continue;
    const auto ticks = ticks_of(parts);
    if (!ticks) return std::nullopt;
    sum.all += ticks->all;
    sum.busy += ticks->busy;
    sum.stolen += ticks->stolen;
    ++found;
  }
  return found == cpus.size() && found > 0 ? std::optional(sum) : std::nullopt;
}

std::optional<std::int64_t> process_ticks(std::string_view proc_self_stat) {
  constexpr std::size_t user_time = 11, system_time = 12;  // after the name, which may hold blanks and parentheses
  const std::size_t name_end = proc_self_stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  const auto fields = words(proc_self_stat.substr(name_end + 1));
  if (fields.size() <= system_time) return std::nullopt;
  const auto user = integer(fields[user_time]), system = integer(fields[system_time]);
  if (!user || !system) return std::nullopt;
  return *user + *system;
}

CpuConditions::CpuConditions(std::vector<int> cpus, FileRoot root)
    : cpus_(std::move(cpus)), root_(std::move(root)), groups_(cpu_groups(root_)) {}

CpuConditions::Reading CpuConditions::read() const {
  Reading reading;
  reading.cpus = cpu_ticks(root_.read(stat_path, stat_limit_bytes).value_or(""), cpus_);
  reading.own = process_ticks(root_.read(self_path).value_or(""));
  for (const std::string& folder : groups_.folders)
    reading.groups.push_back(throttling_of(root_, groups_.version, folder));
  return reading;
}

void CpuConditions::begin() { before_ = read(); }

json CpuConditions::end(std::int64_t huge_bytes_asked) {
  const Reading now = read();
  json telemetry{{"denied", json::array()}};
  add_times(now, telemetry);
  add_throttling(now, telemetry);
  add_huge_pages(huge_bytes_asked, telemetry);
  return telemetry;
}

void CpuConditions::add_times(const Reading& now, json& to) const {
  const auto nothing_known = [&](const std::string& why) {
    for (const char* what : {"steal_share", "others_cpus"}) deny(to, what, why);
  };
  if (!before_.cpus || !now.cpus) return nothing_known(reason(root_, stat_path));
  const std::int64_t all = now.cpus->all - before_.cpus->all;
  const std::int64_t stolen = now.cpus->stolen - before_.cpus->stolen;
  const std::int64_t busy = now.cpus->busy - before_.cpus->busy;
  if (all < 0 || stolen < 0 || busy < 0) return nothing_known(std::string(stat_path) + ": counted backwards");
  const auto count = static_cast<std::int64_t>(cpus_.size());
  const bool long_enough = all >= least_ticks * count;
  const double seconds = tick_seconds * static_cast<double>(all) / static_cast<double>(count);
  to["cpus"] = count;
  to["seconds"] = seconds;
  to["steal_seconds"] = tick_seconds * static_cast<double>(stolen);
  if (long_enough)
    to["steal_share"] = static_cast<double>(stolen) / static_cast<double>(all);
  else
    deny(to, "steal_share", too_short(seconds));
  if (!before_.own || !now.own) return deny(to, "others_cpus", reason(root_, self_path));
  const std::int64_t others = std::max<std::int64_t>(0, busy - (*now.own - *before_.own));
  to["others_seconds"] = tick_seconds * static_cast<double>(others);
  if (long_enough)
    to["others_cpus"] = static_cast<double>(others * count) / static_cast<double>(all);
  else
    deny(to, "others_cpus", too_short(seconds));
}

void CpuConditions::add_throttling(const Reading& now, json& to) const {
  if (!groups_.unknown.empty()) return deny(to, "throttled_periods", groups_.unknown);
  const auto most = most_throttled(before_.groups, now.groups);
  if (!most) return deny(to, "throttled_periods", reason(root_, groups_.folders.front() + "/cpu.stat"));
  to["periods"] = *most->periods;
  to["throttled_periods"] = *most->throttled_periods;
  if (most->throttled_seconds) to["throttled_seconds"] = *most->throttled_seconds;
}

void CpuConditions::add_huge_pages(std::int64_t asked_bytes, json& to) {
  if (asked_bytes <= 0) return;
  const auto setting = chosen(root_.read(setting_path).value_or(""));
  if (setting == "never") {
    counted_bytes_ = 0;
  } else if (asked_bytes != counted_for_bytes_) {
    counted_bytes_ = kib_line_bytes(root_.read(smaps_path).value_or(""), "AnonHugePages");
    counted_for_bytes_ = asked_bytes;
  }
  if (!counted_bytes_) return deny(to, "huge_pages", reason(root_, smaps_path));
  to["huge_pages"] = {{"asked_bytes", asked_bytes}, {"bytes", std::min(*counted_bytes_, asked_bytes)}};
  if (setting) to["huge_pages"]["setting"] = *setting;
}

}  // namespace warpmark
