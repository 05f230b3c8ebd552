// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/device_verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "harness/core/power_limit.h"
#include "harness/core/units.h"
#include "harness/summary/device_readings.h"
#include "harness/summary/gpu_card.h"
#include "harness/summary/judged_numbers.h"
#include "harness/summary/outside_json.h"
#include "harness/summary/xids.h"

namespace warpmark {
namespace {

using nlohmann::json;

// Those after which a card is not to be trusted, and of those that NVIDIA has for information the ones that tell of
// memory that wears.
constexpr std::array grave_xids{48, 64, 74, 79, 95, 119, 120};
constexpr std::array telling_xids{63, 92, 94};
constexpr std::size_t most_numbers_told = 3;

using Cases = std::vector<const CaseSummary*>;

template <class List>
bool is_in(const List& list, int xid) {
  return std::find(list.begin(), list.end(), xid) != list.end();
}

std::string counted(double count, std::string_view what) {
  return fmt::format("{:.0f} {}{}", count, what, count == 1 ? "" : "s");
}

std::string numbers_text(std::size_t count) { return counted(static_cast<double>(count), "number"); }

/// A part of a card: what is derived from clocks and widths is the whole card's.
bool is_slice(const json& device, const json& card) {
  return text_in(device, "name").find(" MIG ") != std::string::npos ||
         text_in(part_of(device, "facts"), "uuid").starts_with("MIG-") || part_of(part_of(card, "mig"), "on") == true ||
         text_in(card, "virtualization") == "vgpu";
}

class Judge {
 public:
  Judge(const json& machine, const json& device, const Cases& cases, DeviceReadings readings, const BandTable& bands)
      : cases_(cases),
        device_(device),
        machine_(machine),
        card_(gpu_card_of(machine, device)),
        readings_(std::move(readings)),
        is_slice_(is_slice(device, card_)) {
    const GpuBands* const found = bands.find(text_in(device, "name"));
    // In MIG mode a card's name may be the whole one's, and its bands are not the slice's.
    if (found != nullptr && !(is_slice_ && part_of(part_of(card_, "mig"), "on") == true && !says_slice(device)))
      reference_.bands = found;
    reference_.ceilings_hold = !is_slice_;
    numbers_ = judged_numbers(cases, device, reference_);
  }

  [[nodiscard]] DeviceVerdict verdict() {
    weigh_errors();
    weigh_card();
    weigh_circumstances();
    weigh_numbers();
    weigh_beyond();
    const bool is_bad = !grave_.empty() || !lesser_.empty();
    const bool is_enough = weigh_coverage();
    DeviceVerdict verdict{.device = text_in(device_, "id"), .name = text_in(device_, "name"), .basis = basis()};
    verdict.judgement = !grave_.empty() ? Judgement::give_back
                        : is_bad        ? Judgement::check
                        : is_enough     ? Judgement::keep
                                        : Judgement::cannot_say;
    verdict.reasons = std::move(grave_);
    verdict.reasons.insert(verdict.reasons.end(), lesser_.begin(), lesser_.end());
    return verdict;
  }

 private:
  static bool says_slice(const json& device) { return text_in(device, "name").find(" MIG ") != std::string::npos; }

  void weigh_errors() {
    for (const auto& [xid, id] : readings_.xids) {
      if (is_in(grave_xids, xid)) grave_.push_back(fmt::format("{} (in {})", xid_sentence(xid), id));
    }
    if (readings_.uncorrected_errors > 0)
      grave_.push_back(fmt::format("its memory had {} during the run",
                                   counted(readings_.uncorrected_errors, "uncorrected ECC error")));
    if (const std::size_t wrong = count([](const Record& r) { return r.verification && !r.verification->ok(); });
        wrong > 0)
      lesser_.push_back(fmt::format("{} of its results {} wrong: run again, and when it comes again, return it", wrong,
                                    wrong == 1 ? "is" : "are"));
    for (const auto& [xid, id] : readings_.xids)
      if (!is_in(grave_xids, xid) && (action_of_xid(xid) != XidAction::nothing || is_in(telling_xids, xid)))
        lesser_.push_back(fmt::format("{} (in {})", xid_sentence(xid), id));
    if (readings_.remapped_rows > 0)
      lesser_.push_back(fmt::format("its memory had {} during the run: reset the GPU and run again",
                                    counted(readings_.remapped_rows, "remapped row")));
    if (readings_.corrected_errors > 0)
      lesser_.push_back(fmt::format("its memory had {} during the run: results are right, but the memory wears",
                                    counted(readings_.corrected_errors, "corrected ECC error")));
  }

  /// What the card said of itself before the run, and how it is joined to the machine.
  void weigh_card() {
    if (const auto worn = worn_memory(card_)) (worn->is_failed ? grave_ : lesser_).push_back("it " + worn->text);
    if (readings_.link && readings_.link->narrow() && !is_guest(machine_, card_))
      lesser_.push_back(
          fmt::format("its link ran at PCIe {} x{} under load, where card and slot can do {} x{}: look at "
                      "its seat, or ask the provider",
                      readings_.link->generation, readings_.link->width, readings_.link->max_generation,
                      readings_.link->max_width));
    const json& nvlink = part_of(card_, "nvlink");
    const auto links = number_in(nvlink, "links"), active = number_in(nvlink, "active");
    if (links && active && *active < *links)
      lesser_.push_back(fmt::format("only {:.0f} of its {:.0f} NVLinks are up: products of several GPUs will be slower",
                                    *active, *links));
  }

  /// What makes numbers low that is not the card's fault comes before them.
  void weigh_circumstances() {
    if (readings_.held.foreign_processes > 0) {
      is_explained_ = true;
      lesser_.emplace_back("other processes were on the GPU: stop them and run again");
    }
    const json& power = part_of(card_, "power");
    const auto limit = effective_power_limit(number_in(power, "limit_w"), number_in(power, "enforced_limit_w"));
    if (const auto below = below_default_limit(limit, number_in(power, "default_limit_w"))) {
      is_explained_ = true;
      lesser_.push_back(fmt::format("its power limit was set to {} of the default: set it back, or ask the provider",
                                    format_percent(1 - *below)));
    }
    if (const auto held = held_down(readings_.held); held && held->share > least_held_share)
      lesser_.push_back(held_down_sentence(*held, "its clock"));
  }

  void weigh_numbers() {
    std::vector<const JudgedNumber*> low;
    for (const JudgedNumber& number : numbers_)
      if (number.reached() < 1) low.push_back(&number);
    std::stable_sort(low.begin(), low.end(),
                     [](const JudgedNumber* a, const JudgedNumber* b) { return a->reached() < b->reached(); });
    std::vector<std::string>& reasons = are_bad(low) ? grave_ : lesser_;
    for (std::size_t i = 0; i < std::min(low.size(), most_numbers_told); ++i) reasons.push_back(low_text(*low[i]));
    if (low.size() > most_numbers_told)
      reasons.push_back(fmt::format("{} more below what is usual", numbers_text(low.size() - most_numbers_told)));
  }

  [[nodiscard]] bool are_bad(const std::vector<const JudgedNumber*>& low) const {
    if (is_explained_ || numbers_.size() < least_judged) return false;
    const auto well = static_cast<std::size_t>(std::count_if(
        low.begin(), low.end(), [](const JudgedNumber* number) { return number->reached() < well_below; }));
    const bool is_far = std::any_of(low.begin(), low.end(), [](const JudgedNumber* number) {
      return number->band != nullptr && number->reached() < far_below;  // a share is a rule of thumb
    });
    return is_far || (well >= least_judged && 2 * well >= numbers_.size());
  }

  void weigh_beyond() {
    for (const JudgedNumber& number : numbers_)
      if (number.band != nullptr && number.beyond() > 1)
        lesser_.push_back(fmt::format(
            "{}: {} is {} better than its band ({}): another card than its name says, or the "
            "band is old",
            number.label(), value_text(number), format_percent(number.beyond() - 1), source_text(*number.band)));
    if (const std::size_t invalid = count([](const Record& record) { return record.status == Status::invalid; });
        invalid > 0)
      lesser_.push_back(fmt::format("{} of its numbers cannot be right (`warpmark explain invalid`)", invalid));
  }

  /// Whether there is enough to say that a card is well; else the reason why not.
  [[nodiscard]] bool weigh_coverage() {
    std::size_t wanted = 0, usable = 0;
    for (const CaseSummary* one : cases_) {
      if (one->status != Status::unsupported && one->status != Status::denied) ++wanted;
      if (one->measured()) ++usable;
    }
    if (2 * usable < wanted)
      lesser_.push_back(fmt::format("only {} of {} cases have a number that may be used", usable, wanted));
    if (numbers_.size() < least_judged)
      lesser_.push_back(fmt::format("only {} can be held against something, and {} are needed: {}",
                                    numbers_text(numbers_.size()), least_judged,
                                    is_slice_ ? "a slice of a card needs bands of its own (`warpmark explain bands`)"
                                              : "measure more, such as the suite standard"));
    return 2 * usable >= wanted && numbers_.size() >= least_judged;
  }

  template <class Is>
  [[nodiscard]] std::size_t count(Is&& is) const {
    std::size_t count = 0;
    for (const CaseSummary* one : cases_)
      for (const Record* record : one->repeats)
        if (is(*record)) ++count;
    return count;
  }

  [[nodiscard]] static std::string value_text(const JudgedNumber& number) {
    return format_value(number.figure->median, number.figure->unit);
  }

  [[nodiscard]] static std::string source_text(const Band& band) {
    return fmt::format("{} to {}, {}, {}", format_value(band.low, band.unit), format_value(band.high, band.unit),
                       band.source, band.date);
  }

  [[nodiscard]] static std::string low_text(const JudgedNumber& number) {
    if (number.band == nullptr)
      return fmt::format("{}: {} is {} of its derived ceiling; {} and more is usual", number.label(),
                         value_text(number), format_percent(*number.figure->share),
                         format_percent(number.low / *number.figure->ceiling));
    return fmt::format("{}: {} is {} worse than its band ({})", number.label(), value_text(number),
                       format_percent(1 - number.reached()), source_text(*number.band));
  }

  [[nodiscard]] std::string basis() const {
    const auto banded = static_cast<std::size_t>(std::count_if(
        numbers_.begin(), numbers_.end(), [](const JudgedNumber& number) { return number.band != nullptr; }));
    const std::size_t shares = numbers_.size() - banded;
    std::vector<std::string> parts;
    if (reference_.bands == nullptr)
      parts.emplace_back(is_slice_ ? "a slice of a card, for which there is no reference"
                                   : "there is no reference for this model");
    if (banded > 0)
      parts.push_back(fmt::format("{} held against the bands of {}{}", numbers_text(banded), reference_.bands->model,
                                  reference_.bands->file.empty() ? "" : " in " + reference_.bands->file));
    if (shares > 0)
      parts.push_back(
          fmt::format("{} against the usual share of the derived ceiling ({:.0f} % of memory's, {:.0f} % of "
                      "arithmetic's)",
                      numbers_text(shares), 100 * usual_memory_share, 100 * usual_arithmetic_share));
    if (numbers_.empty()) parts.emplace_back("no number could be held against anything");
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  const Cases& cases_;
  const json& device_;
  const json& machine_;
  const json& card_;
  DeviceReadings readings_;
  bool is_slice_;
  Reference reference_{};
  std::vector<JudgedNumber> numbers_{};
  bool is_explained_ = false;
  std::vector<std::string> grave_{}, lesser_{};
};

}  // namespace

std::string_view name_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::keep: return "KEEP";
    case Judgement::check: return "CHECK";
    case Judgement::give_back: return "RETURN";
    case Judgement::cannot_say: return "CANNOT SAY";
  }
  return "?";
}

std::vector<DeviceVerdict> device_verdicts(const Document& document, const RunSummary& run, const BandTable& bands) {
  std::vector<DeviceVerdict> verdicts;
  if (!document.devices.is_array()) return verdicts;
  std::map<std::string, Cases> cases;
  for (const CaseSummary& one : run.cases) cases[one.record().device].push_back(&one);
  std::vector<DeviceReadings> readings = device_readings(document);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const json& device = document.devices[i];
    if (text_in(device, "backend") == "cpu" && bands.find(text_in(device, "name")) == nullptr) continue;
    const Cases& measured = cases[readings[i].device];
    verdicts.push_back(Judge(document.machine, device, measured, std::move(readings[i]), bands).verdict());
  }
  return verdicts;
}

std::string verdict_line(const DeviceVerdict& verdict) {
  return fmt::format("{}, {}: {}", verdict.device, verdict.name, verdict.basis);
}

}  // namespace warpmark
