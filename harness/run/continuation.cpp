// SPDX-License-Identifier: Apache-2.0
#include "harness/run/continuation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>
#include <utility>

#include "build_info.h"
#include "harness/core/error.h"
#include "harness/run/device_json.h"
#include "harness/run/plan.h"
#include "harness/run/probe.h"
#include "harness/run/run_facts.h"
#include "harness/store/json_text.h"
#include "harness/store/suite.h"
#include "harness/telemetry/machine.h"

namespace warpmark {
namespace {

using nlohmann::json;

RunRequest request_from_json(const json& j, const std::filesystem::path& journal) {
  RunRequest request{.suite_text = j.at("suite").get<std::string>(),
                     .filter = j.at("filter").get<std::string>(),
                     .regime = regime_named(j.value("regime", "burst")).value_or(Regime::burst),
                     .repeats = j.at("repeats").get<int>(),
                     .seed = j.at("seed").get<std::uint64_t>(),
                     .case_timeout = std::nullopt,
                     .document = document_of(journal)};
  if (!j.at("case_timeout").is_null()) request.case_timeout = j.at("case_timeout").get<double>();
  return request;
}

/// Whether the numbers of a plan are such as a suite and the command line allow.
bool possible(const json& plan) {
  constexpr std::int64_t most_repeats = 1'000'000;
  constexpr double longest_seconds = 1e9;
  const json& repeats = plan.at("repeats");
  const json& timeout = plan.at("case_timeout");
  return regime_named(plan.value("regime", "burst")) && repeats.is_number_integer() && repeats >= 1 &&
         repeats <= most_repeats && plan.at("seed").is_number_unsigned() &&
         (timeout.is_null() || (timeout.get<double>() > 0 && timeout.get<double>() <= longest_seconds));
}

UsageError cannot_continue(const std::filesystem::path& journal, std::string_view why) {
  return UsageError(fmt::format("{}: cannot be continued: {}", journal.string(), why));
}

/// A journal comes from anywhere: what it says may be no plan that a run has.
RunRequest plan_of(const JournalContent& content, const std::filesystem::path& journal) {
  try {
    if (const json& plan = content.head.at("plan"); content.head.at("devices").size() == 1 && possible(plan))
      return request_from_json(plan, journal);
  } catch (const json::exception&) {
    throw cannot_continue(journal, "this version does not know its plan; continue it with the warpmark that wrote it");
  }
  throw cannot_continue(journal, "it has no plan that a run can have; start the run again");
}

/// A record of a case that the plan does not have, or a second one of the same, would be shown and counted.
void expect_records_of(const std::vector<PlannedCase>& cases, const RunRequest& request, const JournalContent& content,
                       const std::filesystem::path& journal) {
  const std::vector<MeasurementKey> keys = measurements_of(cases, request.repeats);
  const std::set<MeasurementKey> planned_keys(keys.begin(), keys.end());
  std::set<MeasurementKey> seen;
  std::size_t line = 1;
  for (const Record& record : content.records) {
    ++line;
    const bool planned = planned_keys.contains({record.id, record.repeat});
    if (planned && seen.emplace(record.id, record.repeat).second) continue;
    throw cannot_continue(journal,
                          fmt::format("line {} has {}, repeat {}, {}; take the line out", line, shown(record.id),
                                      record.repeat + 1, planned ? "once more" : "which is not in its plan"));
  }
}

void expect_cases(const RunRequest& request, const JournalContent& content, const std::filesystem::path& journal) {
  try {
    const DeviceInfo device = device_from_json(content.head.at("devices").at(0));
    const std::vector<PlannedCase> cases =
        plan_cases(parse_suite(request.suite_text, "its suite"), request.filter, device, request.regime);
    expect_few_enough(cases, request.repeats);
    expect_records_of(cases, request, content, journal);
  } catch (const UsageError& error) {
    if (std::string_view(error.what()).starts_with(journal.string())) throw;
    throw cannot_continue(journal, error.what());
  }
}

/// Found after hours, it would be found too late.
void expect_writable_folder(const std::filesystem::path& journal) {
  const std::filesystem::path folder = journal.has_parent_path() ? journal.parent_path() : ".";
  if (access(folder.c_str(), W_OK) != 0)
    throw cannot_continue(journal, fmt::format("its folder {} cannot be written to: {}; move it where you can write",
                                               folder.string(), std::strerror(errno)));
}

/// The document's place is free, or holds what this very run wrote when it was interrupted.
void expect_own_place(const RunRequest& request, const json& head, const std::filesystem::path& journal) {
  if (request.document == journal)
    throw cannot_continue(journal, "its result would take its place; rename it to end in .jsonl");
  if (is_taken(request.document, head.at("run").at("id")))
    throw cannot_continue(journal,
                          fmt::format("{} is there and is not of this run; move it away", request.document.string()));
}

/// Records of two builds in one document would look like one build's.
void expect_same_build(const json& head, const std::filesystem::path& journal) {
  const json& run = head.at("run");
  if (run.at("version") == build_info::version && run.at("git") == git_revision()) return;
  throw cannot_continue(
      journal, fmt::format("warpmark {} (git {}) began it, and this is {} (git {}); use that one, or "
                           "start the run again",
                           shown(run.at("version")), shown(run.at("git")), build_info::version, shown(git_revision())));
}

/// Virtual machines of one kind have devices of one name.
void expect_same_host(const json& head, const std::filesystem::path& journal) {
  const json& labels = head.at("run").at("labels");
  const json now = machine_card(FileRoot(), {.host_label = labels.value("host", "")});
  for (const char* place : {"/host/name", "/os/kernel"}) {
    const json::json_pointer at(place);
    const json& then = head.at("machine");
    if (!then.contains(at) || then.at(at) == now.at(at)) continue;
    throw cannot_continue(journal, fmt::format("it began on another machine: {} was {} and is {}; continue it there",
                                               place + 1, shown(then.at(at)), shown(now.at(at))));
  }
}

/// Of GPUs of one model each is another, and a driver may change what they do.
bool is_same_device(const DeviceInfo& a, const DeviceInfo& b) {
  const auto same_fact = [&](const char* name) { return a.facts.value(name, json()) == b.facts.value(name, json()); };
  return a.id == b.id && a.name == b.name && a.units == b.units && same_fact("uuid") && same_fact("cuda_driver");
}

/// Records of two machines in one document would look like one machine's.
void expect_same_device(const json& head, const std::filesystem::path& journal, const TimeLimit& limit) {
  const DeviceInfo then = device_from_json(head.at("devices").at(0));
  // Measuring proves that it can be used: the next case would pay for one that is still lost.
  const Probed probed = probe_devices(ProbeScope::only_named, true, then.id, means_within(limit.seconds));
  for (const DeviceInfo& now : probed.devices)
    if (is_same_device(then, now)) return;
  for (const Missing& missing : probed.missing)
    if (missing.name == then.backend || missing.name == then.id)
      throw DeviceError(fmt::format("{}: cannot be continued: {} cannot be used: {}", journal.string(), then.id,
                                    missing.unavailable.why));
  throw DeviceError(
      fmt::format("{}: cannot be continued: its device is not there: {}, {} with {} {}s, or its driver is another "
                  "now; continue it where it began, or start the run again",
                  journal.string(), then.id, shown(then.name), then.units, unit_name(then.backend)));
}

}  // namespace

json plan_json(const RunRequest& request) {
  return {{"suite", request.suite_text},
          {"filter", request.filter},
          {"regime", name_of(request.regime)},
          {"repeats", request.repeats},
          {"seed", request.seed},
          {"case_timeout", request.case_timeout ? json(*request.case_timeout) : json(nullptr)}};
}

bool is_taken(const std::filesystem::path& document, const json& run_id) {
  std::error_code ignored;
  // What is no file of anybody's, a folder say, writing will name.
  if (!std::filesystem::is_regular_file(document, ignored)) return false;
  try {
    return read_document(document).run.at("id") != run_id;
  } catch (const UsageError&) {  // no document: not ours
    return true;
  }
}

RunRequest request_in(const JournalContent& content, const std::filesystem::path& journal) {
  RunRequest request = plan_of(content, journal);
  expect_cases(request, content, journal);
  return request;
}

RunRequest continued(const JournalContent& content, const std::filesystem::path& journal, const TimeLimit& limit) {
  RunRequest request = request_in(content, journal);
  expect_writable_folder(journal);
  expect_own_place(request, content.head, journal);
  expect_same_build(content.head, journal);
  expect_same_host(content.head, journal);
  expect_same_device(content.head, journal, limit);
  request.limit = limit;
  return request;
}

}  // namespace warpmark
