// SPDX-License-Identifier: Apache-2.0
// Functions of NVML: how the card fares at this moment.
#include <cmath>

#include "tests/fakes/nvml/calls.h"

namespace warpmark::fakes::calls {
namespace {

unsigned milliwatts(double watts) { return static_cast<unsigned>(std::lround(std::min(watts * 1e3, 4e9))); }

void tell_power(Cards& cards, Device device, double PowerTruth::*which, unsigned* to) {
  need_all(to);
  *to = milliwatts(cards.card(device).truth().power.*which);
}

unsigned celsius(const LiveCard& card) {
  const TemperatureTruth& temperature = card.truth().temperature;
  return card.is_busy() ? temperature.load_c : temperature.idle_c;
}

enum class Which { now, highest, application };

unsigned clock_of(const LiveCard& card, int type, Which which) {
  const ClocksTruth& clocks = card.truth().clocks;
  switch (type) {
    case nvml::clock_graphics:
    case nvml::clock_sm:
    case nvml::clock_video:
      if (which == Which::now) return card.sm_mhz();
      return which == Which::highest ? clocks.sm_mhz : clocks.application_sm_mhz;
    case nvml::clock_memory:
      if (which == Which::now) return card.is_busy() ? clocks.memory_mhz : clocks.memory_idle_mhz;
      return which == Which::highest ? clocks.memory_mhz : clocks.application_memory_mhz;
    default: throw NvmlRefusal{nvml::invalid_argument};
  }
}

}  // namespace

void DeviceGetClockInfo(Cards& cards, Device device, int type, unsigned* mhz) {
  need_all(mhz);
  *mhz = clock_of(cards.card(device), type, Which::now);
}

void DeviceGetMaxClockInfo(Cards& cards, Device device, int type, unsigned* mhz) {
  need_all(mhz);
  *mhz = clock_of(cards.card(device), type, Which::highest);
}

void DeviceGetApplicationsClock(Cards& cards, Device device, int type, unsigned* mhz) {
  constexpr int last_release = 590;  // that answers it no longer
  need_all(mhz);
  if (cards.release() >= last_release) throw NvmlRefusal{nvml::deprecated_function};
  *mhz = clock_of(cards.card(device), type, Which::application);
}

void DeviceGetPowerUsage(Cards& cards, Device device, unsigned* mw) {
  LiveCard& card = cards.card(device);
  tell_power(cards, device, card.looks_busy() ? &PowerTruth::load_w : &PowerTruth::idle_w, mw);
}

void DeviceGetEnforcedPowerLimit(Cards& cards, Device device, unsigned* mw) {
  tell_power(cards, device, &PowerTruth::enforced_limit_w, mw);
}

void DeviceGetPowerManagementLimit(Cards& cards, Device device, unsigned* mw) {
  tell_power(cards, device, &PowerTruth::limit_w, mw);
}

void DeviceGetPowerManagementDefaultLimit(Cards& cards, Device device, unsigned* mw) {
  tell_power(cards, device, &PowerTruth::default_limit_w, mw);
}

void DeviceGetPowerManagementLimitConstraints(Cards& cards, Device device, unsigned* least, unsigned* most) {
  tell_power(cards, device, &PowerTruth::min_limit_w, least);
  tell_power(cards, device, &PowerTruth::max_limit_w, most);
}

void DeviceGetTemperature(Cards& cards, Device device, int sensor, unsigned* to) {
  need_all(to);
  if (sensor != 0) throw NvmlRefusal{nvml::invalid_argument};
  *to = celsius(cards.card(device));
}

void DeviceGetTemperatureV(Cards& cards, Device device, TemperatureV1* to) {
  need_all(to);
  if (to->version != nvml::temperature_v1_version) throw NvmlRefusal{nvml::argument_version_mismatch};
  if (to->sensor != 0) throw NvmlRefusal{nvml::invalid_argument};
  to->celsius = static_cast<int>(celsius(cards.card(device)));
}

void DeviceGetTemperatureThreshold(Cards& cards, Device device, int which, unsigned* to) {
  need_all(to);
  const TemperatureTruth& temperature = cards.card(device).truth().temperature;
  if (which == nvml::threshold_shutdown)
    *to = temperature.shutdown_c;
  else if (which == nvml::threshold_slowdown)
    *to = temperature.slowdown_c;
  else
    throw NvmlRefusal{which == nvml::threshold_memory || which == nvml::threshold_gpu ? nvml::not_supported
                                                                                      : nvml::invalid_argument};
}

void DeviceGetCurrentClocksEventReasons(Cards& cards, Device device, unsigned long long* bits) {
  need_all(bits);
  *bits = cards.card(device).reasons();
}

void DeviceGetCurrentClocksThrottleReasons(Cards& cards, Device device, unsigned long long* bits) {
  DeviceGetCurrentClocksEventReasons(cards, device, bits);
}

void DeviceGetUtilizationRates(Cards& cards, Device device, Utilization* to) {
  need_all(to);
  LiveCard& card = cards.card(device);
  *to = card.looks_busy() ? Utilization{.gpu = card.truth().gpu_utilization, .memory = card.truth().memory_utilization}
                          : Utilization{};
}

void DeviceGetPerformanceState(Cards& cards, Device device, int* state) {
  need_all(state);
  const LiveCard& card = cards.card(device);
  *state = card.is_busy() ? 0 : card.truth().idle_performance_state;
}

}  // namespace warpmark::fakes::calls
