// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/gpu_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "harness/core/power_limit.h"
#include "harness/core/units.h"
#include "harness/telemetry/card_rows.h"

namespace warpmark {
namespace {

using nlohmann::json;
using namespace shown;
using Parts = std::vector<std::string>;

std::string watts(double value) { return fmt::format("{:.0f} W", value); }
std::string celsius(double value) { return fmt::format("{:.0f} C", value); }
std::string hertz(double value) { return format_rate(value, "Hz"); }

/// "71 W", or "71 W to 84 W"; empty where no GPU says it.
std::string range(const Gpus& gpus, const char* pointer, const std::function<std::string(double)>& format) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const json* gpu : gpus) {
    const auto value = number(*gpu, pointer);
    if (value) least = std::min(least, *value);
    if (value) most = std::max(most, *value);
  }
  if (least > most) return "";
  const std::string low = format(least), high = format(most);
  return low == high ? low : low + " to " + high;
}

void add(Parts& parts, const std::string& before, const std::string& value, const std::string& after = "") {
  if (!value.empty() && value != "unknown") parts.push_back(before + value + after);
}

Parts board(const json& gpu) {
  Parts parts;
  add(parts, "device id ", text(gpu, "/device_id", ""));
  add(parts, "kernel driver ", text(gpu, "/driver", ""));
  add(parts, "part number ", text(gpu, "/board/part_number", ""));
  add(parts, "VBIOS ", text(gpu, "/board/vbios", ""));
  add(parts, "compute capability ", text(gpu, "/compute_capability", ""));
  add_count(parts, gpu, "/cuda_cores", "CUDA core");
  return parts;
}

Parts memory(const json& gpu) {
  Parts parts;
  add(parts, "", size(gpu, "/memory/total_bytes"));
  add(parts, "", size(gpu, "/memory/reserved_bytes"), " reserved by the driver");
  add(parts, "", size(gpu, "/memory/usable_bytes"), " usable");
  if (const auto bits = number(gpu, "/memory/bus_bits")) parts.push_back(fmt::format("{:.0f} bits wide", *bits));
  return parts;
}

std::string on_or_off(const json& gpu, const char* now, const char* later) {
  const auto on = flag(gpu, now), after_restart = flag(gpu, later);
  if (!on) return "";
  std::string result = *on ? "on" : "off";
  if (after_restart && *after_restart != *on)
    result += *after_restart ? ", on after a restart" : ", off after a restart";
  return result;
}

/// "no errors", or how many, of which kind and since when.
void add_errors(Parts& parts, const json& gpu) {
  const auto corrected = number(gpu, "/ecc/corrected"), uncorrected = number(gpu, "/ecc/uncorrected");
  const auto corrected_ever = number(gpu, "/ecc/corrected_ever"), ever = number(gpu, "/ecc/uncorrected_ever");
  if (corrected && uncorrected)
    parts.push_back(*corrected + *uncorrected == 0 ? "no errors since the driver was loaded"
                                                   : fmt::format("{:.0f} corrected and {:.0f} uncorrected errors since "
                                                                 "the driver was loaded",
                                                                 *corrected, *uncorrected));
  if (corrected_ever && ever && *corrected_ever + *ever > 0)
    parts.push_back(fmt::format("{:.0f} and {:.0f} ever", *corrected_ever, *ever));
}

Parts ecc(const json& gpu) {
  Parts parts;
  add(parts, "", on_or_off(gpu, "/ecc/on", "/ecc/after_restart"));
  add_errors(parts, gpu);
  const auto corrected = number(gpu, "/remapped_rows/corrected"), rows = number(gpu, "/remapped_rows/uncorrected");
  if (corrected && rows)
    parts.push_back(*corrected + *rows == 0 ? "no remapped rows" : counted(*corrected + *rows, "remapped row"));
  return parts;
}

std::optional<double> below_default(const json& gpu) {
  return below_default_limit(
      effective_power_limit(number(gpu, "/power/limit_w"), number(gpu, "/power/enforced_limit_w")),
      number(gpu, "/power/default_limit_w"));
}

Parts power(const json& gpu) {
  Parts parts;
  const auto limit = number(gpu, "/power/limit_w"), usual = number(gpu, "/power/default_limit_w");
  const auto enforced = number(gpu, "/power/enforced_limit_w");
  const auto least = number(gpu, "/power/min_limit_w"), most = number(gpu, "/power/max_limit_w");
  if (limit) {
    std::string text = "limit " + watts(*limit);
    if (const auto share = below_default_limit(limit, usual)) {
      text += fmt::format(" ({:.0f} % below its default of {})", *share * 100, watts(*usual));
    } else if (usual) {
      text += *limit > *usual ? " (its default is " + watts(*usual) + ")" : " (its default)";
    }
    parts.push_back(text);
  }
  if (enforced && limit && std::abs(*enforced - *limit) >= 1)
    parts.push_back(watts(*enforced) + " enforced by chassis or firmware");
  if (least && most) parts.push_back(fmt::format("{} to {} can be set", watts(*least), watts(*most)));
  return parts;
}

Parts power_now(const Gpus& gpus) {
  Parts parts;
  add(parts, "", range(gpus, "/power/draw_w", watts), " now");
  return parts;
}

Parts clocks(const json& gpu) {
  Parts parts;
  if (const auto most = number(gpu, "/clocks/max_sm_hz")) parts.push_back(hertz(*most) + " at most");
  if (const auto set = number(gpu, "/clocks/application_sm_hz")) parts.push_back("application clock " + hertz(*set));
  if (const auto most = number(gpu, "/clocks/max_memory_hz")) parts.push_back("memory " + hertz(*most) + " at most");
  return parts;
}

Parts clocks_now(const Gpus& gpus) {
  Parts parts;
  add(parts, "SM ", range(gpus, "/clocks/sm_hz", hertz), " now");
  return parts;
}

Parts temperature(const json& gpu) {
  Parts parts;
  if (const auto limit = number(gpu, "/temperature/slowdown_c")) parts.push_back("slows down at " + celsius(*limit));
  return parts;
}

Parts temperature_now(const Gpus& gpus) {
  Parts parts;
  add(parts, "", range(gpus, "/temperature/now_c", celsius), " now");
  return parts;
}

/// NVML's number, or what the speed in the system's files amounts to.
std::optional<double> generation(const json& gpu, const char* by_nvml, const char* by_files) {
  if (const auto known = number(gpu, by_nvml)) return known;
  constexpr std::array<double, 6> rates{2.5e9, 5e9, 8e9, 16e9, 32e9, 64e9};
  const auto rate = number(gpu, by_files);
  const auto* const found = rate ? std::find(rates.begin(), rates.end(), *rate) : rates.end();
  return found == rates.end() ? std::nullopt : std::optional<double>(found - rates.begin() + 1);
}

std::optional<double> generation_now(const json& gpu) {
  return generation(gpu, "/link/generation", "/link/transfers_per_second");
}
std::optional<double> most_generation(const json& gpu) {
  return generation(gpu, "/link/max_generation", "/link_max/transfers_per_second");
}
std::optional<double> most_width(const json& gpu) {
  const auto width = number(gpu, "/link/max_width");
  return width ? width : number(gpu, "/link_max/width");
}

std::string link_text(std::optional<double> generation, std::optional<double> width) {
  if (!generation && !width) return "unknown";
  return fmt::format("gen {} x{}", generation ? fmt::format("{:.0f}", *generation) : "?",
                     width ? fmt::format("{:.0f}", *width) : "?");
}

Parts link(const json& gpu) {
  Parts parts;
  add(parts, "", link_text(most_generation(gpu), most_width(gpu)), " at most");
  return parts;
}

/// "gen 1 x16 now (idle links train down)"; several where GPUs differ.
Parts link_now(const Gpus& gpus) {
  Parts parts;
  for (const json* gpu : gpus) {
    const auto now = generation_now(*gpu), most = most_generation(*gpu);
    Parts one;
    add(one, "", link_text(now, number(*gpu, "/link/width")),
        now && most && *now < *most ? " now (idle links train down)" : " now");
    if (!one.empty() && std::find(parts.begin(), parts.end(), one[0]) == parts.end()) parts.push_back(one[0]);
  }
  return parts;
}

bool is_divided_in_vain(const json& gpu) {
  const json& instances = at(gpu, "/mig/instances");
  return flag(gpu, "/mig/on").value_or(false) && instances.is_array() && instances.empty();
}

Parts mig(const json& gpu) {
  Parts parts;
  add(parts, "", on_or_off(gpu, "/mig/on", "/mig/after_restart"));
  if (!flag(gpu, "/mig/on").value_or(false)) return parts;
  const json& instances = at(gpu, "/mig/instances");
  parts.push_back(instances.is_array() ? counted(static_cast<double>(instances.size()), "instance")
                                       : "instances unknown");
  for (const json& instance : instances) {
    const auto units = number(instance, "/multiprocessors");
    parts.push_back(fmt::format("{} SMs with {}", units ? fmt::format("{:.0f}", *units) : "unknown",
                                size(instance, "/memory_bytes")));
  }
  return parts;
}

Parts mode(const json& gpu) {
  static const std::map<std::string, const char*> names{{"none", "not virtual"},
                                                        {"passthrough", "passed through to a virtual machine"},
                                                        {"vgpu", "a vGPU: a share of a GPU"},
                                                        {"host vgpu", "host of vGPUs"},
                                                        {"host vsga", "host of shared graphics"}};
  Parts parts;
  const auto known = names.find(text(gpu, "/virtualization", ""));
  if (known != names.end()) parts.emplace_back(known->second);
  if (const auto persistence = flag(gpu, "/persistence"))
    parts.emplace_back(*persistence ? "persistence on" : "persistence off");
  add(parts, "compute mode ", text(gpu, "/compute_mode", ""));
  return parts;
}

Parts nvlink(const json& gpu) {
  const auto links = number(gpu, "/nvlink/links"), active = number(gpu, "/nvlink/active");
  if (!links) return {};
  if (*links == 0) return {"none"};
  Parts parts{active ? fmt::format("{:.0f} of {:.0f} links up", *active, *links) : counted(*links, "link")};
  if (const auto version = number(gpu, "/nvlink/version")) parts.push_back(fmt::format("version {:.0f}", *version));
  return parts;
}

/// How many other GPUs are how far.
Parts peers(const json& gpu) {
  constexpr std::array<std::pair<const char*, const char*>, 6> paths{{{"same board", "on its board"},
                                                                      {"one switch", "behind one switch"},
                                                                      {"several switches", "behind several switches"},
                                                                      {"host bridge", "behind its host bridge"},
                                                                      {"NUMA node", "within its NUMA node"},
                                                                      {"across nodes", "across NUMA nodes"}}};
  Parts parts;
  for (const auto& [path, name] : paths) {
    int count = 0;
    for (const json& peer : at(gpu, "/peers")) count += text(peer, "/path", "") == path ? 1 : 0;
    if (count > 0) parts.push_back(fmt::format("{} {}", count, name));
  }
  return parts;
}

/// One look cannot tell busy from idle, so this says what it is.
Parts use_now(const Gpus& gpus) {
  Parts parts;
  add(parts, "", range(gpus, "/memory/used_bytes", format_bytes), " of memory");
  add(parts, "", range(gpus, "/utilization/gpu", format_percent), " busy at one look");
  double count = 0;
  bool is_known = false;
  for (const json* gpu : gpus) {
    const auto here = number(*gpu, "/processes/count");
    is_known = is_known || here;
    count += here.value_or(0);
  }
  if (is_known) parts.push_back(count == 0 ? "no processes" : counted(count, "process"));
  return parts;
}

Parts no_parts(const json& /*gpu*/) { return {}; }

}  // namespace

const std::vector<GpuRow>& gpu_rows() {
  static const std::vector<GpuRow> rows{
      {"Board", board, nullptr},     {"Memory", memory, nullptr},    {"ECC", ecc, nullptr},
      {"Power", power, power_now},   {"Clocks", clocks, clocks_now}, {"Temperature", temperature, temperature_now},
      {"PCIe link", link, link_now}, {"MIG", mig, nullptr},          {"Mode", mode, nullptr},
      {"NVLink", nvlink, nullptr},   {"Other GPUs", peers, nullptr}, {"Use", no_parts, use_now}};
  return rows;
}

std::vector<std::string> conspicuous(const json& gpu) {
  Parts parts;
  if (const auto share = below_default(gpu))
    parts.push_back(fmt::format("power limit {:.0f} % below its default", *share * 100));
  if (number(gpu, "/ecc/uncorrected").value_or(0) > 0)
    parts.emplace_back("uncorrected memory errors: reset the GPU, and return it if they come back");
  if (flag(gpu, "/remapped_rows/pending").value_or(false))
    parts.emplace_back("a row waits to be remapped: reset the GPU or restart the machine");
  if (flag(gpu, "/remapped_rows/failed").value_or(false))
    parts.emplace_back("a row could not be remapped: return the GPU");
  if (is_divided_in_vain(gpu))
    parts.emplace_back("MIG is on and has no instances, so no program can use it: nvidia-smi mig -cgi ... -C");
  if (text(gpu, "/compute_mode", "") == "prohibited")
    parts.emplace_back("compute mode prohibited, so no program can use it: nvidia-smi -c 0");
  if (text(gpu, "/virtualization", "") == "vgpu")
    parts.emplace_back("a vGPU: its figures depend on its neighbours and on its licence");
  if (number(gpu, "/processes/count").value_or(0) > 0) parts.emplace_back("other programs are using it");
  return parts;
}

}  // namespace warpmark
