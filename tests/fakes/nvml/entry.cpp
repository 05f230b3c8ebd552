// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/nvml/entry.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>

namespace warpmark::fakes {
namespace {

/// Of the whole process.
struct Started {
  std::unique_ptr<Cards> cards{};
  int holds = 0;
};
Started started{};

std::string path_of_environment() {
  const char* const path = std::getenv("SIMULATED_MACHINE");
  return path == nullptr ? "" : path;
}

/// Not again for each of the functions that the program looks for. Empty: all is well.
void complain(const std::string& why) {
  static std::string last;
  if (!why.empty() && why != last) std::fprintf(stderr, "%s\n", why.c_str());
  last = why;
}

Scenario scenario_of(const std::string& path) {
  if (path.empty()) {
    complain(
        "the simulated libnvidia-ml.so.1 was loaded and SIMULATED_MACHINE is not set: name a scenario, such as "
        "tests/fakes/machines/h200.json");
    throw NvmlRefusal{nvml::driver_not_loaded};
  }
  try {
    Scenario scenario = read_scenario(path);
    complain("");
    return scenario;
  } catch (const BadScenario& bad) {
    complain(std::string("SIMULATED_MACHINE: ") + bad.what());
    throw NvmlRefusal{nvml::unknown_error};
  }
}

/// Functions that came with a release of the driver that may be newer than a scenario's.
struct Since {
  std::string_view call{};
  int release = 0;
};
constexpr std::array newer{Since{"nvmlDeviceGetMemoryInfo_v2", 510},
                           Since{"nvmlDeviceGetComputeRunningProcesses_v3", 510},
                           Since{"nvmlDeviceGetNumGpuCores", 510},
                           Since{"nvmlDeviceGetMemoryBusWidth", 510},
                           Since{"nvmlDeviceGetGpuMaxPcieLinkGeneration", 510},
                           Since{"nvmlDeviceGetNumaNodeId", 530},
                           Since{"nvmlDeviceGetCurrentClocksEventReasons", 535},
                           Since{"nvmlDeviceGetTemperatureV", 565}};

/// What a card in MIG mode says of itself no longer; its instances have some of it.
const std::set<std::string_view> not_under_mig{
    "nvmlDeviceGetUtilizationRates", "nvmlDeviceGetComputeRunningProcesses_v3",
    "nvmlDeviceGetMemoryBusWidth",   "nvmlDeviceGetNumGpuCores",
    "nvmlDeviceGetNvLinkState",      "nvmlDeviceGetNvLinkVersion",
    "nvmlDeviceGetRemappedRows",     "nvmlDeviceGetComputeMode"};
const std::set<std::string_view> of_instances{
    "nvmlDeviceGetName",          "nvmlDeviceGetUUID",          "nvmlDeviceGetMemoryInfo",
    "nvmlDeviceGetMemoryInfo_v2", "nvmlDeviceGetGpuInstanceId", "nvmlDeviceGetComputeInstanceId",
    "nvmlDeviceGetAttributes_v2", "nvmlDeviceGetComputeMode",   "nvmlDeviceGetComputeRunningProcesses_v3"};
const std::set<std::string_view> of_instances_alone{"nvmlDeviceGetGpuInstanceId", "nvmlDeviceGetComputeInstanceId",
                                                    "nvmlDeviceGetAttributes_v2"};

bool is_supported(const Cards& cards, std::string_view call, nvml::Device device) {
  const CardTruth& truth = cards.card(device).truth();
  if (truth.unsupported.contains(std::string(call))) return false;
  if (cards.instance(device) != nullptr) return of_instances.contains(call);
  return !of_instances_alone.contains(call) && !(truth.mig && truth.mig->on && not_under_mig.contains(call));
}

}  // namespace

std::mutex& nvml_lock() {
  static std::mutex lock;
  return lock;
}

Cards& simulated_cards() {
  const std::string path = started.holds > 0 ? started.cards->scenario().path : path_of_environment();
  if (!started.cards || started.cards->scenario().path != path) {
    started.cards.reset();
    started.cards = std::make_unique<Cards>(scenario_of(path));
  }
  return *started.cards;
}

Cards& started_cards() {
  if (started.holds == 0) throw NvmlRefusal{nvml::uninitialized};
  return *started.cards;
}

void start_nvml() {
  (void)simulated_cards();
  ++started.holds;
}

void shut_nvml_down() {
  if (--started.holds == 0) started.cards.reset();
}

bool lacks_function(const char* call) {
  try {
    const std::scoped_lock lock(nvml_lock());
    Cards& cards = simulated_cards();
    for (const Since& each : newer)
      if (each.call == call && cards.release() < each.release) return true;
    return cards.faults().is_absent(call);
  } catch (const NvmlRefusal&) {
    return false;  // nvmlInit says so
  }
}

void check_call(Cards& cards, const char* call) {
  if (const int code = cards.faults().of_call(call); code != nvml::success) throw NvmlRefusal{code};
}

void check_call(Cards& cards, const char* call, nvml::Device device) {
  const LiveCard& card = cards.card(device);
  if (const int code = cards.faults().of_call(call, card.ordinal()); code != nvml::success) throw NvmlRefusal{code};
  if (cards.faults().is_lost(card.ordinal())) throw NvmlRefusal{nvml::gpu_is_lost};
  if (!is_supported(cards, call, device)) throw NvmlRefusal{nvml::not_supported};
}

void hang_for_ever() {
  for (;;) pause();
}

}  // namespace warpmark::fakes
