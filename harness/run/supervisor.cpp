// SPDX-License-Identifier: Apache-2.0
#include "harness/run/supervisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/core/error.h"
#include "harness/core/instant.h"
#include "harness/measure/measure.h"
#include "harness/run/device_json.h"
#include "harness/run/interrupts.h"
#include "harness/run/run_facts.h"
#include "harness/run/shift_watch.h"
#include "harness/store/journal.h"

namespace warpmark {
namespace {

using nlohmann::json;
using Key = std::pair<std::string, int>;  // id and repeat: one measurement

json to_json(const RunRequest& request) {
  return {{"suite", request.suite_text},
          {"filter", request.filter},
          {"repeats", request.repeats},
          {"seed", request.seed},
          {"case_timeout", request.case_timeout ? json(*request.case_timeout) : json(nullptr)},
          {"document", request.document.string()}};
}

RunRequest request_from_json(const json& j) {
  RunRequest request{.suite_text = j.at("suite").get<std::string>(),
                     .filter = j.at("filter").get<std::string>(),
                     .repeats = j.at("repeats").get<int>(),
                     .seed = j.at("seed").get<std::uint64_t>(),
                     .case_timeout = std::nullopt,
                     .document = j.at("document").get<std::string>()};
  if (!j.at("case_timeout").is_null()) request.case_timeout = j.at("case_timeout").get<double>();
  return request;
}

class Supervisor {
 public:
  Supervisor(RunRequest request, json head, Journal journal, std::vector<Record> records, RunObserver& observer)
      : request_(std::move(request)), head_(std::move(head)), journal_(std::move(journal)), records_(std::move(records)), observer_(observer),
        suite_(parse_suite(request_.suite_text, "the suite")), device_(device_from_json(head_.at("devices").at(0))),
        cases_(plan_cases(suite_, request_.filter, device_)) {
    for (const Record& record : records_) done_.emplace(record.id, record.repeat);
  }

  RunOutcome run() {
    observer_.planned(cases_.size() * static_cast<std::size_t>(request_.repeats), done_.size());
    for (Shift& shift : order_shifts(cases_, request_.repeats, request_.seed)) {
      while (!interrupts_.requested() && drop_done(shift)) work(shift);
    }
    return finish();
  }

 private:
  [[nodiscard]] const PlannedCase& planned(const std::string& id) const {
    const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const PlannedCase& p) { return p.id == id; });
    if (found == cases_.end()) throw Error("a worker spoke of a case that is not in the plan: " + id);
    return *found;
  }

  /// Takes out what is measured; whether anything is left.
  bool drop_done(Shift& shift) const {
    std::erase_if(shift.ids, [&](const std::string& id) { return done_.contains({id, shift.repeat}); });
    return !shift.ids.empty();
  }

  void keep(Record record) {
    journal_.append(record);
    done_.emplace(record.id, record.repeat);
    observer_.recorded(record);
    records_.push_back(std::move(record));
  }

  void work(const Shift& shift) {
    const WorkerOrder order{.suite = request_.suite_text, .device = device_.id, .filter = request_.filter, .ids = shift.ids,
                            .repeat = shift.repeat, .ceilings = device_.ceilings};
    const ShiftEvents events{
        .begun = [&](const std::string& id) { observer_.begun(id, shift.repeat, planned(id).benchmark->quiet); quiet_ = planned(id).benchmark->quiet; },
        .recorded = [&](const Record& record) { keep(record); },
        .waiting = [&] { if (!quiet_) observer_.waiting(); },
        .deadline_seconds = [&](const std::string& id) {
          return request_.case_timeout.value_or(deadline_seconds(planned(id), suite_.protocol, device_));
        }};
    const ShiftEnd end = watch_shift(order, interrupts_, events);
    if (end.kind == ShiftEnd::Kind::interrupted) return;
    // A worker that dies between two cases would be started for ever: the next case pays.
    const std::string& hit = end.current.empty() ? shift.ids.front() : end.current;
    if (end.kind == ShiftEnd::Kind::silent) keep(lost(hit, shift.repeat, Status::timeout, fmt::format("its worker {} and was killed", end.how)));
    if (end.kind == ShiftEnd::Kind::died && !done_.contains({hit, shift.repeat}))
      keep(lost(hit, shift.repeat, Status::crashed, fmt::format("its worker died: {}", end.how)));
    if (end.kind == ShiftEnd::Kind::done && !done_.contains({shift.ids.back(), shift.repeat}))
      keep(lost(hit, shift.repeat, Status::crashed, "its worker left without a record of it"));
  }

  [[nodiscard]] Record lost(const std::string& id, int repeat, Status status, std::string why) const {
    const PlannedCase& p = planned(id);
    Record record = frame_record(*p.benchmark, p.at, device_, RunFrame{.protocol = suite_.protocol, .repeat = repeat, .gates = suite_.gates});
    record.status = status;
    record.why = std::move(why);
    return record;
  }

  RunOutcome finish() {
    RunOutcome outcome;
    outcome.journal_kept = interrupts_.requested();
    outcome.exit_code = interrupts_.requested() ? ExitCode::interrupted : ExitCode::done;
    for (const PlannedCase& p : cases_) {
      for (int repeat = 0; repeat < request_.repeats; ++repeat) {
        if (!done_.contains({p.id, repeat})) records_.push_back(lost(p.id, repeat, Status::skipped, "the run was interrupted before it; --resume measures it"));
      }
    }
    for (const Record& record : records_) outcome.exit_code = worse(outcome.exit_code, exit_code_of(record.status));
    if (!head_.at("run").at("device_problem").is_null()) outcome.exit_code = worse(outcome.exit_code, ExitCode::device);
    outcome.document = {.run = head_.at("run"), .machine = head_.at("machine"), .devices = head_.at("devices"), .records = std::move(records_)};
    outcome.document.run["ended_at"] = utc_now();
    outcome.document.run["interrupted"] = interrupts_.requested();
    outcome.document.run["exit_code"] = static_cast<int>(outcome.exit_code);
    write_document(request_.document, outcome.document);
    if (!outcome.journal_kept) std::filesystem::remove(journal_.path());
    return outcome;
  }

  RunRequest request_;
  json head_;
  Journal journal_;
  std::vector<Record> records_;
  RunObserver& observer_;
  Suite suite_;
  DeviceInfo device_;
  std::vector<PlannedCase> cases_;
  std::set<Key> done_{};
  bool quiet_ = false;
  Interrupts interrupts_{};
};

}  // namespace

std::filesystem::path journal_of(const std::filesystem::path& document) { return std::filesystem::path(document).replace_extension(".jsonl"); }

RunOutcome start_run(const RunRequest& request, json head, RunObserver& observer) {
  head["schema"] = journal_schema;
  head["plan"] = to_json(request);
  Journal journal = Journal::create(journal_of(request.document), head);
  return Supervisor(request, std::move(head), std::move(journal), {}, observer).run();
}

RunOutcome resume_run(const std::filesystem::path& path, RunObserver& observer) {
  Journal journal = Journal::reopen(path);
  JournalContent content = read_journal(path);
  RunRequest request;
  try {
    request = request_from_json(content.head.at("plan"));
  } catch (const json::exception&) {
    throw UsageError(fmt::format("{} has no plan that this version can continue; report what it holds with `warpmark report`", path.string()));
  }
  return Supervisor(std::move(request), std::move(content.head), std::move(journal), std::move(content.records), observer).run();
}

}  // namespace warpmark
