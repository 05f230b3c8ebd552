// SPDX-License-Identifier: Apache-2.0
#include "harness/run/device_json.h"

namespace warpmark {
namespace {

using nlohmann::json;

json known_or_null(double value) { return value > 0 ? json(value) : json(nullptr); }

CeilingKind kind_named(std::string_view name) {
  for (const CeilingKind kind : {CeilingKind::derived, CeilingKind::measured})
    if (name_of(kind) == name) return kind;
  return CeilingKind::unknown;
}

}  // namespace

json to_json(const Ceilings& ceilings) {
  json all = json::object();
  for (const auto& [name, ceiling] : ceilings)
    all[name] = {{"value", ceiling.value ? json(*ceiling.value) : json(nullptr)},
                 {"unit", ceiling.unit},
                 {"kind", name_of(ceiling.kind)},
                 {"derivation", ceiling.derivation}};
  return all;
}

json to_json(const DeviceInfo& device) {
  return {{"id", device.id},
          {"backend", device.backend},
          {"name", device.name},
          {"units", device.units},
          {"memory_bytes", device.memory_bytes},
          {"last_level_cache_bytes", device.last_level_cache_bytes},
          {"max_clock_hz", known_or_null(device.max_clock_hz)},
          {"ceilings", to_json(device.ceilings)},
          {"facts", device.facts}};
}

Ceilings ceilings_from_json(const json& all) {
  Ceilings ceilings;
  for (const auto& [name, ceiling] : all.items()) {
    Ceiling& c = ceilings[name];
    if (!ceiling.at("value").is_null()) c.value = ceiling.at("value").get<double>();
    c.unit = ceiling.at("unit").get<std::string>();
    c.kind = kind_named(ceiling.at("kind").get<std::string>());
    c.derivation = ceiling.at("derivation").get<std::string>();
  }
  return ceilings;
}

DeviceInfo device_from_json(const json& j) {
  DeviceInfo device;
  device.id = j.at("id").get<std::string>();
  device.backend = j.at("backend").get<std::string>();
  device.name = j.at("name").get<std::string>();
  device.units = j.at("units").get<std::int64_t>();
  device.memory_bytes = j.at("memory_bytes").get<std::int64_t>();
  device.last_level_cache_bytes = j.at("last_level_cache_bytes").get<std::int64_t>();
  if (!j.at("max_clock_hz").is_null()) device.max_clock_hz = j.at("max_clock_hz").get<double>();
  device.ceilings = ceilings_from_json(j.at("ceilings"));
  device.facts = j.at("facts");
  return device;
}

}  // namespace warpmark
