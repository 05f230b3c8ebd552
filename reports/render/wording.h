// SPDX-License-Identifier: Apache-2.0
// The words that every format shares: names of metrics and sizes, ranges, times, counts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/record.h"
#include "harness/summary/summary.h"

namespace warpmark {

/// "flop_rate" is "Floating-point rate", "some_metric" is "Some metric".
[[nodiscard]] std::string title_of_metric(std::string_view metric);
/// "gemv" is "Matrices times a vector", "some_family" is "Some family".
[[nodiscard]] std::string title_of_family(std::string_view family);
/// An axis that counts bytes reads "32 KiB"; other values stand as they are.
[[nodiscard]] std::string axis_text(std::string_view axis, const AxisValue& value);
/// "onednn, f32, n 1024, batch": what tells the cases of one benchmark and device apart.
[[nodiscard]] std::string case_text(const Record& record);
/// "23.1 – 23.3 GB/s"; one number where both ends read the same.
[[nodiscard]] std::string range_text(double low, double high, std::string_view unit);
/// "2026-11-30T05:30:00Z" is "2026-11-30 05:30:00 UTC"; anything else stands as it is.
[[nodiscard]] std::string time_text(std::string_view iso8601);
/// Seconds from one such time to another; not a number where either is something else.
[[nodiscard]] double seconds_between(std::string_view from, std::string_view to);
/// "1 case", "3 cases".
[[nodiscard]] std::string count_text(std::size_t count, std::string_view singular);
/// The share of a ceiling, or "none" and the reason in `ceiling_source`.
[[nodiscard]] std::string share_text(const Figure& figure);
/// Why a case has no number: the distinct reasons of its repeats.
[[nodiscard]] std::string reasons_text(const CaseSummary& summary);
/// One sentence: how much was measured, verified, and what to doubt.
[[nodiscard]] std::string verdict_text(const std::vector<RunSummary>& runs);
/// "8 of 14 cases measured and verified, 3 more in some repeats only, 3 not measured."
[[nodiscard]] std::string measured_text(const Totals& totals);
/// One sentence that sums up the doubts about cases; those about the run stand in `doubts` of the summary.
[[nodiscard]] std::string doubts_text(const RunSummary& run);
/// "not_converged" is "not converged".
[[nodiscard]] std::string status_text(Status status);
[[nodiscard]] std::string_view outcome_text(Outcome outcome);
/// What the outcome means, as a sentence.
[[nodiscard]] std::string_view outcome_meaning(Outcome outcome);
/// "gemm on cpu:0: onednn, f32, n 1024, batch".
[[nodiscard]] std::string full_case_text(const Record& record);

}  // namespace warpmark
