// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/gpu_doubts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "harness/core/power_limit.h"
#include "harness/core/units.h"
#include "harness/summary/gpu_card.h"
#include "harness/summary/outside_json.h"
#include "harness/summary/xids.h"

namespace warpmark {
namespace {

using nlohmann::json;

constexpr std::size_t most_xids_told = 5;

std::string many(double count, std::string_view one, std::string_view several) {
  return fmt::format("{:.0f} {}", count, count == 1 ? one : several);
}

std::string memory_text(const DeviceReadings& readings) {
  std::vector<std::string> parts;
  if (readings.uncorrected_errors > 0)
    parts.push_back(many(readings.uncorrected_errors, "uncorrected ECC error", "uncorrected ECC errors"));
  if (readings.corrected_errors > 0)
    parts.push_back(many(readings.corrected_errors, "corrected ECC error", "corrected ECC errors"));
  if (readings.remapped_rows > 0) parts.push_back(many(readings.remapped_rows, "remapped row", "remapped rows"));
  if (parts.empty()) return {};
  const bool grave = readings.uncorrected_errors > 0 || readings.remapped_rows > 0;
  return fmt::format("The memory of {} had {} during the run: {}.", readings.device, fmt::join(parts, " and "),
                     grave ? "reset the GPU, and when they come again have it changed"
                           : "the results are right, but the memory wears; `nvidia-smi -q -d ECC` counts on");
}

const json& device_named(const Document& document, const std::string& id) {
  static const json nothing;
  for (const json& device : document.devices)
    if (text_in(device, "id") == id) return device;
  return nothing;
}

std::string worn_text(const Document& document, const DeviceReadings& readings) {
  const auto worn = worn_memory(gpu_card_of(document.machine, device_named(document, readings.device)));
  return worn ? fmt::format("{} {}.", readings.device, worn->text) : "";
}

std::string xids_text(const DeviceReadings& readings) {
  std::vector<std::string> told;
  std::string first;
  for (const auto& [xid, id] : readings.xids) {
    if (action_of_xid(xid) == XidAction::nothing || told.size() >= most_xids_told) continue;
    if (told.empty()) first = id;
    told.push_back(xid_sentence(xid));
  }
  if (told.empty()) return {};
  return fmt::format("The driver reported an error of {} while {} was measured. {}.", readings.device, first,
                     fmt::join(told, "; "));
}

std::string link_text(const SeenLink& link) {
  return fmt::format("PCIe {} x{} under load, where card and slot can do PCIe {} x{}", link.generation, link.width,
                     link.max_generation, link.max_width);
}

bool runs_in_guest(const Document& document, const DeviceReadings& readings) {
  return is_guest(document.machine, gpu_card_of(document.machine, device_named(document, readings.device)));
}

std::string joined(const std::vector<std::string>& ids) { return fmt::format("{}", fmt::join(ids, ", ")); }

/// By the sentence, so that eight cards that are alike are one line.
using ByText = std::map<std::string, std::vector<std::string>>;

}  // namespace

GpuDoubts::GpuDoubts(const Document& document) : document_(document), readings_(device_readings(document)) {}

std::vector<std::string> GpuDoubts::of_health() const {
  std::vector<std::string> doubts;
  for (const DeviceReadings& readings : readings_)
    for (std::string text : {worn_text(document_, readings), xids_text(readings), memory_text(readings)})
      if (!text.empty()) doubts.push_back(std::move(text));
  return doubts;
}

std::vector<std::string> GpuDoubts::of_limits() const {
  ByText limits;
  for (const DeviceReadings& readings : readings_) {
    const json& card = gpu_card_of(document_.machine, device_named(document_, readings.device));
    const json& power = part_of(card, "power");
    const auto limit = effective_power_limit(number_in(power, "limit_w"), number_in(power, "enforced_limit_w"));
    const auto usual = number_in(power, "default_limit_w");
    if (!below_default_limit(limit, usual)) continue;
    const bool is_enforced = limit != number_in(power, "limit_w");
    limits[fmt::format("was {} {:.0f} W, {} of the default {:.0f} W: {}, or ask the provider of a rented machine",
                       is_enforced ? "held by chassis or firmware at" : "set to", *limit,
                       format_percent(*limit / *usual), *usual,
                       is_enforced
                           ? "look at the power supplies and the firmware's settings"
                           : fmt::format("`nvidia-smi -pl {:.0f}` sets it back, where that is allowed", *usual))]
        .push_back(readings.device);
  }
  std::vector<std::string> doubts;
  for (const auto& [text, ids] : limits) doubts.push_back(fmt::format("The power limit of {} {}.", joined(ids), text));
  return doubts;
}

std::vector<std::string> GpuDoubts::of_links() const {
  ByText links;
  for (const DeviceReadings& readings : readings_)
    if (readings.link && readings.link->narrow() && !runs_in_guest(document_, readings))
      links[link_text(*readings.link)].push_back(readings.device);
  std::vector<std::string> doubts;
  for (const auto& [text, ids] : links)
    doubts.push_back(
        fmt::format("The link of {} ran at {}: copies to and from the host are slower than they could be; "
                    "look at the seat of the card, a riser, and the slot's setting in the firmware.",
                    joined(ids), text));
  return doubts;
}

std::vector<std::string> GpuDoubts::of_telemetry() const {
  std::vector<std::string> doubts;
  for (const DeviceReadings& readings : readings_)
    // A CPU's clock is read beside the samples, and many a virtual machine has nothing else to read.
    if (readings.unseen > 0 && text_in(device_named(document_, readings.device), "backend") != "cpu")
      doubts.push_back(
          fmt::format("Nobody read clock, power and temperature of {} in {} of {} records ({}): whether "
                      "something held it down there is not known.",
                      readings.device, readings.unseen, readings.records, readings.why_unseen));
  return doubts;
}

std::vector<std::string> GpuDoubts::notes() const {
  std::vector<std::string> notes;
  for (const DeviceReadings& readings : readings_) {
    if (at_power_limit(readings.held))
      notes.push_back(fmt::format(
          "{} was at its power limit{} in {} of the readings, which is normal under sustained load.", readings.device,
          readings.power_limit_w ? fmt::format(" of {:.0f} W", *readings.power_limit_w) : "",
          format_percent(readings.held.share(place_of_reason("sw_power_cap")))));
    if (readings.link && readings.link->narrow() && runs_in_guest(document_, readings))
      notes.push_back(
          fmt::format("The link of {} ran at {}. In a virtual machine that may be how the host is built: "
                      "the measured copies say what it gives.",
                      readings.device, link_text(*readings.link)));
  }
  return notes;
}

}  // namespace warpmark
