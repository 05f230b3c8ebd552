// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/telemetry/nvml/card.h"

namespace warpmark {
namespace {

using nlohmann::json;

const json nothing = json::array();

const json& list_in(const json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() && found->is_array() ? *found : nothing;
}

std::string text_in(const json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

bool is_same_text(const json& a, const json& b, const char* name) {
  return a.is_object() && b.is_object() && a.contains(name) && b.contains(name) && a[name].is_string() &&
         a[name] == b[name];
}

/// What `from` knows, in `to`; what is null there changes nothing.
void join(json& to, const json& from) {
  for (const auto& [name, value] : from.items()) {
    if (value.is_object() && to.contains(name) && to[name].is_object()) {
      join(to[name], value);
    } else if (!value.is_null() || !to.contains(name)) {
      to[name] = value;
    }
  }
}

/// Reasons by place. Of those that both sources have, both.
class Reasons {
 public:
  explicit Reasons(const json& denied) {
    for (const json& entry : denied) add(text_in(entry, "what"), text_in(entry, "why"));
  }
  void add(const std::string& what, const std::string& why) {
    const auto [place, is_new] = why_.try_emplace(what, why);
    if (is_new) {
      order_.push_back(what);
    } else if (place->second.find(why) == std::string::npos) {
      place->second += "; " + why;
    }
  }
  [[nodiscard]] std::string why(const std::string& what) const {
    const auto found = why_.find(what);
    return found == why_.end() ? "" : found->second;
  }
  /// Those of facts that are unknown in the card, and those that are of no fact in it, such as of a file.
  [[nodiscard]] json of(const json& machine) const {
    json denied = json::array();
    for (const std::string& what : order_)
      if (is_unknown(machine, what)) denied.push_back({{"what", what}, {"why", why_.at(what)}});
    return denied;
  }

 private:
  [[nodiscard]] static bool is_unknown(const json& machine, const std::string& what) {
    const json* value = &machine;
    std::size_t at = 0;
    while (at <= what.size()) {
      const std::size_t dot = std::min(what.find('.', at), what.size());
      const std::string name = what.substr(at, dot - at);
      at = dot + 1;
      if (value->is_object() && value->contains(name)) {
        value = &(*value)[name];
      } else if (value->is_array() && is_index(name) && std::stoul(name) < value->size()) {
        value = &(*value)[std::stoul(name)];
      } else {
        return true;
      }
    }
    return value->is_null() || (value->is_array() && value->empty());
  }
  [[nodiscard]] static bool is_index(const std::string& name) {
    return !name.empty() && name.size() < 9 && name.find_first_not_of("0123456789") == std::string::npos;
  }

  std::map<std::string, std::string> why_{};
  std::vector<std::string> order_{};
};

constexpr auto no_place = static_cast<std::size_t>(-1);

std::string place_of(std::size_t number) { return "nvidia.gpus." + std::to_string(number); }

/// What the system's files say of a GPU that they do not show.
json unseen(std::size_t number, const json& by_nvml, Reasons& reasons) {
  constexpr const char* why = "the system's files do not show this GPU";
  json gpu;
  for (const char* name : {"device_id", "driver", "firmware", "numa_node"}) {
    gpu[name] = nullptr;
    reasons.add(place_of(number) + '.' + name, why);
  }
  for (const char* link : {"link", "link_max"}) {
    gpu[link] = {{"transfers_per_second", nullptr}, {"width", nullptr}};
    for (const char* name : {".transfers_per_second", ".width"}) reasons.add(place_of(number) + '.' + link + name, why);
  }
  const json::json_pointer ids("/pci_ids/device");  // "0x233010de": the device, then the vendor
  if (by_nvml.contains(ids) && by_nvml[ids].is_string() && by_nvml[ids].get<std::string>().size() == 10)
    gpu["device_id"] = by_nvml[ids].get<std::string>().substr(0, 6);
  return gpu;
}

/// The number in the joined list of a GPU of NVML's. The first `of_files` of the list are the files', `taken` those
/// that have met theirs.
std::size_t place_for(json& gpus, const json& by_nvml, std::size_t of_files, const std::vector<std::size_t>& taken,
                      Reasons& reasons) {
  for (const char* name : {"pci", "uuid"}) {
    const auto same =
        std::find_if(gpus.begin(), gpus.end(), [&](const json& gpu) { return is_same_text(gpu, by_nvml, name); });
    if (same != gpus.end()) return static_cast<std::size_t>(same - gpus.begin());
  }
  // One that tells neither is one that the files have and nobody else has taken, where there is any.
  if (text_in(by_nvml, "pci").empty() && text_in(by_nvml, "uuid").empty())
    for (std::size_t i = 0; i < of_files; ++i)
      if (std::find(taken.begin(), taken.end(), i) == taken.end()) return i;
  gpus.push_back(unseen(gpus.size(), by_nvml, reasons));
  return gpus.size() - 1;
}

/// Members that NVML alone has, of GPUs and objects that it does not show.
void add_missing_members(json& gpu, const std::string& place, const std::string& why, Reasons& reasons) {
  for (const std::string& name : nvml::gpu_members()) {
    if (gpu.contains(name)) continue;
    gpu[name] = nullptr;
    reasons.add(fmt::format("{}.{}", place, name), why);
  }
  const std::map<std::string, std::vector<std::string>> of_both_sources{
      {"board", {"id", "part_number", "vbios"}},
      {"link", {"generation", "width", "max_generation", "max_width", "gpu_max_generation"}}};
  for (const auto& [object, names] : of_both_sources) {
    const std::string where = fmt::format("{}.{}", place, object), known = reasons.why(where);
    for (const std::string& name : names) {
      if (!gpu[object].is_object() || gpu[object].contains(name)) continue;
      gpu[object][name] = nullptr;
      reasons.add(fmt::format("{}.{}", where, name), known.empty() ? why : known);
    }
  }
}

void join_gpu(json& gpu, const json& by_nvml) {
  const json node = gpu.value("numa_node", json());  // NVML has that of the GPU's own memory, where it is one
  join(gpu, by_nvml);
  if (!node.is_null()) gpu["numa_node"] = node;
}

/// "gpus.1.ecc.on" under the joined list's number: "nvidia.gpus.3.ecc.on".
std::string joined_place(const std::string& what, const std::vector<std::size_t>& places) {
  constexpr std::string_view start = "gpus.";
  if (!what.starts_with(start)) return "nvidia." + what;
  const std::size_t end = std::min(what.find('.', start.size()), what.size());
  const std::string number = what.substr(start.size(), end - start.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    if (number == std::to_string(i) && places[i] != no_place) return place_of(places[i]) + what.substr(end);
  return "nvidia." + what;
}

std::string why_not_shown(const json& nvml) {
  const auto why = nvml.is_object() ? nvml.find("why") : nvml.end();
  return nvml.is_object() && why != nvml.end() && why->is_string() ? why->get<std::string>()
                                                                   : "NVML does not show this GPU";
}

}  // namespace

std::string driver_by_nvml(const json& card) {
  return card.is_object() && card.contains("nvml") ? text_in(card["nvml"], "driver_version") : "";
}

void add_nvml(json& machine, const json& card) {
  json& nvidia = machine["nvidia"];
  json gpus = list_in(nvidia, "gpus");
  Reasons reasons(list_in(machine, "denied"));
  std::vector<std::size_t> places;
  const std::size_t of_files = gpus.size();
  const auto is_named = [](const json& gpu) { return !text_in(gpu, "pci").empty() || !text_in(gpu, "uuid").empty(); };
  const json& by_nvml = list_in(card, "gpus");
  places.resize(by_nvml.size(), no_place);
  for (const bool named : {true, false}) {  // those that do not say which they are take what is left
    for (std::size_t i = 0; i < by_nvml.size(); ++i) {
      if (!by_nvml[i].is_object() || is_named(by_nvml[i]) != named) continue;
      places[i] = place_for(gpus, by_nvml[i], of_files, places, reasons);
      json gpu = by_nvml[i];
      if (!named)
        for (const char* const name : {"pci", "uuid"}) gpu.erase(name);
      join_gpu(gpus[places[i]], gpu);
    }
  }
  nvidia["nvml"] = card.is_object() ? card.value("nvml", json()) : json();
  for (const json& entry : list_in(card, "denied"))
    reasons.add(joined_place(text_in(entry, "what"), places), text_in(entry, "why"));
  const std::string why = why_not_shown(nvidia["nvml"]);
  for (std::size_t i = 0; i < gpus.size(); ++i) add_missing_members(gpus[i], place_of(i), why, reasons);
  if (!places.empty()) {
    nvidia["present"] = true;
    nvidia["evidence"] = fmt::format("{}; NVML shows {}", text_in(nvidia, "evidence"), places.size());
  }
  nvidia["gpus"] = std::move(gpus);
  machine["denied"] = reasons.of(machine);
}

}  // namespace warpmark
