// SPDX-License-Identifier: Apache-2.0
// Parts of the card of NVML: power, clocks, temperature, and how busy it is. All of the moment, but for limits.
#include "harness/telemetry/nvml/card_parts.h"

namespace warpmark::nvml {
namespace {

using nlohmann::json;

double watts(unsigned milliwatts) { return milliwatts / 1e3; }
double hertz(unsigned megahertz) { return megahertz * 1e6; }

/// The newer question first; R580 calls the older one deprecated.
Answer<int> celsius_now(const Asked& gpu) {
  constexpr int of_the_gpu = 0;
  const auto newer = ask_from(TemperatureV1{.version = temperature_v1_version, .sensor = of_the_gpu, .celsius = 0},
                              gpu.functions.DeviceGetTemperatureV, gpu.device);
  if (newer.value) return {.value = newer.value->celsius};
  const auto older = ask<unsigned>(gpu.functions.DeviceGetTemperature, gpu.device, of_the_gpu);
  if (older.value) return {.value = static_cast<int>(*older.value)};
  return {.value = std::nullopt, .why = older.why, .code = older.code};
}

}  // namespace

json power(const Asked& gpu) {
  const Functions& functions = gpu.functions;
  Members members(gpu.what + ".power", gpu.denied);
  const auto put = [&](const char* name, const Function<Device, unsigned*>& function) {
    members.put(name, ask<unsigned>(function, gpu.device), watts);
  };
  put("draw_w", functions.DeviceGetPowerUsage);
  put("limit_w", functions.DeviceGetPowerManagementLimit);
  put("default_limit_w", functions.DeviceGetPowerManagementDefaultLimit);
  put("enforced_limit_w", functions.DeviceGetEnforcedPowerLimit);
  const auto bounds = ask_pair<unsigned>(functions.DeviceGetPowerManagementLimitConstraints, gpu.device);
  members.put("min_limit_w", first_of(bounds), watts);
  members.put("max_limit_w", second_of(bounds), watts);
  return members.section();
}

json clocks(const Asked& gpu) {
  const Functions& functions = gpu.functions;
  Members members(gpu.what + ".clocks", gpu.denied);
  const auto put = [&](const char* name, const Function<Device, int, unsigned*>& function, ClockType type) {
    members.put(name, ask<unsigned>(function, gpu.device, type), hertz);
  };
  put("sm_hz", functions.DeviceGetClockInfo, clock_sm);
  put("memory_hz", functions.DeviceGetClockInfo, clock_memory);
  put("max_sm_hz", functions.DeviceGetMaxClockInfo, clock_sm);
  put("max_memory_hz", functions.DeviceGetMaxClockInfo, clock_memory);
  put("application_sm_hz", functions.DeviceGetApplicationsClock, clock_sm);
  return members.section();
}

json temperature(const Asked& gpu) {
  Members members(gpu.what + ".temperature", gpu.denied);
  members.put("now_c", celsius_now(gpu));
  const auto put = [&](const char* name, Threshold threshold) {
    members.put(name, ask<unsigned>(gpu.functions.DeviceGetTemperatureThreshold, gpu.device, threshold));
  };
  put("slowdown_c", threshold_slowdown);
  put("shutdown_c", threshold_shutdown);
  return members.section();
}

json utilization(const Asked& gpu) {
  Members members(gpu.what + ".utilization", gpu.denied);
  const auto rates = ask<Utilization>(gpu.functions.DeviceGetUtilizationRates, gpu.device);
  members.put("gpu", rates, [](const Utilization& percent) { return percent.gpu / 1e2; });
  members.put("memory", rates, [](const Utilization& percent) { return percent.memory / 1e2; });
  return members.section();
}

}  // namespace warpmark::nvml
