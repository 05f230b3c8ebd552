// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/card_truth.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/fakes/machine/scenario.h"

namespace warpmark::fakes {
namespace {

void take(JsonFields& from, const char* key, bool& to) {
  if (from.has(key)) to = from.yes_or_no(key);
}
void take(JsonFields& from, const char* key, double& to) {
  if (from.has(key)) to = from.number(key, 0);
}
void take(JsonFields& from, const char* key, unsigned& to) {
  if (from.has(key)) to = static_cast<unsigned>(from.count(key, 0));
}
void take(JsonFields& from, const char* key, std::uint64_t& to) {
  if (from.has(key)) to = static_cast<std::uint64_t>(from.whole(key, 0));
}
void take(JsonFields& from, const char* key, std::string& to) {
  if (from.has(key)) to = from.text(key);
}
template <class T>
void take(JsonFields& from, const char* key, std::optional<T>& to) {
  T value{};
  take(from, key, value);
  if (from.has(key)) to = value;
}

template <class Enum>
Enum one_of(JsonFields& from, const char* key, const std::map<std::string, Enum>& names) {
  const auto found = names.find(from.text(key));
  if (found == names.end()) from.refuse(key, "is none that there is");
  return found->second;
}

unsigned hex_of(JsonFields& from, const char* key) {
  return static_cast<unsigned>(std::stoul(from.text_like(key, "[0-9a-f]{8}"), nullptr, 16));
}

EccTruth ecc_of(JsonFields from, EccTruth ecc) {
  take(from, "on", ecc.on);
  ecc.after_restart = ecc.on;
  take(from, "after_restart", ecc.after_restart);
  take(from, "corrected", ecc.corrected);
  take(from, "uncorrected", ecc.uncorrected);
  ecc.corrected_ever = ecc.corrected;
  ecc.uncorrected_ever = ecc.uncorrected;
  take(from, "corrected_ever", ecc.corrected_ever);
  take(from, "uncorrected_ever", ecc.uncorrected_ever);
  from.refuse_others();
  return ecc;
}

RowsTruth rows_of(JsonFields from) {
  RowsTruth rows;
  take(from, "corrected", rows.corrected);
  take(from, "uncorrected", rows.uncorrected);
  take(from, "pending", rows.pending);
  take(from, "failed", rows.failed);
  from.refuse_others();
  return rows;
}

PowerTruth power_of(JsonFields from, PowerTruth power) {
  take(from, "idle_w", power.idle_w);
  take(from, "load_w", power.load_w);
  take(from, "limit_w", power.limit_w);
  power.default_limit_w = power.max_limit_w = power.enforced_limit_w = power.limit_w;
  take(from, "default_limit_w", power.default_limit_w);
  take(from, "min_limit_w", power.min_limit_w);
  take(from, "max_limit_w", power.max_limit_w);
  take(from, "enforced_limit_w", power.enforced_limit_w);
  from.refuse_others();
  return power;
}

ClocksTruth clocks_of(JsonFields from, ClocksTruth clocks) {
  take(from, "sm_idle_mhz", clocks.sm_idle_mhz);
  take(from, "memory_idle_mhz", clocks.memory_idle_mhz);
  take(from, "application_sm_mhz", clocks.application_sm_mhz);
  take(from, "application_memory_mhz", clocks.application_memory_mhz);
  from.refuse_others();
  return clocks;
}

TemperatureTruth temperature_of(JsonFields from, TemperatureTruth temperature) {
  take(from, "idle_c", temperature.idle_c);
  take(from, "load_c", temperature.load_c);
  take(from, "memory_idle_c", temperature.memory_idle_c);
  take(from, "memory_load_c", temperature.memory_load_c);
  if (temperature.memory_idle_c.has_value() != temperature.memory_load_c.has_value())
    from.refuse("memory_idle_c", "needs 'memory_load_c', and the other way round");
  take(from, "slowdown_c", temperature.slowdown_c);
  take(from, "shutdown_c", temperature.shutdown_c);
  from.refuse_others();
  return temperature;
}

LinkTruth link_of(JsonFields from, LinkTruth link) {
  take(from, "generation", link.generation);
  link.idle_generation = link.max_generation = link.gpu_max_generation = link.generation;
  take(from, "idle_generation", link.idle_generation);
  take(from, "max_generation", link.max_generation);
  take(from, "gpu_max_generation", link.gpu_max_generation);
  take(from, "width", link.width);
  take(from, "max_width", link.max_width);
  from.refuse_others();
  return link;
}

MigInstance instance_of(JsonFields& from) {
  MigInstance instance;
  take(from, "at", instance.at);
  instance.uuid = from.text("uuid");
  take(from, "gpu_instance", instance.gpu_instance);
  take(from, "compute_instance", instance.compute_instance);
  instance.multiprocessors = static_cast<unsigned>(from.count("multiprocessors", 1));
  instance.memory_bytes = static_cast<std::uint64_t>(from.whole("memory_bytes", 1));
  from.refuse_others();
  return instance;
}

MigTruth mig_of(JsonFields from) {
  MigTruth mig;
  mig.on = from.yes_or_no("on");
  mig.after_restart = mig.on;
  take(from, "after_restart", mig.after_restart);
  take(from, "most_instances", mig.most_instances);
  if (from.has("instances"))
    for (JsonFields& instance : from.objects("instances")) mig.instances.push_back(instance_of(instance));
  for (const MigInstance& each : mig.instances)
    if (each.at >= mig.most_instances || !mig.on) from.refuse("instances", "has one where none can be");
  from.refuse_others();
  return mig;
}

NvLinkTruth nvlink_of(JsonFields from) {
  NvLinkTruth nvlink;
  nvlink.links = static_cast<unsigned>(from.count("links", 1));
  nvlink.active = nvlink.links;
  take(from, "active", nvlink.active);
  nvlink.version = static_cast<unsigned>(from.count("version", 1));
  from.refuse_others();
  return nvlink;
}

HeldDown held_down_of(JsonFields& from) {
  HeldDown held{.reason = from.text("reason")};
  if (bits_of_reason(held.reason) == 0) from.refuse("reason", "is none that there is");
  take(from, "from_seconds", held.from_seconds);
  take(from, "until_seconds", held.until_seconds);
  from.refuse_others();
  return held;
}

ProcessTruth process_of(JsonFields& from) {
  ProcessTruth process{.pid = static_cast<unsigned>(from.count("pid", 1))};
  take(from, "used_bytes", process.used_bytes);
  from.refuse_others();
  return process;
}

XidTruth xid_of(JsonFields& from) {
  const XidTruth xid{.at_seconds = from.number("at_seconds", 0),
                     .number = static_cast<unsigned>(from.count("number", 1))};
  from.refuse_others();
  return xid;
}

void take_identity(JsonFields& from, CardTruth& card) {
  take(from, "vbios", card.vbios);
  take(from, "part_number", card.part_number);
  take(from, "board_id", card.board_id);
  if (from.has("pci_ids")) {
    JsonFields ids = from.object("pci_ids");
    card.pci_device_id = hex_of(ids, "device");
    card.pci_subsystem_id = hex_of(ids, "subsystem");
    ids.refuse_others();
  }
  if (from.has("place")) {
    card.place.clear();
    for (const int each : from.counts("place")) card.place.push_back(static_cast<unsigned>(each));
    if (card.place.empty()) from.refuse("place", "is empty");
  }
}

void take_modes(JsonFields& from, CardTruth& card) {
  if (from.has("mig")) card.mig = mig_of(from.object("mig"));
  if (from.has("virtualization"))
    card.virtualization = one_of<nvml::Virtualization>(from, "virtualization",
                                                       {{"none", nvml::virtual_none},
                                                        {"passthrough", nvml::virtual_passthrough},
                                                        {"vgpu", nvml::virtual_vgpu},
                                                        {"host vgpu", nvml::host_vgpu},
                                                        {"host vsga", nvml::host_vsga}});
  if (from.has("compute_mode"))
    card.compute_mode = one_of<nvml::ComputeMode>(from, "compute_mode",
                                                  {{"default", nvml::compute_default},
                                                   {"prohibited", nvml::compute_prohibited},
                                                   {"exclusive process", nvml::compute_exclusive}});
  take(from, "persistence", card.persistence);
  if (from.has("nvlink")) card.nvlink = nvlink_of(from.object("nvlink"));
  if (from.has("unsupported"))
    for (const std::string& call : from.texts("unsupported")) card.unsupported.insert(call);
  if (from.has("unsupported_fields"))
    for (const int field : from.counts("unsupported_fields"))
      card.unsupported_fields.insert(static_cast<unsigned>(field));
}

void take_load(JsonFields& from, CardTruth& card) {
  if (from.has("power")) card.power = power_of(from.object("power"), card.power);
  if (from.has("clocks")) card.clocks = clocks_of(from.object("clocks"), card.clocks);
  if (from.has("temperature")) card.temperature = temperature_of(from.object("temperature"), card.temperature);
  if (from.has("link")) card.link = link_of(from.object("link"), card.link);
  if (from.has("utilization")) {
    JsonFields utilization = from.object("utilization");
    take(utilization, "gpu", card.gpu_utilization);
    take(utilization, "memory", card.memory_utilization);
    utilization.refuse_others();
  }
  if (from.has("idle_performance_state"))
    card.idle_performance_state = static_cast<int>(from.count("idle_performance_state", 0));
  take(from, "always_busy", card.always_busy);
  take(from, "idle_after_seconds", card.idle_after_seconds);
  take(from, "stale_readings", card.stale_readings);
}

void take_history(JsonFields& from, CardTruth& card) {
  if (from.has("held_down")) {
    card.held_down.clear();
    for (JsonFields& held : from.objects("held_down")) card.held_down.push_back(held_down_of(held));
  }
  if (from.has("held_down_before_seconds")) {
    JsonFields before = from.object("held_down_before_seconds");
    for (std::size_t i = 0; i < counted_reasons.size(); ++i)
      take(before, counted_reasons[i], card.held_down_before_seconds[i]);
    before.refuse_others();
  }
  take(from, "energy_before_j", card.energy_before_j);
  if (from.has("processes"))
    for (JsonFields& process : from.objects("processes")) card.processes.push_back(process_of(process));
  if (from.has("xids"))
    for (JsonFields& xid : from.objects("xids")) card.xids.push_back(xid_of(xid));
}

/// Memory that others hold is what CUDA does not give: both libraries have to tell the same.
void take_memory(JsonFields& from, CardTruth& card, const DeviceTruth& device) {
  const std::uint64_t not_free = device.memory_bytes - device.memory_free_bytes;
  std::uint64_t others = 0;
  for (const ProcessTruth& process : card.processes) {
    if (process.used_bytes.value_or(0) > not_free - others)
      from.refuse("processes", "hold more than memory_bytes less memory_free_bytes");
    others += process.used_bytes.value_or(0);
  }
  card.memory_reserved_bytes = not_free - others;
  take(from, "memory_reserved_bytes", card.memory_reserved_bytes);
  if (card.memory_reserved_bytes > not_free - others)
    from.refuse("memory_reserved_bytes", "is more than memory_bytes less memory_free_bytes and what processes hold");
}

unsigned mhz(double hz, double scale) { return static_cast<unsigned>(std::lround(std::min(hz * scale / 1e6, 1e6))); }

void scale_clocks(CardTruth& card, const DeviceTruth& device, double scale) {
  const unsigned sm = mhz(device.sm_clock_hz, scale);
  const unsigned memory = mhz(device.memory_clock_hz, scale);
  card.clocks = {.sm_mhz = sm,
                 .sm_idle_mhz = sm / 6,
                 .memory_mhz = memory,
                 .memory_idle_mhz = memory,
                 .application_sm_mhz = sm,
                 .application_memory_mhz = memory};
}

}  // namespace

std::optional<std::size_t> counter_of(const std::string& reason) {
  const auto* const found = std::find(counted_reasons.begin(), counted_reasons.end(), reason);
  if (found == counted_reasons.end()) return std::nullopt;
  return static_cast<std::size_t>(found - counted_reasons.begin());
}

unsigned long long bits_of_reason(const std::string& reason) {
  static const std::map<std::string, unsigned long long> all{
      {"application_clocks", nvml::reason_application_clocks},
      {"sw_power_cap", nvml::reason_sw_power_cap},
      {"hw_slowdown", nvml::reason_hw_slowdown},
      {"sync_boost", nvml::reason_sync_boost},
      {"sw_thermal", nvml::reason_sw_thermal},
      {"hw_thermal", nvml::reason_hw_thermal | nvml::reason_hw_slowdown},
      {"hw_power_brake", nvml::reason_hw_power_brake | nvml::reason_hw_slowdown},
      {"display_clock", nvml::reason_display_clock}};
  const auto found = all.find(reason);
  return found == all.end() ? 0 : found->second;
}

CardTruth usual_card(const DeviceTruth& device) {
  CardTruth card{.vbios = "90.00.00.00.01",
                 .part_number = "900-00000-0000-000",
                 .pci_device_id = 0x10de,
                 .pci_subsystem_id = 0x10de,
                 .power = {.idle_w = 30,
                           .load_w = 280,
                           .limit_w = 300,
                           .default_limit_w = 300,
                           .min_limit_w = 100,
                           .max_limit_w = 300,
                           .enforced_limit_w = 300},
                 .place = {0},
                 .held_down_before_seconds = {200.7, 1.5, 0, 0},  // as healthy machines have them
                 .energy_before_j = 1e8,
                 .idle_after_seconds = 0.05};
  card.board_id = static_cast<unsigned>(std::stoul(device.pci.substr(5, 2), nullptr, 16)) << 8U;
  card.memory_reserved_bytes = device.memory_bytes - device.memory_free_bytes;
  if (device.ecc) card.ecc = EccTruth{};
  if (device.ecc && device.major >= 8) card.rows = RowsTruth{};
  if (std::isfinite(device.throttle.at_seconds))
    card.held_down.push_back({.reason = "sw_thermal", .from_seconds = device.throttle.at_seconds});
  scale_clocks(card, device, 1);
  return card;
}

CardTruth card_of(JsonFields from, const DeviceTruth& device) {
  CardTruth card = usual_card(device);
  if (from.has("clock_scale")) scale_clocks(card, device, from.positive("clock_scale"));
  take_identity(from, card);
  if (from.has("ecc")) card.ecc = ecc_of(from.object("ecc"), {.on = device.ecc});
  if (card.ecc && card.ecc->on != device.ecc) from.refuse("ecc", "is not what the device says of it");
  if (from.has("remapped_rows")) card.rows = rows_of(from.object("remapped_rows"));
  take_modes(from, card);
  take_load(from, card);
  take_history(from, card);
  take_memory(from, card, device);
  from.refuse_others();
  return card;
}

}  // namespace warpmark::fakes
