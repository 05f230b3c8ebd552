// SPDX-License-Identifier: Apache-2.0
// The documents of a report side by side: each with a letter, their cases and key numbers joined, ratios to the first.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/summary/device_verdict.h"
#include "harness/summary/summary.h"
#include "reports/render/report.h"

namespace warpmark {

/// One document and what it amounts to. The document is borrowed.
struct Result {
  std::string letter{};  // "A", "B", ... "Z", "AA": unlike names, no two are alike
  std::string name{};    // of its devices
  std::string source{};  // the file's name, where it is known
  const Document* document = nullptr;
  RunSummary run{};
  std::vector<DeviceVerdict> verdicts{};  // of its GPUs
};

[[nodiscard]] std::vector<Result> results_of(std::span<const Document> documents, const ReportOptions& options);
[[nodiscard]] std::vector<RunSummary> runs_of(const std::vector<Result>& results);

/// One id, and its case in each result; null where a result does not have it.
struct JoinedCase {
  std::vector<const CaseSummary*> cases{};

  [[nodiscard]] const CaseSummary& first() const;
  [[nodiscard]] bool measured() const;
};
/// In the order of the first result; what only later ones have comes after.
[[nodiscard]] std::vector<JoinedCase> joined_cases(const std::vector<Result>& results);

/// A key number of a result, with what it was chosen from.
struct KeyAnswer {
  const CaseSummary* best = nullptr;
  std::vector<std::string> variants{};  // that were measured for it in its mode, by name
  std::string beside_cpu{};             // "62× the CPU (3.90 TB/s against 62.6 GB/s)"; empty where no CPU did the same
};

/// One question, such as the triad bandwidth of f64 from main memory, and each result's answer to it.
struct KeyRow {
  std::string question{};
  std::string place{};    // "main memory", "best of 5 cases"
  bool headline = false;  // to show first: main memory in the widest type, matrix products in every type
  std::vector<std::optional<KeyAnswer>> answers{};
};
/// Devices count as the same where no result has more than one, so that a CPU can stand beside a GPU.
[[nodiscard]] std::vector<KeyRow> key_rows(const std::vector<Result>& results);

/// The figure of that name; null where the case has none.
[[nodiscard]] const Figure* figure_named(const CaseSummary* summary, std::string_view metric);
/// How many times as good as the first: above 1 is better, whichever way the metric counts. Nothing where the two do
/// not compare: one is missing, or their mode, method or unit differs.
[[nodiscard]] std::optional<double> ratio_to(const CaseSummary* first, const CaseSummary* other,
                                             std::string_view metric);
/// "cuda:0 memory/triad f64, main memory: 62× the CPU (3.90 TB/s against 62.6 GB/s)", for every key number that has it.
[[nodiscard]] std::vector<std::string> beside_cpu_lines(const std::vector<Result>& results);

/// "Were the tensor cores at work?", of a GPU, and the products in which they gain little.
struct TensorCoreNote {
  std::string line{};
  std::vector<std::string> losses{};
};
[[nodiscard]] std::vector<TensorCoreNote> tensor_core_notes(const std::vector<Result>& results);
/// From what size on work pays for its launch, of each device whose launches were measured.
[[nodiscard]] std::vector<std::string> launch_cost_lines(const std::vector<Result>& results);
/// What copies between host and device come to over their sizes (harness/summary/transfer_curves.h).
[[nodiscard]] std::vector<std::string> transfer_notes(const std::vector<Result>& results);
/// "1.07×", or nothing.
[[nodiscard]] std::string ratio_text(std::optional<double> ratio);

}  // namespace warpmark
