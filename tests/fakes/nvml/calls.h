// SPDX-License-Identifier: Apache-2.0
// What the functions of NVML do, under the names that they have without "nvml". They write the answer or throw
// NvmlRefusal. That the library is started, the handle somebody's, and the card one that supports it was seen to
// before.
#pragma once

#include "harness/telemetry/nvml/abi.h"
#include "tests/fakes/nvml/cards.h"

namespace warpmark::fakes::calls {

using nvml::Device;
using nvml::DeviceAttributes;
using nvml::EventData;
using nvml::EventSet;
using nvml::FieldValue;
using nvml::Memory;
using nvml::MemoryV2;
using nvml::PciInfo;
using nvml::ProcessInfo;
using nvml::TemperatureV1;
using nvml::Utilization;

#define WARPMARK_CALL(name, ...) void name(Cards& cards __VA_OPT__(, ) __VA_ARGS__);
WARPMARK_NVML_FUNCTIONS(WARPMARK_CALL)
#undef WARPMARK_CALL

}  // namespace warpmark::fakes::calls
