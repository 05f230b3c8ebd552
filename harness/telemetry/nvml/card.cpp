// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/nvml/card.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/telemetry/nvml/card_parts.h"
#include "harness/telemetry/nvml/devices.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

/// A GPU's handle, or why there is none.
struct Found {
  Answer<Device> handle{};
  json pci = nullptr;
};

/// A library answers any bytes; JSON holds UTF-8 only. Bad bytes become U+FFFD.
json with_valid_text(const json& card) { return json::parse(card.dump(-1, ' ', true, json::error_handler_t::replace)); }

std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

json about_library(const Opened& opened, json& denied) {
  const Functions& ask_of = opened.functions;
  Members members("nvml", denied);
  if (opened.path.empty()) {
    members.unknown("path", opened.problem.empty() ? "the loader does not say" : opened.problem);
  } else {
    members.known("path", opened.path);
  }
  if (!opened.problem.empty()) {
    for (const char* name : {"version", "driver_version", "cuda_version"}) members.unknown(name, opened.problem);
  } else {
    members.put("version", ask_text(ask_of.SystemGetNVMLVersion, version_bytes));
    members.put("driver_version", ask_text(ask_of.SystemGetDriverVersion, version_bytes));
    members.put("cuda_version", ask<int>(ask_of.SystemGetCudaDriverVersion_v2), cuda_version);
  }
  members.known("why", opened.problem.empty() ? json(nullptr) : json(opened.problem));
  return members.whole();
}

std::vector<Found> find_gpus(const Functions& functions, json& denied) {
  const Devices all = devices(functions);
  if (!all.why_none.empty()) denied.push_back({{"what", "gpus"}, {"why", all.why_none}});
  std::vector<Found> found;
  for (const Answer<Device>& handle : all.handles) found.push_back({.handle = handle});
  return found;
}

json unreachable(const std::string& what, const std::string& why, json& denied) {
  Members members(what, denied);
  for (const std::string& name : gpu_members()) members.unknown(name, why);
  return members.whole();
}

json gpu_card(const Asked& gpu) {
  Members members(gpu.what, gpu.denied);
  put_identity(gpu, members);
  put_modes(gpu, members);
  members.known("pci_ids", pci_ids(gpu));
  members.known("board", board(gpu));
  members.known("memory", memory(gpu));
  members.known("ecc", ecc(gpu));
  members.known("remapped_rows", remapped_rows(gpu));
  members.known("power", power(gpu));
  members.known("clocks", clocks(gpu));
  members.known("temperature", temperature(gpu));
  members.known("utilization", utilization(gpu));
  members.known("link", link(gpu));
  members.known("nvlink", nvlink(gpu));
  members.known("mig", mig(gpu));
  members.known("processes", processes(gpu));
  return members.whole();
}

/// Those that can be asked, without number `own`.
std::vector<Peer> others_of(const std::vector<Found>& found, std::size_t own) {
  std::vector<Peer> others;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i != own && found[i].handle.value) others.push_back({.device = *found[i].handle.value, .pci = found[i].pci});
  return others;
}

json all_gpus(const Functions& functions, json& denied) {
  std::vector<Found> found = find_gpus(functions, denied);
  json gpus = json::array();
  const auto asked = [&](std::size_t i) {
    return Asked{functions, *found[i].handle.value, "gpus." + std::to_string(i), denied};
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Answer<Device>& handle = found[i].handle;
    gpus.push_back(handle.value ? gpu_card(asked(i)) : unreachable("gpus." + std::to_string(i), handle.why, denied));
    gpus[i]["index"] = i;
    found[i].pci = gpus[i]["pci"];
  }
  for (std::size_t i = 0; i < found.size(); ++i)  // once the address of each is known
    if (found[i].handle.value) gpus[i]["peers"] = peers(asked(i), others_of(found, i));
  return gpus;
}

}  // namespace

json Members::whole() {
  for (const Unknown& each : unknown_) denied_.push_back({{"what", what_ + '.' + each.name}, {"why", each.why}});
  return object_;
}

json Members::section() {
  if (!nothing_for_one_reason()) return whole();
  denied_.push_back({{"what", what_}, {"why", unknown_.front().why}});
  return nullptr;
}

bool Members::nothing_for_one_reason() const {
  return !unknown_.empty() && unknown_.size() == object_.size() &&
         std::all_of(unknown_.begin(), unknown_.end(),
                     [&](const Unknown& each) { return each.code == unknown_.front().code; });
}

json card(const Opened& opened) {
  json denied = json::array();
  json result{{"nvml", about_library(opened, denied)}, {"gpus", json::array()}};
  if (opened.problem.empty()) result["gpus"] = all_gpus(opened.functions, denied);
  result["denied"] = std::move(denied);
  return with_valid_text(result);
}

json card_without_answers(const std::string& why) { return card(Opened{.problem = why}); }

const std::vector<std::string>& gpu_members() {
  static const std::vector<std::string> names{"index",
                                              "name",
                                              "uuid",
                                              "pci",
                                              "pci_ids",
                                              "board",
                                              "compute_capability",
                                              "cuda_cores",
                                              "memory",
                                              "ecc",
                                              "remapped_rows",
                                              "power",
                                              "clocks",
                                              "temperature",
                                              "link",
                                              "mig",
                                              "virtualization",
                                              "persistence",
                                              "compute_mode",
                                              "performance_state",
                                              "utilization",
                                              "nvlink",
                                              "numa_node",
                                              "peers",
                                              "processes"};
  return names;
}

}  // namespace warpmark::nvml
