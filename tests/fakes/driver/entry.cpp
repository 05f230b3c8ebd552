// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/driver/entry.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

namespace warpmark::fakes {
namespace {

/// Of the whole process.
struct Running {
  Running() = default;
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (simulation) simulation->abandon_memory();
  }

  std::unique_ptr<Simulation> simulation{};
};

std::optional<Scenario> told{};
Running running{};
thread_local CUcontext current_context = nullptr;

Scenario scenario_of_environment() {
  const char* const path = std::getenv("SIMULATED_MACHINE");
  if (path == nullptr || *path == '\0') {
    std::fputs(
        "the simulated libcuda.so.1 was loaded and SIMULATED_MACHINE is not set: name a scenario, such as "
        "tests/fakes/machines/h200.json\n",
        stderr);
    throw Refusal{CUDA_ERROR_FILE_NOT_FOUND};
  }
  try {
    return read_scenario(path);
  } catch (const BadScenario& bad) {
    std::fprintf(stderr, "SIMULATED_MACHINE: %s\n", bad.what());
    throw Refusal{CUDA_ERROR_INVALID_VALUE};
  }
}

}  // namespace

void restart(Scenario scenario) {
  const std::scoped_lock lock(entry_lock());
  running.simulation.reset();
  told = std::move(scenario);
  current_context = nullptr;
}

Simulation& simulation() {
  if (!running.simulation) throw Refusal{CUDA_ERROR_NOT_INITIALIZED};
  return *running.simulation;
}

const Scenario& scenario() {
  if (!told) told = scenario_of_environment();
  return *told;
}

void start_simulation() {
  if (const int code = scenario().init_code; code != CUDA_SUCCESS) throw Refusal{static_cast<CUresult>(code)};
  if (const CUresult code = FaultPlan(scenario().faults, {}).of_call("cuInit"); code != CUDA_SUCCESS)
    throw Refusal{code};
  if (running.simulation) return;
  auto made = std::make_unique<Simulation>(scenario(), std::getenv("CUDA_VISIBLE_DEVICES"));
  if (made->device_count() == 0) throw Refusal{CUDA_ERROR_NO_DEVICE};
  running.simulation = std::move(made);
}

SimulatedDevice& current_device() {
  SimulatedDevice& device = simulation().device_of(current_context);
  if (const CUresult code = device.lost_by(); code != CUDA_SUCCESS) throw Refusal{code};
  return device;
}

void lose_current_device(CUresult code) {
  if (current_context != nullptr) current_device().lose(code);
}

void set_current_context(CUcontext context) { current_context = context; }

std::mutex& entry_lock() {
  static std::mutex lock;
  return lock;
}

void hang() {
  for (;;) pause();
}

}  // namespace warpmark::fakes
