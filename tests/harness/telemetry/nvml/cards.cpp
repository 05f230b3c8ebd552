// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/telemetry/nvml/cards.h"

#include <fmt/format.h>

#include "harness/telemetry/gpus.h"

namespace warpmark::nvml {

using nlohmann::json;

json h200() {
  return json::parse(
      R"({"index":0,"name":"NVIDIA H200","uuid":"GPU-11111111-2222-3333-4444-555555555555","pci":"0000:1b:00.0",
    "pci_ids":{"device":"0x233510de","subsystem":"0x18be10de"},
    "board":{"id":6912,"part_number":"692-2G520-0280-501","vbios":"96.00.BC.00.01"},
    "compute_capability":"9.0","cuda_cores":16896,
    "memory":{"total_bytes":150754820096,"reserved_bytes":634208256,"used_bytes":634208256,"usable_bytes":150120611840,"bus_bits":6144},
    "ecc":{"on":true,"after_restart":true,"corrected":0,"uncorrected":0,"corrected_ever":0,"uncorrected_ever":0},
    "remapped_rows":{"corrected":0,"uncorrected":0,"pending":false,"failed":false},
    "power":{"draw_w":76.3,"limit_w":700.0,"default_limit_w":700.0,"min_limit_w":200.0,"max_limit_w":700.0,"enforced_limit_w":700.0},
    "clocks":{"sm_hz":345e6,"memory_hz":3201e6,"max_sm_hz":1980e6,"max_memory_hz":3201e6,"application_sm_hz":null},
    "temperature":{"now_c":28,"slowdown_c":87,"shutdown_c":92},
    "link":{"generation":1,"width":16,"max_generation":5,"max_width":16,"gpu_max_generation":5},
    "mig":{"on":false,"after_restart":false,"instances":[]},
    "virtualization":"passthrough","persistence":true,"compute_mode":"default","performance_state":0,
    "utilization":{"gpu":0.0,"memory":0.0},"nvlink":{"links":18,"active":18,"version":4},"numa_node":0,"peers":[],
    "processes":{"count":0,"used_bytes":0,"list":[]}})");
}

json with(json gpu, std::initializer_list<std::pair<const char*, json>> changes) {
  for (const auto& [pointer, value] : changes) gpu[json::json_pointer(pointer)] = value;
  return gpu;
}

json eight_h100() {
  json gpus = json::array();
  for (int i = 0; i < 8; ++i) {
    json peers = json::array();
    for (int other = 0; other < 8; ++other)
      if (other != i)
        peers.push_back({{"pci", fmt::format("0000:{:02x}:00.0", 0x1b + 16 * other)},
                         {"path", other / 4 == i / 4 ? "NUMA node" : "across nodes"}});
    gpus.push_back(
        with(h200(),
             {{"/index", i},
              {"/name", "NVIDIA H100 80GB HBM3"},
              {"/uuid", fmt::format("GPU-{:08x}-2222-3333-4444-555555555555", i)},
              {"/pci", fmt::format("0000:{:02x}:00.0", 0x1b + 16 * i)},
              {"/pci_ids/device", "0x233010de"},
              {"/board/id", 6912 + 4096 * i},
              {"/memory", json::parse(R"({"total_bytes":85520809984,"reserved_bytes":612368384,"used_bytes":612368384,
                                           "usable_bytes":84908441600,"bus_bits":5120})")},

              {"/power/draw_w", 70 + i},
              {"/numa_node", i / 4},
              {"/peers", peers}}));
  }
  return gpus;
}

json divided_h100() {
  const json instances = json::parse(R"([
    {"uuid":"MIG-1","gpu_instance":1,"compute_instance":0,"multiprocessors":60,"memory_bytes":42412802048},
    {"uuid":"MIG-2","gpu_instance":5,"compute_instance":0,"multiprocessors":16,"memory_bytes":10334765056}])");
  return with(h200(),
              {{"/name", "NVIDIA H100 80GB HBM3"},
               {"/memory", json::parse(R"({"total_bytes":85520809984,"reserved_bytes":612368384,"used_bytes":612368384,
                                           "usable_bytes":84908441600,"bus_bits":5120})")},
               {"/mig/on", true},
               {"/mig/after_restart", true},
               {"/mig/instances", instances},
               {"/utilization", nullptr},
               {"/remapped_rows", nullptr},
               {"/cuda_cores", nullptr},
               {"/nvlink", nullptr}});
}

json rtx4090() {
  return with(h200(),
              {{"/name", "NVIDIA GeForce RTX 4090"},
               {"/pci", "0000:01:00.0"},
               {"/pci_ids/device", "0x268410de"},
               {"/board/part_number", nullptr},
               {"/board/vbios", "95.02.18.80.5F"},
               {"/compute_capability", "8.9"},
               {"/cuda_cores", 16384},
               {"/memory", json::parse(R"({"total_bytes":25757220864,"reserved_bytes":360710144,"used_bytes":561577984,
                                           "usable_bytes":25396510720,"bus_bits":384})")},
               {"/ecc", nullptr},
               {"/remapped_rows", nullptr},
               {"/power", json::parse(R"({"draw_w":17.2,"limit_w":450.0,"default_limit_w":450.0,"min_limit_w":150.0,
                                          "max_limit_w":600.0,"enforced_limit_w":450.0})")},
               {"/clocks", json::parse(R"({"sm_hz":210e6,"memory_hz":405e6,"max_sm_hz":3105e6,"max_memory_hz":10501e6,
                                           "application_sm_hz":null})")},
               {"/link", json::parse(R"({"generation":1,"width":16,"max_generation":4,"max_width":16,
                                         "gpu_max_generation":4})")},
               {"/mig", nullptr},
               {"/nvlink", nullptr},
               {"/virtualization", "none"},
               {"/persistence", false},
               {"/performance_state", 8}});
}

json card_of(const json& gpus, const json& denied) {
  return {{"nvml",
           {{"path", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.65.06"},
            {"version", "13.580.65.06"},
            {"driver_version", "580.65.06"},
            {"cuda_version", "13.0"},
            {"why", nullptr}}},
          {"gpus", gpus},
          {"denied", denied}};
}

json machine_of(const json& gpus, const json& denied) {
  json machine{{"nvidia", {{"present", false}, {"evidence", "nothing"}, {"gpus", json::array()}}},
               {"software", {{"driver", "580.65.06"}, {"driver_flavour", "open kernel module"}}},
               {"denied", json::array()}};
  add_nvml(machine, card_of(gpus, denied));
  return machine;
}

}  // namespace warpmark::nvml
