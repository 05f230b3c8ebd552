// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/telemetry/nvml/hand_made_library.h"

#include <cstddef>
#include <cstdio>
#include <initializer_list>

namespace warpmark::nvml {
namespace {

constexpr std::size_t divided_gpu = 2, first_instance = 10, second_instance = 11;  // 1 is a whole GPU
char places[512];                                                                  // whose addresses are the handles

Device handle(std::size_t number) { return reinterpret_cast<Device>(&places[number]); }
std::size_t number(Device device) { return static_cast<std::size_t>(reinterpret_cast<char*>(device) - places); }
bool is_divided(Device device) { return number(device) == divided_gpu; }

/// `code`, unless the GPU is lost by now.
Return answered(Return code = success) { return calls_before_loss-- > 0 ? code : Return{gpu_is_lost}; }

Return write(char* to, unsigned bytes, const char* text) {
  if (answered() != success) return gpu_is_lost;
  std::snprintf(to, bytes, "%s", text);
  return success;
}

/// Answers that are the same for both.
template <int value>
Return same(Device /*gpu*/, unsigned* to) {
  if (answered() != success) return gpu_is_lost;
  *to = value;
  return success;
}
template <int value>
Return same_mode(Device /*gpu*/, int* to) {
  if (answered() != success) return gpu_is_lost;
  *to = value;
  return success;
}

void system_functions(Functions& f) {
  f.SystemGetDriverVersion.call = [](char* to, unsigned bytes) { return write(to, bytes, "580.65.06"); };
  f.SystemGetNVMLVersion.call = [](char* to, unsigned bytes) { return write(to, bytes, "13.580.65.06"); };
  f.SystemGetCudaDriverVersion_v2.call = [](int* to) -> Return {
    *to = 13000;
    return answered();
  };
  f.DeviceGetCount_v2.call = [](unsigned* to) -> Return {
    *to = 2;
    return answered();
  };
  f.DeviceGetHandleByIndex_v2.call = [](unsigned index, Device* to) -> Return {
    *to = handle(index + 1);
    return answered();
  };
}

void identity(Functions& f) {
  f.DeviceGetName.call = [](Device, char* to, unsigned bytes) { return write(to, bytes, "NVIDIA H100 80GB HBM3"); };
  f.DeviceGetUUID.call = [](Device gpu, char* to, unsigned bytes) {
    char text[64];
    std::snprintf(text, sizeof text, "%s-00000000-0000-0000-0000-0000000000%02u",
                  number(gpu) >= first_instance ? "MIG" : "GPU", static_cast<unsigned>(number(gpu)));
    return write(to, bytes, text);
  };
  f.DeviceGetPciInfo_v3.call = [](Device gpu, PciInfo* to) -> Return {
    to->domain = 0;
    to->bus = is_divided(gpu) ? 0x43 : 0x1b;
    to->device_id = 0x233010de;
    to->subsystem_id = 0x16c110de;
    std::snprintf(to->bus_id, sizeof to->bus_id, "00000000:%02X:00.0", to->bus);
    return answered();
  };
  f.DeviceGetVbiosVersion.call = [](Device, char* to, unsigned bytes) { return write(to, bytes, "96.00.61.00.01"); };
  f.DeviceGetBoardPartNumber.call = [](Device, char* to, unsigned bytes) {
    return write(to, bytes, "692-2G520-0200-000");
  };
  f.DeviceGetBoardId.call = [](Device gpu, unsigned* to) -> Return {
    *to = static_cast<unsigned>(number(gpu)) * 256;
    return answered();
  };
  f.DeviceGetCudaComputeCapability.call = [](Device, int* major, int* minor) -> Return {
    *major = 9;
    *minor = 0;
    return answered();
  };
  f.DeviceGetNumGpuCores.call = same<16896>;
  f.DeviceGetNumaNodeId.call = same<1>;
  f.DeviceGetVirtualizationMode.call = same_mode<virtual_passthrough>;
  f.DeviceGetPersistenceMode.call = same_mode<1>;
  f.DeviceGetComputeMode.call = same_mode<compute_exclusive>;
  f.DeviceGetPerformanceState.call = same_mode<0>;
}

void memory_and_errors(Functions& f) {
  f.DeviceGetMemoryInfo_v2.call = [](Device, MemoryV2* to) -> Return {
    if (to->version != memory_v2_version) return argument_version_mismatch;
    *to = {.version = to->version,
           .total = 80ULL << 30U,
           .reserved = 1ULL << 29U,
           .free = 79ULL << 30U,
           .used = 1ULL << 30U};
    return answered();
  };
  f.DeviceGetMemoryInfo.call = [](Device, Memory* to) -> Return {
    *to = {.total = 80ULL << 30U, .free = 79ULL << 30U, .used = 1ULL << 30U};
    return answered();
  };
  f.DeviceGetMemoryBusWidth.call = same<5120>;
  f.DeviceGetEccMode.call = [](Device, int* now, int* later) -> Return {
    *now = 1;
    *later = 0;
    return answered();
  };
  f.DeviceGetTotalEccErrors.call = [](Device, int type, int counter, unsigned long long* to) -> Return {
    *to = static_cast<unsigned long long>(type == ecc_corrected ? 3 : 1) * (counter == ecc_volatile ? 1 : 10);
    return answered();
  };
  f.DeviceGetRemappedRows.call = [](Device, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                                    unsigned* failed) -> Return {
    *corrected = 2;
    *uncorrected = 1;
    *pending = 1;
    *failed = 0;
    return answered();
  };
}

void power_and_clocks(Functions& f) {
  f.DeviceGetPowerUsage.call = same<71500>;
  f.DeviceGetPowerManagementLimit.call = same<616000>;
  f.DeviceGetPowerManagementDefaultLimit.call = same<700000>;
  f.DeviceGetEnforcedPowerLimit.call = same<616000>;
  f.DeviceGetPowerManagementLimitConstraints.call = [](Device, unsigned* least, unsigned* most) -> Return {
    *least = 200000;
    *most = 700000;
    return answered();
  };
  f.DeviceGetClockInfo.call = [](Device, int type, unsigned* to) -> Return {
    *to = type == clock_memory ? 2619 : 345;
    return answered();
  };
  f.DeviceGetMaxClockInfo.call = [](Device, int type, unsigned* to) -> Return {
    *to = type == clock_memory ? 2619 : 1980;
    return answered();
  };
  f.DeviceGetApplicationsClock.call = [](Device, int, unsigned* to) -> Return {
    *to = 1755;
    return answered();
  };
  f.DeviceGetTemperatureV.call = [](Device, TemperatureV1* to) -> Return {
    if (to->version != temperature_v1_version) return argument_version_mismatch;
    to->celsius = 31;
    return answered();
  };
  f.DeviceGetTemperature.call = [](Device, int, unsigned* to) -> Return {
    *to = 31;
    return answered();
  };
  f.DeviceGetTemperatureThreshold.call = [](Device, int which, unsigned* to) -> Return {
    *to = which == threshold_slowdown ? 87 : 92;
    return answered();
  };
  f.DeviceGetUtilizationRates.call = [](Device gpu, Utilization* to) -> Return {
    *to = {.gpu = 25, .memory = 5};
    return answered(is_divided(gpu) ? not_supported : success);
  };
}

void links(Functions& f) {
  f.DeviceGetCurrPcieLinkGeneration.call = same<1>;
  f.DeviceGetCurrPcieLinkWidth.call = same<16>;
  f.DeviceGetMaxPcieLinkGeneration.call = same<5>;
  f.DeviceGetMaxPcieLinkWidth.call = same<16>;
  f.DeviceGetGpuMaxPcieLinkGeneration.call = same<5>;
  f.DeviceGetFieldValues.call = [](Device, int count, FieldValue* to) -> Return {
    if (count != 1 || to->field != field_nvlink_count) return invalid_argument;
    to->type = type_unsigned;
    to->value.ui = 4;
    to->code = success;
    return answered();
  };
  f.DeviceGetNvLinkState.call = [](Device, unsigned link, int* to) -> Return {
    *to = link == 0 ? 0 : 1;
    return answered(link < 4 ? success : invalid_argument);
  };
  f.DeviceGetNvLinkVersion.call = [](Device, unsigned link, unsigned* to) -> Return {
    *to = link == 1 ? 5 : 0;
    return answered();
  };
  f.DeviceGetTopologyCommonAncestor.call = [](Device, Device, int* to) -> Return {
    *to = numa_node;
    return answered();
  };
}

void divisions(Functions& f) {
  f.DeviceGetMigMode.call = [](Device gpu, unsigned* now, unsigned* later) -> Return {
    *now = is_divided(gpu) ? 1 : 0;
    *later = 1;
    return answered();
  };
  f.DeviceGetMaxMigDeviceCount.call = same<7>;
  f.DeviceGetMigDeviceHandleByIndex.call = [](Device, unsigned index, Device* to) -> Return {
    if (index != 1 && index != 4) return answered(not_found);
    *to = handle(index == 1 ? first_instance : second_instance);
    return answered();
  };
  f.DeviceGetGpuInstanceId.call = [](Device gpu, unsigned* to) -> Return {
    *to = number(gpu) == first_instance ? 2 : 9;
    return answered();
  };
  f.DeviceGetComputeInstanceId.call = same<0>;
  f.DeviceGetAttributes_v2.call = [](Device gpu, DeviceAttributes* to) -> Return {
    to->multiprocessors = number(gpu) == first_instance ? 60 : 16;
    to->memory_mib = number(gpu) == first_instance ? 40448 : 9856;
    return answered();
  };
  f.DeviceGetComputeRunningProcesses_v3.call = [](Device, unsigned* count, ProcessInfo* to) -> Return {
    const unsigned room = *count;
    *count = 2;
    if (room < 2 || to == nullptr) return answered(insufficient_size);
    to[0] = {.pid = 100, .used_bytes = 1U << 20U, .gpu_instance = 0, .compute_instance = 0};
    to[1] = {.pid = 200, .used_bytes = 2U << 20U, .gpu_instance = 0, .compute_instance = 0};
    return answered();
  };
}

}  // namespace

Functions hand_made_functions() {
  Functions functions;
  for (const auto fill : {system_functions, identity, memory_and_errors, power_and_clocks, links, divisions})
    fill(functions);
  return functions;
}

}  // namespace warpmark::nvml
