// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/sampling/gpu_sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "harness/core/instant.h"

namespace warpmark::nvml {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double per_mega = 1e6;
constexpr double per_milli = 1e-3;
constexpr double per_nano = 1e-9;
constexpr double percent = 0.01;
constexpr std::string_view fields_in_one = "fields";

/// The member of a record's telemetry.
std::string name(Quantity quantity) {
  if (quantity == Quantity::link_generation) return "pcie.generation";
  if (quantity == Quantity::link_width) return "pcie.width";
  return std::string(quantity_names.at(static_cast<std::size_t>(quantity)));
}

/// Whether the same call will be refused again: a lost GPU may come back, a function does not.
bool lasts(Return code) {
  return code == not_supported || code == function_not_found || code == no_permission || code == deprecated_function ||
         code == argument_version_mismatch;
}

/// NaN for one that this GPU or driver does not have.
double value_of(const FieldValue& field) { return field.code == success ? number_of(field).value_or(nan) : nan; }

}  // namespace

Reading GpuSampler::read() {
  Reading reading;
  reading.at_seconds = monotonic_seconds();
  take_fields(reading);
  take<unsigned>(reading, Quantity::clock_hz, per_mega, library_.DeviceGetClockInfo, device_, int{clock_sm});
  take<unsigned>(reading, Quantity::memory_clock_hz, per_mega, library_.DeviceGetClockInfo, device_, int{clock_memory});
  take_temperature(reading);
  take_load(reading);
  take<unsigned>(reading, Quantity::link_generation, 1, library_.DeviceGetCurrPcieLinkGeneration, device_);
  take<unsigned>(reading, Quantity::link_width, 1, library_.DeviceGetCurrPcieLinkWidth, device_);
  take_reasons(reading);
  return reading;
}

bool GpuSampler::is_refused(std::string_view function, std::string_view what) const {
  return std::any_of(refused_.begin(), refused_.end(),
                     [&](const auto& each) { return each.first == function && each.second == what; });
}

void GpuSampler::refuse(std::string_view function, std::string_view what, Return code) {
  if (lasts(code)) refused_.emplace_back(function, what);
  deny(what, why_not(code, function));
}

void GpuSampler::allow(std::string_view what) {
  std::erase_if(denied_, [what](const Denied& each) { return each.what == what; });
}

void GpuSampler::deny(std::string_view what, std::string why) {
  const bool is_known =
      std::any_of(denied_.begin(), denied_.end(), [what](const Denied& each) { return each.what == what; });
  if (!is_known) denied_.push_back({.what = std::string(what), .why = std::move(why)});
}

template <class T, class... Parameters, class... Before>
void GpuSampler::take(Reading& reading, Quantity to, double unit, const Function<Parameters...>& function,
                      Before... before) {
  if (is_refused(function.name, name(to))) return;
  const Answer<T> answer = ask<T>(function, before...);
  if (answer.value) {
    reading[to] = unit * static_cast<double>(*answer.value);
    allow(name(to));
  } else {
    refuse(function.name, name(to), answer.code);
  }
}

/// One call for many numbers.
void GpuSampler::take_fields(Reading& reading) {
  constexpr std::array<unsigned, 7> wanted{field_power_instant_mw,   field_memory_celsius, field_energy_mj,
                                           field_time_power_cap,     field_time_thermal,   field_pcie_sent_bytes,
                                           field_pcie_received_bytes};
  enum : std::size_t { power, memory_celsius, energy, power_cap, thermal, sent, received };
  std::array<FieldValue, wanted.size()> fields{};
  for (std::size_t i = 0; i < wanted.size(); ++i) fields.at(i).field = wanted.at(i);
  const auto& function = library_.DeviceGetFieldValues;
  for (FieldValue& each : fields) each.code = Return{not_supported};  // where it is not asked again
  if (!is_refused(function.name, fields_in_one)) {
    const Return code = function.call == nullptr
                            ? Return{function_not_found}
                            : function.call(device_, static_cast<int>(fields.size()), fields.data());
    if (code != success) {
      for (FieldValue& each : fields) each.code = code;
      if (lasts(code)) refused_.emplace_back(function.name, fields_in_one);
    }
  }
  take_power(reading, value_of(fields[power]));
  const auto take = [&](double& to, const FieldValue& field, double unit, std::string_view what) {
    to = unit * value_of(field);
    std::isnan(to) ? deny(what, why_not(field.code, function.name)) : allow(what);
  };
  take(reading[Quantity::memory_temperature_c], fields[memory_celsius], 1, name(Quantity::memory_temperature_c));
  take(reading[Counter::energy_j], fields[energy], per_milli, "energy_j");
  take(reading[Counter::power_cap_seconds], fields[power_cap], per_nano, "held_down.seconds");
  take(reading[Counter::thermal_seconds], fields[thermal], per_nano, "held_down.seconds");
  take(reading[Counter::pcie_sent_bytes], fields[sent], 1, "pcie.sent_bytes");
  take(reading[Counter::pcie_received_bytes], fields[received], 1, "pcie.received_bytes");
}

/// The field is of this moment; the function is a mean over a second from Ampere on.
void GpuSampler::take_power(Reading& reading, double field_milliwatts) {
  if (std::isnan(field_milliwatts) || field_milliwatts <= 0)
    take<unsigned>(reading, Quantity::power_w, per_milli, library_.DeviceGetPowerUsage, device_);
  else
    reading[Quantity::power_w] = per_milli * field_milliwatts;
}

void GpuSampler::take_temperature(Reading& reading) {
  const auto& versioned = library_.DeviceGetTemperatureV;
  TemperatureV1 temperature{.version = temperature_v1_version, .sensor = 0, .celsius = 0};
  if (versioned.call != nullptr && !is_refused(versioned.name, name(Quantity::temperature_c))) {
    const Return code = versioned.call(device_, &temperature);
    if (code == success) {
      reading[Quantity::temperature_c] = temperature.celsius;
      allow(name(Quantity::temperature_c));
      return;
    }
    if (lasts(code))
      refused_.emplace_back(versioned.name, name(Quantity::temperature_c));  // the older function may know
  }
  take<unsigned>(reading, Quantity::temperature_c, 1, library_.DeviceGetTemperature, device_, 0);
}

void GpuSampler::take_load(Reading& reading) {
  if (const auto& function = library_.DeviceGetUtilizationRates;
      !is_refused(function.name, name(Quantity::utilization))) {
    const auto rates = ask<Utilization>(function, device_);
    if (rates.value) {
      reading[Quantity::utilization] = percent * rates.value->gpu;
      allow(name(Quantity::utilization));
    } else {
      refuse(function.name, name(Quantity::utilization), rates.code);
    }
  }
  // The first version counts what the driver keeps for itself as used as well, in all drivers that have both.
  if (const auto& function = library_.DeviceGetMemoryInfo;
      !is_refused(function.name, name(Quantity::memory_used_bytes))) {
    const auto memory = ask<Memory>(function, device_);
    if (memory.value) {
      reading[Quantity::memory_used_bytes] = static_cast<double>(memory.value->used);
      allow(name(Quantity::memory_used_bytes));
    } else {
      refuse(function.name, name(Quantity::memory_used_bytes), memory.code);
    }
  }
}

void GpuSampler::take_reasons(Reading& reading) {
  const auto& newer = library_.DeviceGetCurrentClocksEventReasons;  // R535
  const auto& function = newer.call != nullptr ? newer : library_.DeviceGetCurrentClocksThrottleReasons;
  if (is_refused(function.name, "held_down")) return;
  const auto bits = ask<unsigned long long>(function, device_);
  if (bits.value) {
    reading.reasons = *bits.value;
    allow("held_down");
  } else {
    refuse(function.name, "held_down", bits.code);
  }
}

}  // namespace warpmark::nvml
