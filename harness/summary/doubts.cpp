// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/core/units.h"
#include "harness/summary/conditions.h"
#include "harness/summary/gpu_doubts.h"
#include "harness/summary/outside_json.h"
#include "harness/summary/steady.h"
#include "harness/summary/two_speeds.h"

namespace warpmark {
namespace {

using nlohmann::json;

// Beyond what a sample's own noise explains: the machine was still changing while it was measured.
constexpr double strong_drift = 0.05;
// What hits as many cases is the machine's and said once; what hits fewer is theirs.
constexpr std::size_t many_cases = 3;

std::string in_repeat(const Record& record, const std::string& what) {
  return fmt::format("repeat {}: {}", record.repeat + 1, what);
}

/// What one repeat says against itself.
void doubt_record(const Record& record, std::vector<std::string>& doubts) {
  const std::string status(name_of(record.status));
  if (record.status != Status::ok)
    doubts.push_back(fmt::format("repeat {} ({}): {}", record.repeat + 1, status, record.why));
  if (!measured(record.status)) return;
  if (!record.verification) doubts.push_back(in_repeat(record, "the result was not verified"));
  if (record.verification && !record.verification->ok())
    doubts.push_back(in_repeat(record, "the result is wrong, though the status says " + status));
  if (const auto cold = record.about.find("operands_cold"); cold != record.about.end() && *cold == false)
    doubts.push_back(in_repeat(record,
                               "its operands may have lain in the cache: they are smaller than it, or its size "
                               "is not known"));
  // Samples on two levels have no trend of their own: that is said of the case. One that was to show the trend says it.
  if (record.stats && !record.stats->modes && !record.course && std::abs(record.stats->drift) > strong_drift)
    doubts.push_back(in_repeat(record, fmt::format("the last third of its samples took {} {} than the first",
                                                   format_percent(std::abs(record.stats->drift)),
                                                   record.stats->drift > 0 ? "longer" : "less")));
}

void doubt_figures(const CaseSummary& summary, bool spread_explained, std::vector<std::string>& doubts) {
  for (const Figure& figure : summary.figures) {
    const double spread = figure.median == 0 ? 0 : (figure.high - figure.low) / std::abs(figure.median);
    const bool judges = &figure == &summary.figures.front();  // others, such as a settling time, may well differ
    if (judges && spread > wide_spread && !spread_explained)
      doubts.push_back(fmt::format("{} of the repeats lies {} apart", figure.name, format_percent(spread)));
    if (figure.share && *figure.share > ceiling_tolerance)
      doubts.push_back(fmt::format("{} is {} of its ceiling, so the ceiling is estimated too low", figure.name,
                                   format_percent(*figure.share)));
  }
}

/// Returns whether it ran at two speeds of its own, not for load from outside.
bool doubt_case(CaseSummary& summary, std::size_t expected_repeats) {
  if (summary.usable == 0) return false;  // it has no number to doubt: the reasons are listed with it
  const std::optional<TwoSpeeds> speeds = summary.record().course ? std::nullopt : two_speeds(summary);
  for (const Record* record : summary.repeats) doubt_record(*record, summary.doubts);
  for (const Record* record : summary.repeats)
    if (const auto rate = steady_rate_of(summary, *record); rate && !rate->is_normal())
      if (std::string fall = fall_text(*rate); !fall.empty()) summary.doubts.push_back(in_repeat(*record, fall));
  if (summary.repeats.size() < expected_repeats)
    summary.doubts.push_back(fmt::format("only {} of {} repeats are there", summary.repeats.size(), expected_repeats));
  if (speeds) summary.doubts.push_back(speeds->sentence);
  doubt_figures(summary, speeds && speeds->explains_spread, summary.doubts);
  return speeds && !speeds->from_outside;
}

void doubt_completeness(const json& run, RunSummary& summary) {
  if (!run.is_object()) return;
  // First, because all that follows is about another device than the reader expects.
  if (const auto problem = run.find("device_problem"); problem != run.end() && problem->is_string())
    summary.doubts.push_back(problem->get<std::string>());
  else if (run.contains("exit_code") && run["exit_code"] == 3)
    summary.doubts.emplace_back(
        "A device that is present, or was asked for, could not be used: the numbers are those of the others.");
  if (run.contains("interrupted") && run["interrupted"] == true)
    summary.doubts.emplace_back("The run was interrupted: what it had not reached is skipped.");
  summary.cut_short = !summary.doubts.empty();
}

std::vector<const Record*> usable_repeats(const CaseSummary& one) {
  std::vector<const Record*> records;
  std::copy_if(one.repeats.begin(), one.repeats.end(), std::back_inserter(records),
               [](const Record* record) { return usable(*record); });
  return records;
}

/// Conditions of every case that has a number, and of all of them together.
class RunConditions {
 public:
  explicit RunConditions(RunSummary& summary) : summary_(summary) {
    std::vector<const Record*> all;
    for (CaseSummary& one : summary.cases) {
      if (!one.measured()) continue;
      const std::vector<const Record*> records = usable_repeats(one);
      cases_.push_back({&one, conditions_of(records)});
      all.insert(all.end(), records.begin(), records.end());
    }
    whole_ = conditions_of(all);
  }

  void doubt(Condition condition) const {
    std::vector<const Hit*> hits;
    for (const Hit& each : cases_)
      if (matters(each.conditions, condition)) hits.push_back(&each);
    // The other conditions of the whole run are those of its worst case, or of nothing: a clock may differ by case.
    const bool whole = (condition == Condition::others || condition == Condition::steal) && matters(whole_, condition);
    if (hits.size() < many_cases && !whole) {
      for (const Hit* hit : hits) hit->summary->doubts.push_back(case_sentence(hit->conditions, condition));
      return;
    }
    const auto worst = std::max_element(hits.begin(), hits.end(), [&](const Hit* a, const Hit* b) {
      return badness(a->conditions, condition) < badness(b->conditions, condition);
    });
    summary_.doubts.push_back(run_sentence({.hit = hits.size(),
                                            .cases = cases_.size(),
                                            .worst = worst == hits.end() ? Conditions{} : (*worst)->conditions,
                                            .whole = whole_},
                                           condition));
  }

 private:
  struct Hit {
    CaseSummary* summary = nullptr;
    Conditions conditions{};
  };
  RunSummary& summary_;
  std::vector<Hit> cases_{};
  Conditions whole_{};
};

/// What leaves a program fewer cores than the machine has, as far as the machine card tells.
std::string limit_text(const json& machine, std::int64_t used) {
  const json& quota = part_of(part_of(part_of(machine, "cgroup"), "cpu"), "cores");
  if (quota.is_number() && std::ceil(quota.get<double>()) <= static_cast<double>(used))
    return fmt::format("a CPU quota of {:.3g}", quota.get<double>());
  const json &cpuset = part_of(part_of(machine, "cgroup"), "cpus"),
             &allowed = part_of(part_of(machine, "cpu"), "allowed");
  if (cpuset.is_string()) return "the control group allows CPUs " + cpuset.get<std::string>();
  if (allowed.is_string()) return "it may run on CPUs " + allowed.get<std::string>();
  return "a limit of the system";
}

void doubt_cores(const Document& document, RunSummary& summary) {
  const json& cores = part_of(part_of(document.machine, "cpu"), "cores");
  if (!cores.is_number_integer() || !document.devices.is_array()) return;
  for (const json& device : document.devices) {
    const json& used = part_of(device, "units");
    if (part_of(device, "backend") != "cpu" || !used.is_number_integer() || used <= 0 || used >= cores) continue;
    const auto count = used.get<std::int64_t>();
    summary.doubts.push_back(
        fmt::format("Only {} of the machine's {} cores could be used ({}): the numbers are those of {}; lift the limit "
                    "to measure the "
                    "machine.",
                    count, cores.get<std::int64_t>(), limit_text(document.machine, count),
                    count == 1 ? "one core" : "these cores"));
  }
}

std::size_t expected_repeats(const json& run, const std::string& id) {
  const json &repeats = part_of(run, "repeats"), &once = part_of(run, "once");
  if (once.is_array() && std::find(once.begin(), once.end(), id) != once.end()) return 1;
  return repeats.is_number_integer() && repeats > 0 ? repeats.get<std::size_t>() : 0;
}

void append(std::vector<std::string> more, std::vector<std::string>& to) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace

void find_doubts(const Document& document, RunSummary& summary) {
  std::size_t at_two_speeds = 0;
  for (CaseSummary& one : summary.cases)
    if (doubt_case(one, expected_repeats(document.run, one.record().id))) ++at_two_speeds;
  const RunConditions conditions(summary);
  const GpuDoubts gpus(document);
  doubt_completeness(document.run, summary);
  append(gpus.of_health(), summary.doubts);
  conditions.doubt(Condition::throttled);
  conditions.doubt(Condition::held_down);
  doubt_cores(document, summary);
  append(gpus.of_limits(), summary.doubts);
  conditions.doubt(Condition::shared_gpu);
  conditions.doubt(Condition::others);
  conditions.doubt(Condition::steal);
  if (at_two_speeds >= many_cases)
    summary.doubts.push_back(fmt::format(
        "{} of {} cases ran at two speeds: the machine switches between them, so their medians tell which came more "
        "often; the cases have both speeds and their shares.",
        at_two_speeds, summary.complete + summary.partial));
  conditions.doubt(Condition::low_clock);
  conditions.doubt(Condition::clock);
  conditions.doubt(Condition::huge_pages);
  append(gpus.of_links(), summary.doubts);
  append(gpus.of_telemetry(), summary.doubts);
  summary.notes = gpus.notes();
}

}  // namespace warpmark
