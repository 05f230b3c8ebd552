// SPDX-License-Identifier: Apache-2.0
// The function of NVML that answers for many fields at once, each with a code of its own.
#include <chrono>
#include <cmath>

#include "tests/fakes/nvml/calls.h"

namespace warpmark::fakes::calls {
namespace {

void put(FieldValue& field, unsigned value) {
  field.type = nvml::type_unsigned;
  field.value.ui = value;
}
void put(FieldValue& field, unsigned long long value) {
  field.type = nvml::type_unsigned_long_long;
  field.value.ull = value;
}

void put_power(FieldValue& field, LiveCard& card) {
  if (field.scope != 0) throw NvmlRefusal{nvml::not_supported};  // a module's, of Grace
  const PowerTruth& power = card.truth().power;
  put(field, static_cast<unsigned>(std::lround(1e3 * (card.is_busy() ? power.load_w : power.idle_w))));
}

void put_memory_temperature(FieldValue& field, const LiveCard& card) {
  const TemperatureTruth& temperature = card.truth().temperature;
  if (!temperature.memory_load_c) throw NvmlRefusal{nvml::not_supported};
  put(field, card.is_busy() ? *temperature.memory_load_c : *temperature.memory_idle_c);
}

void put_nvlinks(FieldValue& field, const LiveCard& card) {
  const bool is_mig = card.truth().mig && card.truth().mig->on;
  if (!card.truth().nvlink || is_mig) throw NvmlRefusal{nvml::not_supported};
  put(field, card.truth().nvlink->links);
}

void answer(FieldValue& field, LiveCard& card) {
  if (card.truth().unsupported_fields.contains(field.field)) throw NvmlRefusal{nvml::not_supported};
  switch (field.field) {
    case nvml::field_time_power_cap: return put(field, card.held_ns(0));
    case nvml::field_time_thermal: return put(field, card.held_ns(1) + card.held_ns(2));
    case nvml::field_memory_celsius: return put_memory_temperature(field, card);
    case nvml::field_energy_mj: return put(field, card.energy_mj());
    case nvml::field_nvlink_count: return put_nvlinks(field, card);
    case nvml::field_power_instant_mw: return put_power(field, card);
    case nvml::field_pcie_sent_bytes: return put(field, card.sent_bytes());
    case nvml::field_pcie_received_bytes: return put(field, card.received_bytes());
    default: throw NvmlRefusal{nvml::not_supported};
  }
}

}  // namespace

void DeviceGetFieldValues(Cards& cards, Device device, int count, FieldValue* fields) {
  need_all(fields);
  if (count < 1) throw NvmlRefusal{nvml::invalid_argument};
  LiveCard& card = cards.card(device);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  for (FieldValue* field = fields; field != fields + count; ++field) {
    field->timestamp_us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    field->latency_us = 0;
    field->code = nvml::success;
    try {
      answer(*field, card);
    } catch (const NvmlRefusal& refusal) {
      field->code = refusal.code;
    }
  }
}

}  // namespace warpmark::fakes::calls
