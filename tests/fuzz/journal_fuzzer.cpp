// SPDX-License-Identifier: Apache-2.0
// Journals: reading one, reading what is left of it after a crash, writing on, and what it says of the run to continue.
#include <algorithm>
#include <functional>
#include <string>

#include "harness/run/continuation.h"
#include "harness/run/device_json.h"
#include "harness/run/plan.h"
#include "harness/store/journal.h"
#include "harness/store/json_text.h"
#include "tests/fuzz/expectation.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/memory_file.h"

namespace warpmark {
namespace {

using nlohmann::json;

std::optional<JournalContent> content_in(const MemoryFile& file) {
  return unless_refused([&] { return read_journal(file.path()); });
}

bool is_reopened(const MemoryFile& file) {
  return unless_refused([&] { return Journal::reopen(file.path()); }).has_value();
}

/// A crash leaves a journal cut anywhere: whoever has its first line has every whole line after it.
void expect_whole_lines_when_cut(std::string_view text) {
  const std::size_t head = text.find('\n') + 1;
  const std::size_t cut = head + std::hash<std::string_view>()(text) % (text.size() - head + 1);
  const std::string_view left = text.substr(0, cut);
  const auto content = content_in(MemoryFile(left));
  expect(content.has_value(), "a journal that is cut off behind its first line is a journal");
  const auto lines = std::count(left.begin(), left.end(), '\n');
  expect(content->records.size() + 1 == static_cast<std::size_t>(lines), "a cut costs no more than the line it hits");
}

void expect_to_be_written_on(const MemoryFile& file, const JournalContent& content) {
  Record record;
  if (!content.records.empty()) record = content.records.front();
  {
    Journal journal = Journal::reopen(file.path());
    if (content.records.empty()) return;
    journal.append(record);
  }
  const auto longer = content_in(file);
  expect(longer && longer->records.size() == content.records.size() + 1, "a journal takes one more record");
  expect(to_json(longer->records.back()) == to_json(record), "a record is the same once it is written");
}

void expect_the_plan_back(const RunRequest& request, const json& plan) {
  const json again = plan_json(request);
  for (const auto& [key, value] : again.items()) {
    const auto before = plan.find(key);
    if (before == plan.end() && key == "regime") continue;  // plans of the first versions have none
    expect(before != plan.end() && *before == value, "a plan is the same once it is written, in its " + key);
  }
}

void expect_every_measurement_once(const RunRequest& request, const DeviceInfo& device) {
  constexpr std::size_t most = 2000;  // ordering more takes long under a sanitizer
  const Suite suite = parse_suite(request.suite_text, "its suite");
  const std::vector<PlannedCase> cases = plan_cases(suite, request.filter, device, request.regime);
  const std::size_t measurements = cases.size() * static_cast<std::size_t>(request.repeats);
  if (measurements > most) return;
  std::size_t ordered = 0;
  for (const Shift& shift : order_shifts(cases, request.repeats, request.seed)) ordered += shift.ids.size();
  expect(ordered == measurements, "a shift measures each case, in each repeat");
}

}  // namespace

bool fuzz(std::string_view input) {
  const MemoryFile file(input);
  const auto content = content_in(file);
  // Every reading holds each line against its schema, which takes longest: one of several inputs is read again.
  const std::size_t turn = input.size() % 3;
  if (!content && turn == 0) {
    expect(!is_reopened(file), "what cannot be read is not written on");
    expect(file.text() == input, "what is no journal stays as it is");
  }
  if (!content) return false;
  if (turn == 1) expect_whole_lines_when_cut(input);
  if (turn == 2) expect_to_be_written_on(file, *content);
  const auto request = unless_refused([&] { return request_in(*content, "run.jsonl"); });
  if (!request) return false;
  expect_the_plan_back(*request, content->head.at("plan"));
  expect_every_measurement_once(*request, device_from_json(content->head.at("devices").at(0)));
  return true;
}

}  // namespace warpmark
