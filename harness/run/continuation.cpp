// SPDX-License-Identifier: Apache-2.0
#include "harness/run/continuation.h"

#include <fmt/format.h>

#include <system_error>

#include "harness/core/error.h"
#include "harness/run/device_json.h"
#include "harness/run/plan.h"
#include "harness/run/probe.h"
#include "harness/store/json_text.h"
#include "harness/store/suite.h"

namespace warpmark {
namespace {

using nlohmann::json;

RunRequest request_from_json(const json& j, const std::filesystem::path& journal) {
  RunRequest request{.suite_text = j.at("suite").get<std::string>(),
                     .filter = j.at("filter").get<std::string>(),
                     .repeats = j.at("repeats").get<int>(),
                     .seed = j.at("seed").get<std::uint64_t>(),
                     .case_timeout = std::nullopt,
                     .document = document_of(journal)};
  if (!j.at("case_timeout").is_null()) request.case_timeout = j.at("case_timeout").get<double>();
  return request;
}

UsageError cannot_continue(const std::filesystem::path& journal, std::string_view why) {
  return UsageError(fmt::format("{}: cannot be continued: {}", journal.string(), why));
}

/// A journal comes from anywhere: what it says may be no plan that a run has.
RunRequest plan_of(const JournalContent& content, const std::filesystem::path& journal) {
  constexpr int most_repeats = 1'000'000;  // as the schema of a suite has it
  try {
    RunRequest request = request_from_json(content.head.at("plan"), journal);
    if (content.head.at("devices").size() == 1 && request.repeats > 0 && request.repeats <= most_repeats)
      return request;
  } catch (const json::exception&) {
    throw cannot_continue(journal, "this version does not know its plan; continue it with the warpmark that wrote it");
  }
  throw cannot_continue(journal, "it has no plan that a run can have; start the run again");
}

void expect_cases(const RunRequest& request, const json& head, const std::filesystem::path& journal) {
  try {
    (void)plan_cases(parse_suite(request.suite_text, "its suite"), request.filter,
                     device_from_json(head.at("devices").at(0)));
  } catch (const UsageError& error) {
    throw cannot_continue(journal, error.what());
  }
}

/// The document's place is free, or holds what this very run wrote when it was interrupted.
void expect_own_place(const RunRequest& request, const json& head, const std::filesystem::path& journal) {
  const std::filesystem::path& document = request.document;
  if (document == journal)
    throw cannot_continue(journal, "its result would take its place; rename it to end in .jsonl");
  std::error_code ignored;
  if (!std::filesystem::exists(document, ignored)) return;
  try {
    if (read_document(document).run.at("id") == head.at("run").at("id")) return;
  } catch (const UsageError&) {  // no document: not ours
  }
  throw cannot_continue(journal, fmt::format("{} is there and is not of this run; move it away", document.string()));
}

/// Records of two machines in one document would look like one machine's.
void expect_same_device(const json& head, const std::filesystem::path& journal) {
  const DeviceInfo then = device_from_json(head.at("devices").at(0));
  for (const DeviceInfo& now : probe_devices(false).devices)
    if (now.id == then.id && now.name == then.name && now.units == then.units) return;
  throw DeviceError(fmt::format(
      "{}: cannot be continued: its device is not there: {}, {} with {} cores; continue it where it began",
      journal.string(), then.id, shown(then.name), then.units));
}

}  // namespace

json plan_json(const RunRequest& request) {
  return {{"suite", request.suite_text},
          {"filter", request.filter},
          {"repeats", request.repeats},
          {"seed", request.seed},
          {"case_timeout", request.case_timeout ? json(*request.case_timeout) : json(nullptr)}};
}

RunRequest continued(const JournalContent& content, const std::filesystem::path& journal) {
  RunRequest request = plan_of(content, journal);
  expect_cases(request, content.head, journal);
  expect_own_place(request, content.head, journal);
  expect_same_device(content.head, journal);
  return request;
}

}  // namespace warpmark
