// SPDX-License-Identifier: Apache-2.0
#include "harness/run/supervisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include "harness/core/error.h"
#include "harness/core/instant.h"
#include "harness/measure/course.h"
#include "harness/measure/measure.h"
#include "harness/run/clock_lock.h"
#include "harness/run/continuation.h"
#include "harness/run/device_json.h"
#include "harness/run/interrupts.h"
#include "harness/run/shift_watch.h"
#include "harness/store/journal.h"

namespace warpmark {
namespace {

using nlohmann::json;
/// A worker that dies before it comes to a case may have been killed by anybody; so many of them in a row are no
/// accident.
constexpr int most_stillborn = 3;

bool is_failure(Status status) {
  return status == Status::failed || status == Status::crashed || status == Status::timeout;
}

class Supervisor {
 public:
  Supervisor(RunRequest request, JournalContent content, Journal journal, RunObserver& observer,
             const Interrupts& interrupts, Processes& processes, SamplerClient& sampler)
      : request_(std::move(request)),
        head_(std::move(content.head)),
        journal_(std::move(journal)),
        records_(std::move(content.records)),
        observer_(observer),
        interrupts_(interrupts),
        processes_(processes),
        sampler_(sampler),
        suite_(parse_suite(request_.suite_text, "the suite")),
        protocol_(protocol_in(request_.regime, suite_.protocol)),
        device_(device_from_json(head_.at("devices").at(0))),
        cases_(plan_cases(suite_, request_.filter, device_, request_.regime)),
        budget_(request_.limit, cases_, request_.repeats, protocol_, device_) {
    for (const PlannedCase& planned : cases_) by_id_.emplace(planned.id, &planned);
    for (const Record& record : records_) done_.emplace(record.id, record.repeat);
    if (request_.regime == Regime::locked) lock_.emplace(device_, FileRoot());
  }

  RunOutcome run() {
    observer_.planned(measurements_of(cases_, request_.repeats).size(), done_.size());
    const std::vector<Shift> shifts = order_shifts(cases_, request_.repeats, request_.seed);
    sampler_.begin(device_);
    std::size_t before = 0;
    do {  // once, and again for what turned out to fit into the time budget after all
      before = done_.size();
      for (const Shift& shift : shifts) run(shift);
    } while (budget_.is_given() && done_.size() > before);
    return finish();
  }

 private:
  [[nodiscard]] const PlannedCase& planned(const std::string& id) const {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) throw Error("a worker spoke of a case that is not in the plan: " + id);
    return *found->second;
  }

  [[nodiscard]] bool is_done(const MeasurementKey& key) const { return done_.contains(key); }

  /// Why nothing more would count, where only a fixed clock does.
  [[nodiscard]] std::string unlocked() const { return lock_ ? lock_->why_not() : ""; }

  void run(Shift shift) {
    const std::vector<std::string> ids = std::move(shift.ids);
    while (!interrupts_.requested() && device_lost_.empty() && unlocked().empty()) {
      shift.ids = of_now(ids, shift.repeat);
      if (shift.ids.empty()) return;
      work(shift);
    }
  }

  /// Those of a shift that are left to measure and that there is time for.
  [[nodiscard]] std::vector<std::string> of_now(const std::vector<std::string>& ids, int repeat) const {
    std::set<MeasurementKey> fits;
    if (budget_.is_given()) fits = budget_.affordable([this](const MeasurementKey& key) { return is_done(key); });
    std::vector<std::string> now;
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(now), [&](const std::string& id) {
      return budget_.is_given() ? fits.contains({id, repeat}) : !is_done({id, repeat});
    });
    return now;
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
                            .regime = request_.regime,
                            .repeat = shift.repeat,
                            .ceilings = device_.ceilings};
    conclude(shift, watch_shift(order, interrupts_, events_of(shift), processes_));
  }

  ShiftEvents events_of(const Shift& shift) {
    return {.begun =
                [this, &shift](const std::string& id) {
                  quiet_ = planned(id).benchmark->quiet;
                  sampler_.pause(quiet_);
                  begun_at_ = utc_now();
                  begun_ = TimeBudget::Clock::now();
                  observer_.begun(id, shift.repeat, quiet_);
                },
            .recorded =
                [this](const Record& record) {
                  const std::chrono::duration<double> taken = TimeBudget::Clock::now() - begun_;
                  budget_.took(record.id, taken.count(), !record.samples.seconds.empty());
                  Record with_telemetry = record;
                  sampler_.add_to(with_telemetry);
                  add_per_watt(with_telemetry);
                  if (lock_) lock_->judge(with_telemetry);
                  keep(std::move(with_telemetry));
                },
            .waiting =
                [this] {
                  if (!quiet_) observer_.waiting();
                },
            .deadline_seconds =
                [this](const std::string& id) {
                  return request_.case_timeout.value_or(deadline_seconds(planned(id), protocol_, device_));
                },
            // What is more important may have turned out to need the time that was meant for this.
            .may_begin =
                [this, &shift](const std::string& id) {
                  return unlocked().empty() && budget_.affords({id, shift.repeat}, [this](const MeasurementKey& key) {
                    return is_done(key);
                  });
                },
            .start_timeout = request_.start_timeout,
            .longest_wait = [this] { return budget_.seconds_to_cut(); }};
  }

  /// What the end of a worker means for the case that it was at, and for the device.
  void conclude(const Shift& shift, const ShiftEnd& end) {
    stillborn_ = end.has_begun ? 0 : stillborn_ + 1;
    if (end.unended) {
      device_lost_ = "its worker " + end.how;
      unended_ = unended_text(*end.unended);
    }
    if (end.kind == ShiftEnd::Kind::interrupted || end.kind == ShiftEnd::Kind::stopped) return;
    if (end.kind == ShiftEnd::Kind::unusable) {
      device_lost_ = end.how;
      // The case that took the device with it has its record already.
      if (records_.empty() || !is_failure(records_.back().status)) pay(shift, end, Status::failed, end.how);
      return;
    }
    if (!end.has_begun && (end.kind == ShiftEnd::Kind::silent || stillborn_ == most_stillborn))
      device_lost_ = "a worker that was to open it " + end.how;
    const std::string cut = end.is_cut ? fmt::format("; --time-budget {} was over", budget_.text()) : "";
    pay(shift, end, end.kind == ShiftEnd::Kind::silent ? Status::timeout : Status::crashed,
        "its worker " + end.how + cut);
  }

  /// A worker that ends before its first case would be started for ever: that case pays. Between two others, none does.
  void pay(const Shift& shift, const ShiftEnd& end, Status status, std::string why) {
    const std::string& hit = end.current.empty() ? shift.ids.front() : end.current;
    if (done_.contains({hit, shift.repeat})) return;
    Record record = unmeasured(hit, shift.repeat, std::move(why));
    record.status = status;
    if (!end.current.empty()) record.started_at = begun_at_;
    keep(std::move(record));
  }

  /// The record of a case that was not measured.
  [[nodiscard]] Record unmeasured(const std::string& id, int repeat, std::string why) const {
    const PlannedCase& p = planned(id);
    Record record = frame_record(*p.benchmark, p.at, device_,
                                 RunFrame{.protocol = protocol_, .regime = request_.regime, .repeat = repeat});
    record.status = Status::skipped;
    record.why = std::move(why);
    record.started_at.clear();
    return record;
  }

  RunOutcome finish() {
    RunOutcome outcome;
    const bool interrupted = interrupts_.requested();  // once: it may come at any moment
    outcome.exit_code = interrupted ? ExitCode::interrupted : ExitCode::done;
    outcome.unended = unended_;
    end_sampler(outcome);
    leave_out(outcome, interrupted);
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

  /// What it cost is a fact of the run: whoever doubts a number may want to know.
  void end_sampler(RunOutcome& outcome) {
    head_.at("run")["sampler"] = sampler_.usage();
    if (const auto unended = sampler_.end(); unended && outcome.unended.empty())
      outcome.unended = "the process that asks NVML cannot be ended: " + unended_text(*unended);
  }

  void deny_all(const std::vector<MeasurementKey>& missed) {
    for (const MeasurementKey& key : missed) {
      records_.push_back(unmeasured(key.first, key.second, unlocked()));
      records_.back().status = Status::denied;
    }
  }

  /// Every case that was not measured has a record that says why.
  void leave_out(RunOutcome& outcome, bool interrupted) {
    std::vector<MeasurementKey> missed = measurements_of(cases_, request_.repeats);
    std::erase_if(missed, [this](const MeasurementKey& key) { return is_done(key); });
    if (missed.empty()) return;
    if (!interrupted && device_lost_.empty() && !unlocked().empty()) return deny_all(missed);
    std::string why;
    if (interrupted) {
      outcome.unfinished = "interrupted";
      why = "the run was interrupted before it; --resume measures it";
    } else if (!device_lost_.empty()) {
      outcome.exit_code = worse(outcome.exit_code, ExitCode::incomplete);
      outcome.unfinished = fmt::format("{} can no longer be used: {}", device_.id, device_lost_);
      why = outcome.unfinished + "; when it works again, --resume measures this";
    } else {
      const std::size_t all = measurements_of(cases_, request_.repeats).size();
      outcome.unfinished =
          missed.size() == all
              ? fmt::format("none of {} measurements fits into --time-budget {}", all, budget_.text())
              : fmt::format("{} of {} measurements did not fit into --time-budget {}, the least important ones",
                            missed.size(), all, budget_.text());
      why = fmt::format("it did not fit into --time-budget {}; --resume measures it", budget_.text());
    }
    outcome.journal_kept = true;
    for (const MeasurementKey& key : missed) records_.push_back(unmeasured(key.first, key.second, why));
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
  Processes& processes_;
  SamplerClient& sampler_;
  Suite suite_;
  Protocol protocol_;
  DeviceInfo device_;
  std::vector<PlannedCase> cases_;
  TimeBudget budget_;
  std::optional<ClockLock> lock_{};  // where only a fixed clock counts
  std::set<MeasurementKey> done_{};
  std::unordered_map<std::string_view, const PlannedCase*> by_id_{};
  std::string unended_{};                  // the process that cannot be ended, in words
  std::string device_lost_{};              // why nothing can be measured any more
  int stillborn_ = 0;                      // workers in a row that came to no case
  std::string begun_at_{};                 // of the case that runs
  TimeBudget::Clock::time_point begun_{};  // the same, to measure with
  bool quiet_ = false;
};

}  // namespace

std::filesystem::path journal_of(const std::filesystem::path& document) {
  return std::filesystem::path(document).replace_extension(".jsonl");
}

std::filesystem::path document_of(const std::filesystem::path& journal) {
  return std::filesystem::path(journal).replace_extension(".json");
}

RunOutcome start_run(const RunRequest& request, json head, RunObserver& observer, SamplerClient& sampler,
                     Processes& processes) {
  head["plan"] = plan_json(request);
  const Interrupts interrupts;  // first: from the journal's first line on there is something to end properly
  Journal journal = Journal::create(journal_of(request.document), head);
  return Supervisor(request, {.head = std::move(head)}, std::move(journal), observer, interrupts, processes, sampler)
      .run();
}

RunOutcome resume_run(const std::filesystem::path& path, const TimeLimit& limit, RunObserver& observer) {
  Journal journal = Journal::reopen(path);
  JournalContent content = read_journal(path);
  SamplerClient sampler;
  RunRequest request = continued(content, path, limit);
  const Interrupts interrupts;  // nothing was begun before this: a signal ends the program as it does any other
  return Supervisor(std::move(request), std::move(content), std::move(journal), observer, interrupts,
                    system_processes(), sampler)
      .run();
}

}  // namespace warpmark
