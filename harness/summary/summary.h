// SPDX-License-Identifier: Apache-2.0
// What a document amounts to, without a word of layout: every case over its repeats, key numbers, doubts. Pages and
// consoles show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/store/document.h"

namespace warpmark {

/// One metric of a case over those of its repeats that were measured and verified.
struct Figure {
  std::string name{};
  std::string unit{};
  Better better = Better::higher;
  double median = 0, low = 0, high = 0;  // over repeats; never over the samples of one
  std::optional<double> ceiling{};
  std::string ceiling_source{};            // kind and derivation, or why there is none
  std::optional<double> share{};           // median over repeats of the share of the ceiling
  std::optional<double> share_at_clock{};  // the same, of what the probe reached
};

/// Share of the median: repeats that lie further apart than two machines of the same kind usually do say little about
/// this one.
inline constexpr double wide_spread = 0.10;

/// The records of one id. They are borrowed: the document has to outlive the summary.
struct CaseSummary {
  std::vector<const Record*> repeats{};
  std::vector<Figure> figures{};  // the one to show first in front; none where nothing was measured
  std::size_t usable = 0;         // repeats that were measured and verified and left a number
  Status status = Status::ok;     // the gravest of all repeats
  std::vector<std::string> doubts{};

  [[nodiscard]] const Record& record() const { return *repeats.front(); }
  [[nodiscard]] bool complete() const { return usable == repeats.size(); }
  [[nodiscard]] bool measured() const { return usable > 0; }
};

/// The best case of one benchmark, device, type and place (a word on an axis, such as footprint=memory).
struct KeyNumber {
  std::size_t best = 0;  // index of a case
  std::size_t of = 0;    // how many cases it was chosen from
};

struct RunSummary {
  std::vector<CaseSummary> cases{};  // by device, benchmark and size, whatever order they were measured in
  std::vector<KeyNumber> key_numbers{};
  std::optional<std::size_t> lowest_share{};  // index of the key number with the lowest share of its ceiling
  std::vector<std::string> doubts{};          // about the run as a whole, from the gravest down
  std::vector<std::string> notes{};           // what a reader has to know of the run, and that is no doubt
  bool cut_short = false;                     // interrupted, or a device that is there was left out
  std::size_t complete = 0;                   // cases with every repeat measured and verified
  std::size_t partial = 0;                    // with some
  std::size_t missing = 0;                    // with none

  [[nodiscard]] std::size_t doubt_count() const;
};

/// Whether a record's number may be used: it was measured and its result was checked and found right.
[[nodiscard]] bool usable(const Record& record);

[[nodiscard]] RunSummary summarise(const Document& document);

/// Several runs together.
struct Totals {
  std::size_t complete = 0, partial = 0, missing = 0, doubts = 0;
  const CaseSummary* lowest_share = nullptr;  // of the key numbers; null where nothing has a ceiling

  [[nodiscard]] std::size_t cases() const { return complete + partial + missing; }
};
[[nodiscard]] Totals totals_of(const std::vector<RunSummary>& runs);

/// The gravest state that a reader has to know of.
enum class Outcome { clean, doubtful, incomplete, nothing };
[[nodiscard]] Outcome outcome_of(const std::vector<RunSummary>& runs);

}  // namespace warpmark
