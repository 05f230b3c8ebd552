// SPDX-License-Identifier: Apache-2.0
// Reads the first card over NVML so often as its second argument says, 5 ms apart, and prints each reading as a line of
// JSON: in the role of the sampler, by its first argument, it does so by the simulated machine's time.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/telemetry/nvml/library.h"

namespace {

using namespace warpmark::nvml;

nlohmann::json reading(const Functions& call, Device card) {
  FieldValue fields[4] = {};
  const Field ids[] = {field_energy_mj, field_time_thermal, field_pcie_sent_bytes, field_pcie_received_bytes};
  for (std::size_t i = 0; i < std::size(ids); ++i) fields[i].field = ids[i];
  (void)call.DeviceGetFieldValues.call(card, 4, fields);
  ProcessInfo processes[4] = {};
  unsigned count = 4;
  (void)call.DeviceGetComputeRunningProcesses_v3.call(card, &count, processes);
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {{"seconds", std::chrono::duration<double>(now).count()},
          {"mw", ask<unsigned>(call.DeviceGetPowerUsage, card).value.value_or(0)},
          {"mhz", ask<unsigned>(call.DeviceGetClockInfo, card, int{clock_sm}).value.value_or(0)},
          {"reasons", ask<unsigned long long>(call.DeviceGetCurrentClocksEventReasons, card).value.value_or(0)},
          {"used_bytes", ask<Memory>(call.DeviceGetMemoryInfo, card).value.value_or(Memory{}).used},
          {"energy_mj", fields[0].value.ull},
          {"thermal_ns", fields[1].value.ull},
          {"sent_bytes", fields[2].value.ull},
          {"received_bytes", fields[3].value.ull},
          {"processes", count}};
}

}  // namespace

int main(int count, char** words) {
  const Opened opened = open_library();
  Device card = nullptr;
  if (!opened.problem.empty() || opened.functions.DeviceGetHandleByIndex_v2.call(0, &card) != success) return 1;
  for (int left = count > 2 ? std::atoi(words[2]) : 1; left > 0; --left) {
    std::printf("%s\n", reading(opened.functions, card).dump().c_str());
    std::fflush(stdout);
    if (left > 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return 0;
}
