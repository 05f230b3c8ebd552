// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/beside_cpu.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "harness/core/units.h"
#include "harness/summary/question.h"

namespace warpmark {
namespace {

bool is_cpu(const CaseSummary& one) { return one.record().at.kernel.backend == "cpu"; }

std::string distribution_of(const Record& record) {
  if (!record.data.is_object()) return "";
  const auto found = record.data.find("distribution");
  return found != record.data.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Two digits say it: repeats of a whole process differ by more than the third.
std::string ratio_digits(double ratio) {
  if (ratio < 1) return fmt::format("{:.2g}", ratio);
  return fmt::format("{:.{}f}", ratio, ratio < 9.95 ? 1 : 0);
}

/// The unit stands once where both have the same.
std::string against(const Figure& device, const Figure& cpu) {
  const std::string first = format_value(device.median, device.unit), second = format_value(cpu.median, cpu.unit);
  const std::size_t space = first.find(' '), other = second.find(' ');
  const bool same_unit =
      space != std::string::npos && other != std::string::npos && first.substr(space) == second.substr(other);
  return fmt::format("{} against {}", same_unit ? first.substr(0, space) : first, second);
}

}  // namespace

CpuBaseline::CpuBaseline(std::vector<const RunSummary*> runs) : runs_(std::move(runs)) {
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    for (const CaseSummary& one : runs_[run]->cases) {
      if (!one.measured() || !is_cpu(one)) continue;
      const CaseSummary*& best = best_[same_of(one)][run];
      if (best == nullptr || better_than(one.figures.front(), best->figures.front())) best = &one;
    }
  }
}

CpuBaseline::Same CpuBaseline::same_of(const CaseSummary& one) {
  const Record& record = one.record();
  const Figure& figure = one.figures.front();
  std::string axes;
  for (const auto& [axis, value] : record.at.at) axes.append(axis).append("=").append(text_of(value)).append("/");
  return {record.benchmark, arithmetic_of(record),   axes,        record.at.mode, record.regime,
          record.method,    distribution_of(record), figure.name, figure.unit};
}

std::optional<BesideCpu> CpuBaseline::beside_same(std::size_t run, const CaseSummary& one) const {
  const auto found = best_.find(same_of(one));
  if (found == best_.end()) return std::nullopt;
  const auto own = found->second.find(run);
  const auto& [cpu_run, cpu] = own == found->second.end() ? *found->second.begin() : *own;
  const Figure& figure = one.figures.front();
  const double other = cpu->figures.front().median;
  const double ratio = figure.better == Better::higher ? figure.median / other : other / figure.median;
  if (!std::isfinite(ratio) || ratio <= 0) return std::nullopt;
  return BesideCpu{.device = &one, .cpu = cpu, .cpu_run = cpu_run, .ratio = ratio};
}

std::optional<BesideCpu> CpuBaseline::beside(std::size_t run, const CaseSummary& best) const {
  if (is_cpu(best)) return std::nullopt;
  std::optional<BesideCpu> chosen = beside_same(run, best);
  if (chosen) return chosen;
  const Question question = question_of(best);
  for (const CaseSummary& one : runs_[run]->cases) {
    if (!one.measured() || question_of(one) != question) continue;
    const std::optional<BesideCpu> candidate = beside_same(run, one);
    if (candidate && (!chosen || better_than(one.figures.front(), chosen->device->figures.front()))) chosen = candidate;
  }
  return chosen;
}

std::string beside_cpu_text(const BesideCpu& beside, std::string_view times, std::string_view whose) {
  return fmt::format("{}{}the CPU{} ({})", ratio_digits(beside.ratio), times, whose,
                     against(beside.device->figures.front(), beside.cpu->figures.front()));
}

}  // namespace warpmark
