// SPDX-License-Identifier: Apache-2.0
// Scenario files of simulated machines.
#include <cmath>

#include "tests/fakes/machine/scenario.h"
#include "tests/fuzz/expectation.h"
#include "tests/fuzz/fuzzer.h"

namespace warpmark {
namespace {

void expect_card(const fakes::CardTruth& card, const fakes::DeviceTruth& device) {
  std::uint64_t taken = card.memory_reserved_bytes;
  for (const fakes::ProcessTruth& process : card.processes) taken += process.used_bytes.value_or(0);
  expect(taken <= device.memory_bytes - device.memory_free_bytes, "memory of others is not free");
  expect(!card.place.empty(), "a card is somewhere");
  expect(!card.ecc || card.ecc->on == device.ecc, "CUDA and NVML say the same of ECC");
  for (const fakes::HeldDown& held : card.held_down)
    expect(fakes::bits_of_reason(held.reason) != 0, "a clock is held down for a reason");
}

void expect_device(const fakes::DeviceTruth& device) {
  expect(!device.name.empty() && device.uuid.starts_with("GPU-"), "a device has names");
  expect(device.major > 0 && device.minor >= 0 && device.sms > 0, "a device has a capability and SMs");
  expect(device.memory_free_bytes > 0 && device.memory_free_bytes <= device.memory_bytes, "free memory is there");
  for (const double positive : {device.sm_clock_hz, device.memory_clock_hz, device.memory_bandwidth,
                                device.l2_bandwidth, device.link_bandwidth, device.throttle.factor})
    expect(positive > 0 && std::isfinite(positive), "what time is divided by is positive");
  for (const auto& [name, unit] : device.units)
    expect(unit.flop_per_clock > 0 && unit.share > 0, "a unit of a device does something");
  expect_card(device.card, device);
}

void expect_fault(const fakes::Fault& fault) {
  expect(fault.call.empty() != fault.kernel.empty(), "a fault is of a call or of a kernel");
  int ways = fault.code != 0 ? 1 : 0;
  for (const bool way : {fault.spoil, fault.hang, fault.crash, fault.absent, fault.lost}) ways += way ? 1 : 0;
  expect(ways == 1, "a fault does one thing");
}

}  // namespace

bool fuzz(std::string_view input) {
  const auto scenario =
      unless_refused<fakes::BadScenario>([&] { return fakes::parse_scenario(input, "machine.json"); });
  if (!scenario) return false;
  for (const fakes::DeviceTruth& device : scenario->devices) expect_device(device);
  for (const fakes::Fault& fault : scenario->faults) expect_fault(fault);
  return true;
}

}  // namespace warpmark
