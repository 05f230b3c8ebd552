// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/gpu_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "harness/telemetry/gpu_facts.h"
#include "harness/telemetry/kernel_text.h"

namespace warpmark {
namespace {

using nlohmann::json;
using namespace shown;
using Parts = std::vector<std::string>;

std::string model_of(const json& gpu) {
  const std::string name = text(gpu, "/name", "");
  return name.empty() ? "device id " + text(gpu, "/device_id") : name;
}

/// Models in order of appearance, each with its GPUs.
std::vector<std::pair<std::string, Gpus>> by_model(const json& gpus) {
  std::vector<std::pair<std::string, Gpus>> models;
  for (const json& gpu : gpus) {
    const std::string model = model_of(gpu);
    auto same = std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.first == model; });
    if (same == models.end()) same = models.insert(models.end(), {model, Gpus()});
    same->second.push_back(&gpu);
  }
  return models;
}

/// "GPU 0", "GPUs 0-7" by NVML's numbers, which are nvidia-smi's; by address where there are none.
std::string called(const Gpus& gpus) {
  std::vector<int> numbers;
  std::string addresses;
  for (const json* gpu : gpus) {
    const auto index = number(*gpu, "/index");
    if (index && *index >= 0 && *index < 1e6) numbers.push_back(static_cast<int>(*index));
    addresses += (addresses.empty() ? "" : ", ") + text(*gpu, "/pci");
  }
  const char* const what = gpus.size() == 1 ? "GPU" : "GPUs";
  if (numbers.size() < gpus.size()) return fmt::format("{} at {}", what, addresses);
  std::sort(numbers.begin(), numbers.end());
  return fmt::format("{} {}", what, cpu_list_text(numbers));
}

/// GPUs with the same text of a row together.
std::vector<Gpus> alike(const Gpus& gpus, const std::function<Parts(const json&)>& parts_of) {
  std::vector<std::pair<Parts, Gpus>> found;
  for (const json* gpu : gpus) {
    const Parts parts = parts_of(*gpu);
    auto same = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == parts; });
    if (same == found.end()) same = found.insert(found.end(), {parts, Gpus()});
    same->second.push_back(gpu);
  }
  std::vector<Gpus> groups;
  for (auto& [parts, group] : found) groups.push_back(std::move(group));
  return groups;
}

void add_row(Rows& rows, const GpuRow& row, const Gpus& gpus) {
  const std::vector<Gpus> groups = alike(gpus, row.stays);
  for (const Gpus& group : groups) {
    Parts parts = row.now == nullptr ? Parts() : row.now(group);
    for (const std::string& part : row.stays(*group.front())) parts.push_back(part);
    if (groups.size() > 1) {
      if (parts.empty()) parts.emplace_back("unknown");
      parts.front() = called(group) + ": " + parts.front();
    }
    rows.add(row.label, parts);
  }
}

/// What a renter looks at first, so each GPU's own is named.
void add_conspicuous(Rows& rows, const Gpus& gpus) {
  const std::vector<Gpus> groups = alike(gpus, conspicuous);
  for (const Gpus& group : groups) {
    Parts parts = conspicuous(*group.front());
    if (!parts.empty() && groups.size() > 1) parts.front() = called(group) + ": " + parts.front();
    rows.add("Look at", parts, "; ");
  }
}

Parts address(const json& gpu) {
  Parts parts{text(gpu, "/pci", "PCI address unknown")};
  if (const auto node = number(gpu, "/numa_node")) parts.push_back(fmt::format("NUMA node {:.0f}", *node));
  parts.push_back(text(gpu, "/uuid", "UUID unknown"));
  return parts;
}

std::string title(const std::string& model, const Gpus& gpus, std::size_t columns) {
  if (gpus.size() == 1) return wrapped(words_of(called(gpus) + ": " + model), " ", 2, columns) + '\n';
  std::string differing = "UUID, PCI address";
  for (const GpuRow& row : gpu_rows())
    if (alike(gpus, row.stays).size() > 1) differing += std::string(", ") + row.label;
  const bool is_by_number = number(*gpus.front(), "/index").has_value();
  const std::string sentence = fmt::format(
      "{}{} x {}, identical but for {}", is_by_number ? called(gpus) + ": " : "GPUs: ", gpus.size(), model, differing);
  return wrapped(words_of(sentence), " ", 2, columns) + '\n';
}

std::string block(const std::string& model, const Gpus& gpus, std::size_t columns) {
  Rows rows(columns);
  add_conspicuous(rows, gpus);
  if (gpus.size() == 1) rows.add("PCI", address(*gpus.front()));
  for (const GpuRow& row : gpu_rows()) add_row(rows, row, gpus);
  if (gpus.size() > 1)
    for (const json* gpu : gpus) rows.add(number(*gpu, "/index") ? called({gpu}) : "GPU", address(*gpu));
  return '\n' + title(model, gpus, columns) + rows.text();
}

/// Devices of NVIDIA's driver, "cuda:0, cuda:1".
std::string opened_gpus(const json& devices) {
  std::string ids;
  for (const json& device : devices)
    if (text(device, "/backend", "") == "cuda") ids += (ids.empty() ? "" : ", ") + text(device, "/id");
  return ids;
}

Parts absent_parts(const json& machine, const json& devices) {
  const char* const seen = at(machine, "/nvidia/present").is_boolean() ? "none" : "unknown";
  const std::string opened = opened_gpus(devices);
  if (opened.empty()) return {seen};
  return {opened + " by the driver's library",
          fmt::format("{} by the system's files ({})", seen, text(machine, "/nvidia/evidence", "no reason"))};
}

Parts model_parts(const json& machine) {
  Parts parts;
  for (const auto& [model, gpus] : by_model(at(machine, "/nvidia/gpus")))
    parts.push_back(fmt::format("{} x {}", gpus.size(), model));
  return or_unknown(std::move(parts));
}

Parts node_parts(const json& machine) {
  Parts nodes;
  for (const json& node : at(machine, "/nvidia/nodes")) nodes.push_back(text(node, ""));
  if (nodes.empty())
    nodes.emplace_back(at(machine, "/nvidia/nvml/driver_version").is_string() ? "none to be seen"
                                                                              : "none: no program can open a GPU here");
  return nodes;
}

Parts driver_parts(const json& machine) {
  Parts parts{text(machine, "/software/driver", text(machine, "/nvidia/nvml/driver_version", "none loaded").c_str())};
  for (const char* place : {"/software/driver_flavour"})
    if (at(machine, place).is_string()) parts.push_back(text(machine, place));
  if (at(machine, "/nvidia/nvml/cuda_version").is_string())
    parts.push_back("CUDA " + text(machine, "/nvidia/nvml/cuda_version") + " at most");
  if (at(machine, "/nvidia/nvml/why").is_string()) parts.push_back(text(machine, "/nvidia/nvml/why"));
  return parts;
}

/// Each once, the one that is found first; what the driver cannot work with says so.
Parts library_parts(const json& machine) {
  Parts parts, names;
  for (const json& library : at(machine, "/software/libraries")) {
    const std::string name = text(library, "/name");
    const bool is_supported = flag(library, "/supported").value_or(true);
    if (is_supported && std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    parts.push_back(name + ' ' + text(library, "/version", "of unknown version") +
                    (is_supported ? "" : " (" + text(library, "/why", "not with this driver") + ")"));
  }
  return parts;
}

Parts listed(const json& list) {
  Parts parts;
  for (const json& each : list) parts.push_back(text(each, ""));
  return parts;
}

Parts setting_parts(const json& machine) {
  Parts parts;
  const json& settings = at(machine, "/nvidia/environment");
  if (!settings.is_object()) return parts;
  for (const auto& [name, value] : settings.items()) parts.push_back(text(name, "") + '=' + text(value, ""));
  return parts;
}

}  // namespace

/// The system's files are one source, the driver's library another: a container may show the one and hide the other.
void add_nvidia_rows(Rows& rows, const json& machine, const json& devices) {
  const bool is_present = flag(machine, "/nvidia/present").value_or(false);
  rows.add("NVIDIA GPU", is_present ? model_parts(machine) : absent_parts(machine, devices));
  if (is_present) {
    rows.add("GPU nodes", node_parts(machine));
    rows.add("GPU driver", driver_parts(machine));
    if (const Parts switches = listed(at(machine, "/nvidia/switches")); !switches.empty())
      rows.add("NVSwitches", {fmt::format("{}: NVLink needs the driver's fabric manager", switches.size())});
  }
  rows.add("CUDA files", library_parts(machine));
  rows.add("GPU sliced", listed(at(machine, "/nvidia/slicing")), "; ");
  rows.add("GPU settings", setting_parts(machine));
}

std::string gpu_blocks(const json& machine, std::size_t columns) {
  std::string result;
  for (const auto& [model, gpus] : by_model(at(machine, "/nvidia/gpus"))) result += block(model, gpus, columns);
  return result;
}

}  // namespace warpmark
