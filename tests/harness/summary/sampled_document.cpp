// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/summary/sampled_document.h"

#include "tests/reports/made_document.h"

namespace warpmark {

using nlohmann::json;

json quiet_sampled() {
  return json::parse(R"({
    "readings": 40, "period_seconds": 0.03, "off": false,
    "clock_hz": {"median": 1.71e9, "min": 1.2e9, "max": 1.98e9},
    "power_w": {"median": 612.4, "min": 120, "max": 688},
    "temperature_c": {"median": 64, "min": 48, "max": 71},
    "utilization": {"median": 0.97, "min": 0, "max": 1},
    "pcie": {"generation": {"min": 1, "max": 5}, "width": {"min": 16, "max": 16}, "max_generation": 5, "max_width": 16},
    "held_down": [{"reason": "idle", "kind": "benign", "share": 0.9, "seconds": 1.1}],
    "ecc": {"corrected": 0, "uncorrected": 0}, "remapped_rows": 0, "xids": [], "foreign_processes": 0,
    "series": {"at": [0, 0.25], "clock_hz": [1.7e9, 1.72e9], "power_w": [600, 610], "temperature_c": [63, 64]},
    "denied": []})");
}

json sampled_with(const std::vector<std::pair<std::string, json>>& changes) {
  json sampled = quiet_sampled();
  for (const auto& [pointer, value] : changes) sampled[json::json_pointer(pointer)] = value;
  return sampled;
}

json held_by(const std::string& reason, double share) {
  return sampled_with({{"/held_down", json::array({{{"reason", reason}, {"kind", "expected"}, {"share", share}}})}});
}

Document sampled_run(std::size_t count, std::size_t hit, const json& sampled) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back(made_record({.device = "cuda:0", .size = static_cast<std::int64_t>(i)}));
    records.back().telemetry = {
        {"window", {{"begin", 100.0 + static_cast<double>(i)}, {"end", 101.0 + static_cast<double>(i)}}},
        {"sampled", i < hit ? sampled : quiet_sampled()}};
  }
  Document document = made_document(std::move(records));
  document.run["repeats"] = 1;
  document.devices[0] = {{"id", "cuda:0"},
                         {"backend", "cuda"},
                         {"name", "A GPU"},
                         {"max_clock_hz", 1.98e9},
                         {"facts", {{"pci", "0000:1B:00.0"}, {"uuid", "GPU-1"}}}};
  document.machine["nvidia"]["gpus"] = json::array({{{"pci", "0000:1b:00.0"},
                                                     {"uuid", "GPU-1"},
                                                     {"name", "A GPU"},
                                                     {"virtualization", "none"},
                                                     {"power", {{"limit_w", 700}, {"default_limit_w", 700}}}}});
  return document;
}

}  // namespace warpmark
