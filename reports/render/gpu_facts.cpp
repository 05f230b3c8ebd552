// SPDX-License-Identifier: Apache-2.0
#include "reports/render/gpu_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>

#include "harness/core/units.h"
#include "harness/summary/device_readings.h"
#include "harness/summary/gpu_card.h"
#include "harness/summary/outside_json.h"

namespace warpmark {
namespace {

using nlohmann::json;

/// "GPU-5eef03a0": enough to tell cards apart, short enough to read.
std::string short_uuid(const std::string& uuid) {
  const std::size_t start = uuid.find('-');
  if (start == std::string::npos) return uuid;
  return uuid.substr(0, uuid.find('-', start + 1));
}

std::string memory_text(const json& gpu) {
  const auto bytes = number_in(part_of(gpu, "memory"), "usable_bytes");
  return bytes ? format_bytes(*bytes) + " usable" : "";
}

std::string ecc_text(const json& gpu) {
  const json& on = part_of(part_of(gpu, "ecc"), "on");
  if (!on.is_boolean()) return "";
  return on == true ? "ECC on" : "ECC off";
}

std::string power_text(const json& gpu) {
  const auto limit = number_in(part_of(gpu, "power"), "limit_w");
  const auto usual = number_in(part_of(gpu, "power"), "default_limit_w");
  if (!limit) return "";
  if (!usual) return fmt::format("power limit {:.0f} W", *limit);
  return fmt::format("power limit {:.0f} W of {:.0f} W", *limit, *usual);
}

/// A link at rest slows down, so only the most that it can be and what was seen at work are said.
std::string link_text(const json& gpu, const SeenLink* seen) {
  const json& link = part_of(gpu, "link");
  const auto generation = number_in(link, "max_generation"), width = number_in(link, "max_width");
  std::string text;
  if (generation && width) text = fmt::format("at most PCIe {:.0f} x{:.0f}", *generation, *width);
  if (seen == nullptr) return text;
  return fmt::format("PCIe {} x{} under load{}{}", seen->generation, seen->width, text.empty() ? "" : ", ", text);
}

/// What is unlike a whole card on bare metal.
std::string flavour_text(const json& gpu) {
  std::vector<std::string> parts;
  const std::string how = text_in(gpu, "virtualization");
  if (how == "passthrough") parts.emplace_back("passed through to a virtual machine");
  if (how != "passthrough" && how != "none" && !how.empty()) parts.push_back(how);
  const json& mig = part_of(gpu, "mig");
  if (part_of(mig, "on") == true) {
    const json& instances = part_of(mig, "instances");
    parts.push_back(fmt::format("MIG with {} instances", instances.is_array() ? instances.size() : 0));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What cards of one model have in common, where nothing is wrong with one of them.
std::string gpu_text(const json& gpu, const SeenLink* seen) {
  std::vector<std::string> parts;
  const std::string name = text_in(gpu, "name");
  for (std::string part : {name.empty() ? text_in(gpu, "device_id") : name, memory_text(gpu), ecc_text(gpu),
                           power_text(gpu), link_text(gpu, seen), flavour_text(gpu)})
    if (!part.empty()) parts.push_back(std::move(part));
  return fmt::format("{}", fmt::join(parts, ", "));
}

struct GpuLine {
  std::size_t place = 0;
  std::string text{}, uuid{};
};

/// Cards that are alike are one fact.
std::vector<Fact> facts_of(const std::vector<GpuLine>& gpus) {
  std::vector<Fact> facts;
  for (const GpuLine& gpu : gpus) {
    if (std::any_of(facts.begin(), facts.end(), [&](const Fact& fact) { return fact.text == gpu.text; })) continue;
    facts.push_back({.label = fmt::format("GPU {}", gpu.place), .text = gpu.text});
  }
  for (Fact& fact : facts) {
    std::vector<std::string> uuids;
    std::size_t alike = 0;
    for (const GpuLine& gpu : gpus) {
      if (gpu.text != fact.text) continue;
      ++alike;
      if (!gpu.uuid.empty()) uuids.push_back(gpu.uuid);
    }
    if (alike > 1) fact.label = fmt::format("{} GPUs", alike);
    if (gpus.size() == 1) fact.label = "GPU";
    if (!uuids.empty()) fact.text += fmt::format(" ({})", fmt::join(uuids, ", "));
  }
  return facts;
}

/// By the entry of the card: the link of each device that was seen at work.
std::map<const json*, SeenLink> links_of(const Document& document) {
  std::map<const json*, SeenLink> links;
  const std::vector<DeviceReadings> readings = device_readings(document);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const json& card = gpu_card_of(document.machine, document.devices[i]);
    if (!card.is_null() && readings[i].link) links[&card] = *readings[i].link;
  }
  return links;
}

}  // namespace

std::vector<Fact> identity_facts(const Document& document) {
  std::vector<Fact> facts = machine_facts(document.machine);
  const json& nvidia = part_of(document.machine, "nvidia");
  const json& gpus = part_of(nvidia, "gpus");
  if (gpus.is_array() && gpus.empty()) return facts;  // nobody misses NVML there
  if (const std::string why = text_in(part_of(nvidia, "nvml"), "why"); !why.empty())
    facts.push_back({.label = "NVML", .text = why});
  if (!gpus.is_array()) return facts;
  const std::map<const json*, SeenLink> links = links_of(document);
  std::vector<GpuLine> lines;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const auto link = links.find(&gpus[i]);
    std::string text = gpu_text(gpus[i], link == links.end() ? nullptr : &link->second);
    if (!text.empty())
      lines.push_back({.place = i, .text = std::move(text), .uuid = short_uuid(text_in(gpus[i], "uuid"))});
  }
  for (Fact& fact : facts_of(lines)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace warpmark
