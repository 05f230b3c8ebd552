// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "harness/cli/case_label.h"
#include "harness/cli/result_table.h"
#include "harness/cli/text_layout.h"
#include "harness/core/printable.h"
#include "harness/core/units.h"
#include "harness/summary/beside_cpu.h"
#include "harness/summary/device_readings.h"
#include "harness/summary/device_verdict.h"
#include "harness/summary/launch_costs.h"
#include "harness/summary/question.h"
#include "harness/summary/steady.h"
#include "harness/summary/summary.h"
#include "harness/summary/tensor_cores.h"
#include "harness/summary/transfer_curves.h"

namespace warpmark {
namespace {

constexpr std::size_t few_cases = 30;  // more are no longer read but searched
constexpr std::size_t most_mishaps = 10;
constexpr std::size_t most_doubts = 5;
constexpr std::size_t most_losses = 4;
constexpr std::size_t longest_doubt = 600;  // its advice comes last
constexpr std::size_t longest_name = 60;    // of a device, in a line that says more

constexpr std::array by_gravity{Status::invalid, Status::failed,  Status::crashed,     Status::timeout,
                                Status::denied,  Status::skipped, Status::unsupported, Status::not_converged};

/// Not one repeat of it was begun: the run ended before.
bool is_unreached(const CaseSummary& one) {
  return std::all_of(one.repeats.begin(), one.repeats.end(), [](const Record* record) {
    return record->status == Status::skipped && record->started_at.empty();
  });
}

bool is_mishap(const CaseSummary& one) { return exit_code_of(one.status) != ExitCode::done; }

/// Whether the case counts among those of a status: a repeat that was not reached takes nothing from the others.
bool counts_as(const CaseSummary& one, Status status) {
  return one.status == status && !is_unreached(one) &&
         (status == Status::not_converged || is_mishap(one) || !one.measured());
}

Ink ink_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::keep: return Ink::good;
    case Judgement::give_back: return Ink::bad;
    default: return Ink::doubtful;
  }
}

class Summarised {
 public:
  Summarised(const Document& document, const RunSummaryOptions& options, const Terminal& terminal)
      : document_(document),
        options_(options),
        terminal_(terminal),
        runs_{summarise(document)},
        verdicts_(device_verdicts(document, run(), options.bands == nullptr ? own_bands() : *options.bands)) {}

  [[nodiscard]] std::string text() const {
    return key_numbers() + beside_cpu() + tensor_cores() + launch_costs() + transfers() + steady() + cases() +
           mishaps() + readings() + judgements() + verdict() + advice() + doubts();
  }

 private:
  [[nodiscard]] const RunSummary& run() const { return runs_.front(); }
  [[nodiscard]] bool has_devices() const { return document_.devices.size() > 1; }
  [[nodiscard]] bool shows_all() const { return options_.all || run().cases.size() <= few_cases; }

  template <class Is>
  [[nodiscard]] std::size_t count(Is&& is) const {
    return static_cast<std::size_t>(std::count_if(run().cases.begin(), run().cases.end(), std::forward<Is>(is)));
  }

  [[nodiscard]] std::string lines(std::string_view text, Ink ink = Ink::plain, std::size_t indent = 0) const {
    std::string result;
    for (const std::string& line : wrap(text, options_.columns - indent))
      result += std::string(indent, ' ') + terminal_.inked(line, ink) + "\n";
    return result;
  }

  /// What the best of a question is held against: another kernel at the same place and in the same mode. The other mode
  /// of the same kernel is no rival.
  [[nodiscard]] std::string runner_up(const CaseSummary& best) const {
    const CaseSummary* second = nullptr;
    const Record& first = best.record();
    for (const CaseSummary& one : run().cases) {
      const Record& other = one.record();
      if (&one == &best || !one.measured() || other.benchmark != first.benchmark || other.device != first.device ||
          other.at.at != first.at.at || other.at.mode != first.at.mode || arithmetic_of(other) != arithmetic_of(first))
        continue;
      if (second == nullptr || better_than(one.figures.front(), second->figures.front())) second = &one;
    }
    if (second == nullptr || second->figures.front().median == 0) return "";
    return fmt::format("{:.2f} x {}", best.figures.front().median / second->figures.front().median,
                       label_of(second->record()).kernel);
  }

  [[nodiscard]] std::string key_numbers() const {
    if (run().key_numbers.size() >= run().cases.size()) return "";  // each case is one
    std::vector<ResultRow> rows;
    for (const KeyNumber& number : run().key_numbers) {
      const CaseSummary& best = run().cases[number.best];
      rows.push_back(row_of(best, has_devices()));
      rows.back().note = runner_up(best);
    }
    return rows.empty() ? "" : result_table(rows, "best kernel", options_.columns, terminal_) + "\n";
  }

  /// "How much faster is the GPU?", of a document that has a CPU beside it.
  [[nodiscard]] std::string beside_cpu() const {
    const CpuBaseline baseline({&run()});
    std::string text;
    for (const KeyNumber& number : run().key_numbers) {
      const std::optional<BesideCpu> beside = baseline.beside(0, run().cases[number.best]);
      if (!beside) continue;
      const Record& record = beside->device->record();
      text += lines(
          fmt::format("{} {}: {}", printable(record.device), label_of(record).text(), beside_cpu_text(*beside, " x ")));
    }
    return text.empty() ? "" : text + "\n";
  }

  /// "Were the tensor cores at work?", of each GPU.
  [[nodiscard]] std::string tensor_cores() const {
    constexpr std::string_view times = " x ";
    std::string text;
    for (const TensorCores& cores : warpmark::tensor_cores(document_, run())) {
      text += lines(printable(tensor_cores_text(cores, times)));
      const std::vector<std::string> losses = tensor_core_losses(cores, times);
      for (std::size_t i = 0; i < std::min(losses.size(), most_losses); ++i)
        text += lines(printable(losses[i]), Ink::plain, 2);
      if (losses.size() > most_losses)
        text += lines(fmt::format("and {} more: see the report", losses.size() - most_losses), Ink::faint, 2);
    }
    return text.empty() ? "" : text + "\n";
  }

  /// "From what size on does work pay for its launch?"
  [[nodiscard]] std::string launch_costs() const {
    std::string text;
    for (const LaunchCosts& costs : warpmark::launch_costs(run())) text += lines(one_line(launch_costs_text(costs)));
    return text.empty() ? "" : text + "\n";
  }

  /// What is left when a device is warm, of each case that ran long enough to tell.
  [[nodiscard]] std::string steady() const {
    std::string text;
    for (const SteadyRate& rate : steady_rates(run())) {
      const std::string name =
          fmt::format("{} {}", printable(rate.record->device), printable(label_of(*rate.record).text()));
      text += lines(fmt::format("{}: {}", name, steady_text(rate)));
      if (rate.fell()) text += lines(one_line(fall_text(rate)), rate.is_normal() ? Ink::plain : Ink::doubtful, 2);
    }
    return text.empty() ? "" : text + "\n";
  }

  /// "What do copies to and from the device come to?"
  [[nodiscard]] std::string transfers() const {
    std::vector<TransferCurve> curves = transfer_curves(run());
    for (TransferCurve& curve : curves)
      for (std::string* const name : {&curve.device, &curve.direction, &curve.node, &curve.kind})
        *name = printable(*name);
    std::string text;
    for (const std::string& line : transfer_lines(curves, " x ")) text += lines(line);
    return text.empty() ? "" : text + "\n";
  }

  [[nodiscard]] std::string cases() const {
    if (!shows_all())
      return lines(
          fmt::format("{} in all; each is in the report{}, or here with --all", counted(run().cases.size(), "case"),
                      options_.report.empty() ? "" : fmt::format(" ({})", options_.report)),
          Ink::faint);
    std::vector<ResultRow> rows;
    for (const CaseSummary& one : run().cases)
      if (!is_unreached(one)) rows.push_back(row_of(one, has_devices()));
    return rows.empty() ? "" : result_table(rows, "kernel", options_.columns, terminal_);
  }

  /// Why a case has no number, or one repeat too few, of those that broke.
  [[nodiscard]] std::string mishaps() const {
    std::string text;
    std::size_t shown = 0;
    for (const CaseSummary& one : run().cases) {
      if (!is_mishap(one) || shown++ >= most_mishaps) continue;
      const auto worst = std::find_if(one.repeats.begin(), one.repeats.end(),
                                      [&one](const Record* record) { return record->status == one.status; });
      text += lines(fmt::format("{}: {}: {}", shortened(printable(one.record().id), options_.columns - 1),
                                name_of(one.status), printable((*worst)->why)),
                    Ink::bad);
    }
    if (shown > most_mishaps) text += lines(fmt::format("and {} more", shown - most_mishaps), Ink::bad);
    return text;
  }

  /// What the devices were like meanwhile, a line each.
  [[nodiscard]] std::string readings() const {
    std::string text;
    for (const DeviceReadings& each : device_readings(document_))
      if (each.any()) text += lines(fmt::format("{}: {}", printable(each.device), readings_text(each, "C")));
    return text;
  }

  /// Whether to keep each GPU; why not stands below it.
  [[nodiscard]] std::string judgements() const {
    std::string text;
    for (const DeviceVerdict& each : verdicts_) {
      text += lines(fmt::format("{}: {}, {}: {}", name_of(each.judgement), printable(each.device),
                                shortened(printable(each.name), longest_name), printable(each.basis)),
                    ink_of(each.judgement));
      for (const std::string& reason : each.reasons) text += lines(printable(reason), Ink::plain, 2);
    }
    return text;
  }

  /// What keeps the run from being all well, from the gravest down: "9 of 14 not converged".
  [[nodiscard]] std::vector<std::string> shortcomings() const {
    std::vector<std::string> parts;
    for (const Status status : by_gravity) {
      const std::size_t n = count([status](const CaseSummary& one) { return counts_as(one, status); });
      const std::string_view name = status == Status::not_converged ? "not converged" : name_of(status);
      if (n > 0) parts.push_back(fmt::format("{} {}", n, name));
    }
    if (const std::size_t n = count(repeats_differ); n > 0)
      parts.push_back(fmt::format("{} with repeats that differ", n));
    if (!parts.empty()) parts.front().insert(parts.front().find(' '), fmt::format(" of {}", run().cases.size()));
    return parts;
  }

  [[nodiscard]] std::string verdict() const {
    const Outcome outcome = outcome_of(runs_);
    const std::size_t unreached = count(is_unreached);
    std::string text = fmt::format("{} of {} measured and verified in every repeat", run().complete,
                                   counted(run().cases.size(), "case"));
    if (run().partial > 0) text += fmt::format(", {} in some", run().partial);
    if (const std::vector<std::string> parts = shortcomings(); !parts.empty())
      text += fmt::format("; {}", fmt::join(parts, ", "));
    if (const std::size_t n = run().doubt_count(); n > 0)
      text += fmt::format("; {}: see the report", counted(n, "doubt"));
    const Ink ink = outcome == Outcome::clean ? Ink::good : outcome == Outcome::doubtful ? Ink::doubtful : Ink::bad;
    return lines(text, ink) +
           (unreached == 0 ? "" : lines(fmt::format("{} not reached", counted(unreached, "case")), Ink::doubtful));
  }

  [[nodiscard]] std::string advice() const {
    std::vector<std::string> words;
    for (const Status status : by_gravity)
      if (count([status](const CaseSummary& one) { return counts_as(one, status); }) > 0)
        words.emplace_back(name_of(status));
    if (count(repeats_differ) > 0) words.emplace_back("spread");
    if (run().doubt_count() > 0) words.emplace_back("doubts");
    if (std::any_of(verdicts_.begin(), verdicts_.end(),
                    [](const DeviceVerdict& each) { return each.judgement != Judgement::keep; }))
      words.emplace_back("verdict");
    if (words.empty()) return "";
    std::string text = "what to do: warpmark explain " + words.front();
    words.erase(words.begin());
    if (!words.empty()) text += fmt::format(" (or {})", fmt::join(words, ", "));
    return lines(text);
  }

  [[nodiscard]] std::string doubts() const {
    std::string text;
    const std::vector<std::string>& all = run().doubts;
    const nlohmann::json problem = document_.run.value("device_problem", nlohmann::json());  // stands above it all
    for (std::size_t i = 0; i < std::min(all.size(), most_doubts); ++i)
      if (problem != all[i]) text += lines("doubt: " + printable(all[i], longest_doubt), Ink::doubtful);
    if (run().doubt_count() > std::min(all.size(), most_doubts) && !options_.report.empty())
      text += lines(fmt::format("every doubt, with its case: {}", options_.report));
    return text;
  }

  const Document& document_;
  const RunSummaryOptions& options_;
  const Terminal& terminal_;
  std::vector<RunSummary> runs_;
  std::vector<DeviceVerdict> verdicts_;
};

}  // namespace

std::size_t width_of(const Terminal& terminal) {
  return terminal.interactive() ? terminal.columns() : std::string::npos;
}

std::string run_summary(const Document& document, const RunSummaryOptions& options, const Terminal& terminal) {
  return Summarised(document, options, terminal).text();
}

}  // namespace warpmark
