// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/machine.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "harness/telemetry/cloud.h"
#include "harness/telemetry/container.h"
#include "harness/telemetry/kernel_text.h"
#include "harness/telemetry/machine_parts.h"

namespace warpmark {
namespace {

using nlohmann::json;

json dmi_card(const FileRoot& root, const Dmi& dmi) {
  const std::string folder = "/sys/class/dmi/id/";
  if (dmi.empty()) return card::known_from(root, "dmi", std::optional<json>(), folder + "sys_vendor");
  json result;
  const auto add = [&](const char* name, const std::string& text) {
    result[name] = card::known_text(root, std::string("dmi.") + name, text, card::reason(root, folder + name));
  };
  add("sys_vendor", dmi.sys_vendor);
  add("product_name", dmi.product_name);
  add("board_vendor", dmi.board_vendor);
  add("bios_vendor", dmi.bios_vendor);
  add("bios_version", dmi.bios_version);
  return result;
}

json kind_and_evidence(const FileRoot& root, const std::string& what, const std::string& kind,
                       const std::string& evidence) {
  return {{"kind", card::known_text(root, what + ".kind", kind, evidence)}, {"evidence", evidence}};
}

json cloud_card(const FileRoot& root, const Dmi& dmi) {
  const Origin cloud = cloud_of(root, dmi);
  const Origin type = instance_type_of(cloud, dmi);
  return {{"provider", card::known_text(root, "cloud.provider", cloud.kind, cloud.evidence)},
          {"instance_type", card::known_text(root, "cloud.instance_type", type.kind, type.evidence)},
          {"evidence", cloud.evidence}};
}

json uptime_card(const FileRoot& root) {
  const std::string path = "/proc/uptime";  // "350735.47 234388.90"
  const std::string text = root.read(path).value_or("");
  const auto parts = words(text);
  return card::known_from(root, "uptime_seconds", parts.empty() ? std::nullopt : number(parts[0]), path);
}

json load_card(const FileRoot& root) {
  const std::string path = "/proc/loadavg";  // "0.20 0.18 0.12 1/80 11206"
  const std::string text = root.read(path).value_or("");
  json loads = json::array();
  for (const std::string_view part : words(text)) {
    const auto load = loads.size() < 3 ? number(part) : std::nullopt;
    if (load) loads.push_back(*load);
  }
  if (loads.size() == 3) return loads;
  root.deny("load", card::reason(root, path));
  return nullptr;
}

EnvironmentLookup environment_of(const FileRoot& root, const MachineOptions& options) {
  if (options.environment || !root.live()) return options.environment;
  return [](const char* name) -> const char* { return std::getenv(name); };
}

json denied_card(const FileRoot& root) {
  json list = json::array();
  for (const auto& [what, why] : root.denied()) list.push_back({{"what", what}, {"why", why}});
  return list;
}

/// Files hold any bytes; JSON holds UTF-8 only, and its writer throws on anything else. Bad bytes become U+FFFD.
json with_valid_text(const json& card) { return json::parse(card.dump(-1, ' ', true, json::error_handler_t::replace)); }

}  // namespace

json machine_card(const FileRoot& root, const MachineOptions& options) {
  const CpuModel cpu = cpu_model(root);
  const Topology topology = topology_of(root);
  const Dmi dmi = dmi_of(root);
  const Container container = container_of(root);
  const Origin hypervisor = hypervisor_of(root, dmi, cpu);
  json machine{{"host", card::host(root, options.host_label)}, {"os", card::os(root)}};
  const std::string boot_id = "/proc/sys/kernel/random/boot_id";
  machine["boot_id"] = card::known_from(root, "boot_id", root.read(boot_id), boot_id);
  machine["uptime_seconds"] = uptime_card(root);
  machine["load"] = load_card(root);
  machine["cpu"] = card::cpu(root, cpu, topology);
  machine["memory"] = card::memory(root, topology);
  machine["cgroup"] = card::cgroup(root);
  machine["container"] = kind_and_evidence(root, "container", container.kind, container.evidence);
  machine["hypervisor"] = kind_and_evidence(root, "hypervisor", hypervisor.kind, hypervisor.evidence);
  machine["cloud"] = cloud_card(root, dmi);
  machine["dmi"] = dmi_card(root, dmi);
  const EnvironmentLookup environment = environment_of(root, options);
  machine["nvidia"] = card::nvidia(root, environment);
  machine["software"] = card::software(root, environment, options.driver);
  machine["denied"] = denied_card(root);
  return with_valid_text(machine);
}

std::string without_home(std::string_view text, std::string_view home) {
  while (home.ends_with('/')) home.remove_suffix(1);
  if (home.empty()) return std::string(text);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = at + home.size();
    const bool whole_name =
        end >= text.size() || text[end] == '/' || std::isspace(static_cast<unsigned char>(text[end])) != 0;
    if (text.substr(at).starts_with(home) && whole_name) {
      result += '~';
      at = end;
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::string without_home(std::string_view text) {
  const char* const home = std::getenv("HOME");
  return without_home(text, home == nullptr ? "" : home);
}

}  // namespace warpmark
