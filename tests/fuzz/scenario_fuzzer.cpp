// SPDX-License-Identifier: Apache-2.0
// Scenario files of simulated machines.
#include <cmath>

#include "tests/fakes/machine/scenario.h"
#include "tests/fuzz/expectation.h"
#include "tests/fuzz/fuzzer.h"

namespace warpmark {
namespace {

void expect_device(const fakes::DeviceTruth& device) {
  expect(!device.name.empty() && device.uuid.starts_with("GPU-"), "a device has names");
  expect(device.major > 0 && device.minor >= 0 && device.sms > 0, "a device has a capability and SMs");
  expect(device.memory_free_bytes > 0 && device.memory_free_bytes <= device.memory_bytes, "free memory is there");
  for (const double positive : {device.sm_clock_hz, device.memory_clock_hz, device.memory_bandwidth,
                                device.l2_bandwidth, device.link_bandwidth, device.throttle.factor})
    expect(positive > 0 && std::isfinite(positive), "what time is divided by is positive");
  for (const auto& [name, unit] : device.units)
    expect(unit.flop_per_clock > 0 && unit.share > 0, "a unit of a device does something");
}

void expect_fault(const fakes::Fault& fault) {
  expect(fault.call.empty() != fault.kernel.empty(), "a fault is of a call or of a kernel");
  expect((fault.code != 0 ? 1 : 0) + (fault.spoil ? 1 : 0) + (fault.hang ? 1 : 0) == 1, "a fault does one thing");
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
