// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/card_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "harness/core/printable.h"
#include "harness/core/units.h"
#include "harness/device/device.h"
#include "harness/telemetry/card_rows.h"
#include "harness/telemetry/denied_text.h"
#include "harness/telemetry/gpu_text.h"

namespace warpmark {
namespace {

using nlohmann::json;
using namespace shown;

std::string duration(double seconds) {
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::vector<std::string> system_parts(const json& machine) {
  std::vector<std::string> parts;
  const std::string name = text(machine, "/os/name", ""), kernel = text(machine, "/os/kernel", "");
  const std::string arch = text(machine, "/os/arch", "");
  if (!name.empty()) parts.push_back(name);
  if (!kernel.empty()) parts.push_back("Linux " + kernel);
  if (!arch.empty()) parts.push_back(arch);
  if (const auto up = number(machine, "/uptime_seconds")) parts.push_back("up " + duration(*up));
  if (const auto load = number(machine, "/load/0")) parts.push_back(fmt::format("load {:.2f}", *load));
  return or_unknown(std::move(parts));
}

std::vector<std::string> platform_parts(const json& machine) {
  std::vector<std::string> parts;
  const std::string cloud = text(machine, "/cloud/provider", ""), type = text(machine, "/cloud/instance_type", "");
  const std::string vendor = text(machine, "/dmi/sys_vendor", ""), product = text(machine, "/dmi/product_name", "");
  if (!cloud.empty()) parts.push_back(type.empty() ? cloud : cloud + ' ' + type);
  if (cloud.empty() && !vendor.empty()) parts.push_back(product.empty() ? vendor : vendor + ' ' + product);
  if (parts.empty()) parts.emplace_back("maker unknown");
  const std::string hypervisor = text(machine, "/hypervisor/kind", "");
  parts.push_back(hypervisor.empty()     ? "hypervisor unknown"
                  : hypervisor == "none" ? "bare metal"
                                         : hypervisor + " virtual machine");
  const std::string container = text(machine, "/container/kind", "");
  parts.push_back(container.empty()     ? "container unknown"
                  : container == "none" ? "no container"
                                        : container + " container");
  return parts;
}

std::vector<std::string> cpu_parts(const json& machine) {
  std::vector<std::string> parts{text(machine, "/cpu/model")};
  add_count(parts, machine, "/cpu/sockets", "socket");
  add_count(parts, machine, "/cpu/cores", "core");
  add_count(parts, machine, "/cpu/threads", "thread");
  add_count(parts, machine, "/cpu/numa_nodes", "NUMA node");
  return parts;
}

std::vector<std::string> clock_parts(const json& machine) {
  std::vector<std::string> parts;
  if (const auto now = number(machine, "/cpu/clock_hz")) parts.push_back("now " + format_rate(*now, "Hz"));
  if (const auto most = number(machine, "/cpu/max_clock_hz")) parts.push_back("at most " + format_rate(*most, "Hz"));
  if (const auto governor = text(machine, "/cpu/governor", ""); !governor.empty()) {
    parts.push_back("governor " + governor);
  }
  return or_unknown(std::move(parts));
}

std::vector<std::string> cache_parts(const json& machine) {
  std::vector<std::string> parts;
  for (const json& cache : at(machine, "/cpu/caches")) {
    const std::string level =
        fmt::format("L{:.0f}{}", number(cache, "/level").value_or(0), text(cache, "/kind", "") == "data" ? "d" : "");
    parts.push_back(fmt::format("{} {:.0f} x {}", level, number(cache, "/count").value_or(0), size(cache, "/bytes")));
  }
  return or_unknown(std::move(parts));
}

std::vector<std::string> instruction_parts(const json& machine) {
  std::vector<std::string> parts;
  for (const json& set : at(machine, "/cpu/instruction_sets")) parts.push_back(text(set, ""));
  return or_unknown(std::move(parts));
}

std::vector<std::string> memory_parts(const json& machine) {
  std::vector<std::string> parts{size(machine, "/memory/total_bytes")};
  if (number(machine, "/memory/available_bytes")) {
    parts.push_back(size(machine, "/memory/available_bytes") + " available");
  }
  for (const json& module : at(machine, "/memory/modules")) {
    const auto speed = number(module, "/transfers_per_second_set");
    parts.push_back(fmt::format("{:.0f} x {} {}{}", number(module, "/count").value_or(0), size(module, "/bytes"),
                                text(module, "/type", "module"),
                                speed ? fmt::format(" at {:.0f} MT/s", *speed * 1e-6) : ""));
  }
  const std::string mode = text(machine, "/memory/transparent_huge_pages", "");
  if (!mode.empty()) parts.push_back("transparent huge pages: " + mode);
  return parts;
}

std::string cpu_limit(const json& machine) {
  const json& limit = at(machine, "/cgroup/cpu");
  if (!limit.is_object()) return "CPU quota unknown";
  const auto cores = number(limit, "/cores");
  if (!cores) return "no CPU quota";
  std::string result = fmt::format("CPU quota {:.3g} cores", *cores);
  const auto periods = number(limit, "/periods"), throttled = number(limit, "/throttled_periods");
  if (periods && throttled) result += fmt::format(" (throttled in {:.0f} of {:.0f} periods)", *throttled, *periods);
  return result;
}

std::string memory_limit(const json& machine) {
  const json& limit = at(machine, "/cgroup/memory");
  if (!limit.is_object()) return "memory limit unknown";
  if (!number(limit, "/bytes")) return "no memory limit";
  return "memory limit " + size(limit, "/bytes") + " (" + size(limit, "/free_bytes") + " left)";
}

std::string machine_rows(const json& machine, const json& devices, std::size_t columns) {
  Rows rows(columns);
  const bool hashed = text(machine, "/host/name_from", "") == "hash" && at(machine, "/host/name").is_string();
  rows.add("Host", {text(machine, "/host/name") + (hashed ? " (a hash of its name and machine id)" : "")});
  rows.add("System", system_parts(machine));
  rows.add("Platform", platform_parts(machine));
  rows.add("CPU", cpu_parts(machine));
  rows.add("Clock", clock_parts(machine));
  rows.add("Caches", cache_parts(machine));
  rows.add("Instructions", instruction_parts(machine), " ");
  rows.add("Memory", memory_parts(machine));
  rows.add("Limits", {cpu_limit(machine), memory_limit(machine), "CPUs " + text(machine, "/cpu/allowed")});
  add_nvidia_rows(rows, machine, devices);
  return rows.text();
}

std::string link_text(const json& link) {
  const auto speed = number(link, "/transfers_per_second"), width = number(link, "/width");
  if (!speed || !width) return "unknown";
  return fmt::format("x{:.0f} at {:.3g} GT/s", *width, *speed * 1e-9);
}

std::string ceiling_line(const std::string& name, const json& ceiling, std::size_t width, std::size_t columns) {
  const std::string rate = format_rate(number(ceiling, "/value").value_or(unknown_value), text(ceiling, "/unit", ""));
  const bool is_narrow = columns < narrow_columns;
  std::string start = is_narrow ? fmt::format("    {}  {}\n        ", printable(name), rate)
                                : fmt::format("                  {:<{}}  {:<14}  ", printable(name), width, rate);
  start += wrapped(words_of(text(ceiling, "/derivation", "")), " ", is_narrow ? 8 : start.size(), columns);
  return start + '\n';
}

/// All but what tells devices of one model apart.
json model_of(json device) {
  if (!device.is_object()) return device;
  device.erase("id");
  if (device.contains("facts") && device["facts"].is_object())
    for (const char* const name : {"uuid", "pci"}) device["facts"].erase(name);
  return device;
}

/// "cuda:0-7"
std::string range_text(const std::string& first, const std::string& last) {
  return first + '-' + last.substr(last.rfind(':') + 1);
}

/// Devices of one model, one after the other: "cuda:0, cuda:1".
std::string device_rows(const std::vector<json>& alike, std::size_t columns) {
  const json& device = alike.front();
  std::vector<std::string> parts{text(device, "/name")};
  add_count(parts, device, "/units", unit_name(text(device, "/backend", "")));
  parts.push_back(size(device, "/memory_bytes"));
  if (const std::string capability = text(device, "/facts/compute_capability", ""); !capability.empty())
    parts.push_back("compute capability " + capability);
  if (const json& link = at(device, "/facts/link_max"); link.is_object())
    parts.push_back("PCIe " + link_text(link) + " at most");
  if (const auto cache = number(device, "/last_level_cache_bytes"); cache && *cache > 0) {
    parts.push_back("last-level cache " + format_bytes(*cache));
  }
  Rows rows(columns);
  rows.add(alike.size() == 1 ? text(device, "/id") : range_text(text(device, "/id"), text(alike.back(), "/id")), parts);
  std::string result = rows.text();
  const json& ceilings = at(device, "/ceilings");
  if (!ceilings.is_object()) return result;
  std::size_t width = 0;
  for (const auto& [name, ceiling] : ceilings.items()) width = std::max(width, printable(name).size());
  for (const auto& [name, ceiling] : ceilings.items()) result += ceiling_line(name, ceiling, width, columns);
  return result;
}

std::string devices_block(const json& devices, std::size_t columns) {
  if (devices.empty()) return {};  // a copied root has none
  std::string result = "\nDevices\n";
  std::vector<json> alike;
  for (const json& device : devices) {
    if (!alike.empty() && model_of(alike.front()) != model_of(device))
      result += device_rows(std::exchange(alike, {}), columns);
    alike.push_back(device);
  }
  return result + device_rows(alike, columns);
}

/// Where there is no GPU, nobody misses what a driver would say of it.
json missed(const json& machine) {
  json denied = at(machine, "/denied");
  if (flag(machine, "/nvidia/present").value_or(true) || !denied.is_array()) return denied;
  json kept = json::array();
  for (const json& entry : denied)
    if (!text(entry, "/what", "").starts_with("nvidia.nvml")) kept.push_back(entry);
  return kept;
}

}  // namespace

std::string card_text(const json& machine, const json& devices, std::size_t columns) {
  std::string result = "Machine\n" + machine_rows(machine, devices, columns) + gpu_blocks(machine, columns);
  return result + devices_block(devices, columns) + denied_block(missed(machine), columns);
}

}  // namespace warpmark
