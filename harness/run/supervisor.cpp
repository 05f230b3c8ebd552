// SPDX-License-Identifier: Apache-2.0
#include "harness/run/supervisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/core/error.h"
#include "harness/core/instant.h"
#include "harness/measure/measure.h"
#include "harness/run/continuation.h"
#include "harness/run/device_json.h"
#include "harness/run/interrupts.h"
#include "harness/run/shift_watch.h"
#include "harness/store/journal.h"

namespace warpmark {
namespace {

using nlohmann::json;
using Key = std::pair<std::string, int>;  // id and repeat: one measurement

class Supervisor {
 public:
  Supervisor(RunRequest request, JournalContent content, Journal journal, RunObserver& observer,
             const Interrupts& interrupts)
      : request_(std::move(request)),
        head_(std::move(content.head)),
        journal_(std::move(journal)),
        records_(std::move(content.records)),
        observer_(observer),
        interrupts_(interrupts),
        suite_(parse_suite(request_.suite_text, "the suite")),
        device_(device_from_json(head_.at("devices").at(0))),
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
    const WorkerOrder order{.suite = request_.suite_text,
                            .device = device_.id,
                            .filter = request_.filter,
                            .ids = shift.ids,
                            .repeat = shift.repeat,
                            .ceilings = device_.ceilings};
    const ShiftEvents events{
        .begun =
            [&](const std::string& id) {
              begun_at_ = utc_now();
              observer_.begun(id, shift.repeat, planned(id).benchmark->quiet);
              quiet_ = planned(id).benchmark->quiet;
            },
        .recorded = [&](const Record& record) { keep(record); },
        .waiting =
            [&] {
              if (!quiet_) observer_.waiting();
            },
        .deadline_seconds =
            [&](const std::string& id) {
              return request_.case_timeout.value_or(deadline_seconds(planned(id), suite_.protocol, device_));
            }};
    const ShiftEnd end = watch_shift(order, interrupts_, events);
    if (end.kind == ShiftEnd::Kind::interrupted) return;
    // A worker that ends before its first case would be started for ever: that case pays. Between two others, none
    // does.
    const std::string& hit = end.current.empty() ? shift.ids.front() : end.current;
    if (done_.contains({hit, shift.repeat})) return;
    Record record = lost(hit, shift.repeat, "its worker " + end.how);
    record.status = end.kind == ShiftEnd::Kind::silent ? Status::timeout : Status::crashed;
    if (!end.current.empty()) record.started_at = begun_at_;
    keep(std::move(record));
  }

  /// The record of a case that was not measured.
  [[nodiscard]] Record lost(const std::string& id, int repeat, std::string why) const {
    const PlannedCase& p = planned(id);
    Record record = frame_record(*p.benchmark, p.at, device_,
                                 RunFrame{.protocol = suite_.protocol, .repeat = repeat, .gates = suite_.gates});
    record.status = Status::skipped;
    record.why = std::move(why);
    record.started_at.clear();
    return record;
  }

  RunOutcome finish() {
    RunOutcome outcome;
    const bool interrupted = interrupts_.requested();  // once: it may come at any moment
    outcome.journal_kept = interrupted;
    outcome.exit_code = interrupted ? ExitCode::interrupted : ExitCode::done;
    for (const PlannedCase& p : cases_) {
      for (int repeat = 0; repeat < request_.repeats; ++repeat) {
        if (!done_.contains({p.id, repeat}))
          records_.push_back(lost(p.id, repeat, "the run was interrupted before it; --resume measures it"));
      }
    }
    for (const Record& record : records_) outcome.exit_code = worse(outcome.exit_code, exit_code_of(record.status));
    if (!head_.at("run").value("device_problem", json(nullptr)).is_null())
      outcome.exit_code = worse(outcome.exit_code, ExitCode::device);
    outcome.document = {.run = head_.at("run"),
                        .machine = head_.at("machine"),
                        .devices = head_.at("devices"),
                        .records = std::move(records_)};
    outcome.document.run["ended_at"] = utc_now();
    outcome.document.run["interrupted"] = interrupted;
    outcome.document.run["exit_code"] = static_cast<int>(outcome.exit_code);
    write(outcome);
    std::error_code kept;  // of a journal whose run is complete: no harm
    if (!outcome.journal_kept) std::filesystem::remove(journal_.path(), kept);
    return outcome;
  }

  void write(RunOutcome& outcome) const {
    try {
      if (is_taken(request_.document, outcome.document.run.at("id")))
        throw UsageError(request_.document.string() + ": somebody put another file there meanwhile; move it away");
      write_document(request_.document, outcome.document);
    } catch (const UsageError& error) {
      outcome.journal_kept = true;
      outcome.exit_code = worse(outcome.exit_code, ExitCode::usage);
      outcome.problem = fmt::format(
          "{}; everything measured is in the journal: free space, or its path, and continue with: warpmark run "
          "--resume {}",
          error.what(), journal_.path().string());
    }
  }

  RunRequest request_;
  json head_;
  Journal journal_;
  std::vector<Record> records_;
  RunObserver& observer_;
  const Interrupts& interrupts_;
  Suite suite_;
  DeviceInfo device_;
  std::vector<PlannedCase> cases_;
  std::set<Key> done_{};
  std::string begun_at_{};  // of the case that runs
  bool quiet_ = false;
};

}  // namespace

std::filesystem::path journal_of(const std::filesystem::path& document) {
  return std::filesystem::path(document).replace_extension(".jsonl");
}

std::filesystem::path document_of(const std::filesystem::path& journal) {
  return std::filesystem::path(journal).replace_extension(".json");
}

RunOutcome start_run(const RunRequest& request, json head, RunObserver& observer) {
  head["plan"] = plan_json(request);
  const Interrupts interrupts;  // first: from the journal's first line on there is something to end properly
  Journal journal = Journal::create(journal_of(request.document), head);
  return Supervisor(request, {.head = std::move(head)}, std::move(journal), observer, interrupts).run();
}

RunOutcome resume_run(const std::filesystem::path& path, RunObserver& observer) {
  const Interrupts interrupts;
  Journal journal = Journal::reopen(path);
  JournalContent content = read_journal(path);
  RunRequest request = continued(content, path);
  return Supervisor(std::move(request), std::move(content), std::move(journal), observer, interrupts).run();
}

}  // namespace warpmark
