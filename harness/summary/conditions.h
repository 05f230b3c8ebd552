// SPDX-License-Identifier: Apache-2.0
// What went on around the samples and speaks against them: throttling, heat, load of others, steal time, a moving
// clock, huge pages refused. It comes from Record::telemetry, where any of it may be missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "harness/core/record.h"
#include "harness/summary/gpu_conditions.h"

namespace warpmark {

/// From the gravest down: what stops the program or its device, what takes them, what slows them, what slows their
/// memory.
enum class Condition { throttled, held_down, shared_gpu, others, steal, low_clock, clock, huge_pages };

/// Of some records together. What is not known stays 0 or empty, and does not matter.
struct Conditions {
  std::int64_t periods = 0, throttled_periods = 0;  // of the CPU quota
  double throttled_seconds = 0;
  std::optional<double> others_share{}, steal_share{};  // of the time of the CPUs that were measured on
  double clock_low_hz = 0, clock_hz = 0, clock_high_hz = 0;
  double clock_max_hz = 0;                      // the highest that the device knows; of devices that are to run at it
  double huge_asked_bytes = 0, huge_bytes = 0;  // of the record with the smallest share, of those that are large enough
  bool huge_pages_off = false;                  // by the system's setting
  GpuConditions gpu{};
};

[[nodiscard]] Conditions conditions_of(std::span<const Record* const> records);

/// Whether it is more than what passes for nothing, which is:
/// - throttled: no period at all. A group is stopped until its next period, so a sample is wrong by milliseconds.
/// - held down: 1 % of the readings. A card that is cool and well fed shows none at all. Its power limit does not
/// count:
///   under sustained load every card is at it.
/// - shared GPU: one other process. It may do nothing now and wake with the next sample.
/// - others: 0.1 CPU per CPU that is measured on. The system itself needs some hundredths.
/// - steal: 2 % of the CPU time. A quiet host shows none; the suites promise medians to 0.5 to 2 %.
/// - low clock: below 65 % of the clock that the device states. A GPU at its power limit goes down to about 70 % of it
///   in matrix products; what is lower is hot, or limited by somebody.
/// - clock: 5 % between the 5th and the 95th percentile. A reading is good to about 1 %, and what is bound by computing
///   moves as the clock does.
/// - huge pages: 90 % of what was asked for. Asked in vain they cost up to 10 % of the bandwidth of large arrays; cases
///   whose launch touches 32 MiB or less are left out, because caches and the TLB hide it there.
[[nodiscard]] bool matters(const Conditions& conditions, Condition condition);

/// How bad, to find the worst of some that matter; no unit.
[[nodiscard]] double badness(const Conditions& conditions, Condition condition);

/// For the list of a case, such as "other programs took 45 % of the time of its CPUs: stop them and run again".
[[nodiscard]] std::string case_sentence(const Conditions& conditions, Condition condition);

/// For the list of a run: `hit` of `cases` cases are hit, `worst` is worst of them; `whole` is the run together. No
/// case need be hit when the whole run is: many cases are too short for a share of their own.
struct RunHit {
  std::size_t hit = 0, cases = 0;
  Conditions worst{}, whole{};
};
[[nodiscard]] std::string run_sentence(const RunHit& run, Condition condition);

}  // namespace warpmark
