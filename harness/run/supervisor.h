// SPDX-License-Identifier: Apache-2.0
// Runs a suite: orders the work, starts workers, watches them, keeps every record, and makes the document. Opens no
// device itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/record.h"
#include "harness/core/regime.h"
#include "harness/core/status.h"
#include "harness/device/device.h"
#include "harness/run/plan.h"
#include "harness/run/process.h"
#include "harness/run/sampler_client.h"
#include "harness/run/time_budget.h"
#include "harness/store/document.h"
#include "harness/store/suite.h"

namespace warpmark {

/// Everything that decides what a run does. It is written into the journal's head, so that resuming needs the journal
/// alone.
struct RunRequest {
  std::string suite_text{};  // JSON
  std::string filter{};
  Regime regime = Regime::burst;
  int repeats = 3;
  std::uint64_t seed = 0;                // of the order
  std::optional<double> case_timeout{};  // seconds; empty: from the protocol
  double start_timeout = 60;             // seconds, for a worker to open its device and libraries
  std::filesystem::path document{};      // where the result goes
  TimeLimit limit{};                     // not in the journal: whoever resumes has another
};

/// Told what happens, while it happens: consoles are observers.
class RunObserver {
 public:
  RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;
  virtual ~RunObserver() = default;
  virtual void planned(std::size_t measurements, std::size_t done) = 0;
  virtual void begun(const std::string& id, int repeat, bool quiet) = 0;
  virtual void recorded(const Record& record) = 0;
  virtual void waiting() = 0;  // a few times a second while a case runs, except when it is quiet
};

struct RunOutcome {
  Document document{};
  ExitCode exit_code = ExitCode::done;
  bool journal_kept = false;  // something is left for --resume
  std::string unfinished{};   // why not every case was measured; empty where every one was
  std::string unended{};      // processes that are still there; empty where all have ended
  std::string problem{};      // why there is no document, and what to do; the journal has all that was measured
};

/// The journal's path for a document's path, the same with .jsonl; and the other way, the same with .json.
[[nodiscard]] std::filesystem::path journal_of(const std::filesystem::path& document);
[[nodiscard]] std::filesystem::path document_of(const std::filesystem::path& journal);

/// Starts a run: `head` has run, machine and devices as the document will have them. Throws UsageError before anything
/// is measured when the output cannot be written.
[[nodiscard]] RunOutcome start_run(const RunRequest& request, nlohmann::json head, RunObserver& observer,
                                   SamplerClient& sampler, Processes& processes = system_processes());

/// Continues the journal of a run that ended early: what it holds is not measured again. Throws UsageError when it
/// cannot be continued.
[[nodiscard]] RunOutcome resume_run(const std::filesystem::path& journal, const TimeLimit& limit,
                                    RunObserver& observer);

}  // namespace warpmark
