// SPDX-License-Identifier: Apache-2.0
// NVML as the driver's library exports it: types, numbers and functions that the program uses. NVIDIA's nvml.h is part
// of no package that every user has, so these are declarations of our own; sizes and offsets are asserted below.
// Source: NVML API reference, R580.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::nvml {

using Return = int;  // a C enum
struct DeviceHandle;
using Device = DeviceHandle*;
struct EventSetHandle;
using EventSet = EventSetHandle*;

enum Code : Return {
  success = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  not_found = 6,
  insufficient_size = 7,
  driver_not_loaded = 9,
  timed_out = 10,
  library_not_found = 12,
  function_not_found = 13,
  corrupted_inforom = 14,
  gpu_is_lost = 15,
  reset_required = 16,
  operating_system = 17,
  library_mismatch = 18,
  in_use = 19,
  no_data = 21,
  argument_version_mismatch = 25,
  deprecated_function = 26,
  gpu_not_found = 28,
  unknown_error = 999,
};

constexpr unsigned name_bytes = 96;
constexpr unsigned uuid_bytes = 96;
constexpr unsigned version_bytes = 80;
constexpr unsigned vbios_bytes = 32;
constexpr unsigned part_number_bytes = 80;

struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device;
  unsigned device_id;     // device in the upper half, vendor in the lower
  unsigned subsystem_id;  // the same
  char bus_id[32];
};
static_assert(sizeof(PciInfo) == 68);

struct Memory {
  unsigned long long total, free, used;
};
static_assert(sizeof(Memory) == 24);

struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;  // used includes what is reserved
};
static_assert(sizeof(MemoryV2) == 40 && offsetof(MemoryV2, total) == 8);
constexpr unsigned memory_v2_version = sizeof(MemoryV2) | (2U << 24U);

struct Utilization {
  unsigned gpu, memory;  // percent
};

struct ProcessInfo {
  unsigned pid;
  unsigned long long used_bytes;  // all ones where it is not known
  unsigned gpu_instance, compute_instance;
};
static_assert(sizeof(ProcessInfo) == 24);

union Value {
  double d;
  int si;
  unsigned ui;
  unsigned long ul;
  unsigned long long ull;
  long long sll;
  unsigned short us;
};

enum ValueType : unsigned {
  type_double = 0,
  type_unsigned = 1,
  type_unsigned_long = 2,
  type_unsigned_long_long = 3,
  type_long_long = 4,
  type_int = 5,
  type_unsigned_short = 6,
};

struct FieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp_us, latency_us;
  unsigned type;  // ValueType
  Return code;
  Value value;
};
static_assert(sizeof(FieldValue) == 40 && offsetof(FieldValue, type) == 24 && offsetof(FieldValue, value) == 32);

struct TemperatureV1 {
  unsigned version;
  int sensor;
  int celsius;
};
static_assert(sizeof(TemperatureV1) == 12);
constexpr unsigned temperature_v1_version = sizeof(TemperatureV1) | (1U << 24U);

struct DeviceAttributes {
  unsigned multiprocessors, copy_engines, decoders, encoders, jpegs, optical_flows, gpu_slices, compute_slices;
  unsigned long long memory_mib;
};
static_assert(sizeof(DeviceAttributes) == 40);

struct EventData {
  Device device;
  unsigned long long type;
  unsigned long long data;  // of an Xid: its number
  unsigned gpu_instance, compute_instance;
};
static_assert(sizeof(EventData) == 32);
constexpr unsigned long long event_xid = 8;

enum ClockType : int { clock_graphics = 0, clock_sm = 1, clock_memory = 2, clock_video = 3 };
enum EccType : int { ecc_corrected = 0, ecc_uncorrected = 1 };
enum EccCounter : int { ecc_volatile = 0, ecc_aggregate = 1 };
enum Threshold : int { threshold_shutdown = 0, threshold_slowdown = 1, threshold_memory = 2, threshold_gpu = 3 };
enum Virtualization : int { virtual_none = 0, virtual_passthrough = 1, virtual_vgpu = 2, host_vgpu = 3, host_vsga = 4 };
enum ComputeMode : int { compute_default = 0, compute_prohibited = 2, compute_exclusive = 3 };
enum Ancestor : int {
  same_board = 0,
  one_switch = 10,
  several_switches = 20,
  host_bridge = 30,
  numa_node = 40,
  across_nodes = 50,
};

/// Why the clock is not at its highest: bits of DeviceGetCurrentClocksEventReasons.
enum Reason : unsigned long long {
  reason_idle = 0x1,
  reason_application_clocks = 0x2,
  reason_sw_power_cap = 0x4,
  reason_hw_slowdown = 0x8,
  reason_sync_boost = 0x10,
  reason_sw_thermal = 0x20,
  reason_hw_thermal = 0x40,
  reason_hw_power_brake = 0x80,
  reason_display_clock = 0x100,
};

/// For DeviceGetFieldValues. Times are nanoseconds since the driver was loaded. Those by single reasons (thermal
/// slowdown by the driver, by hardware, power brake) are left out: drivers number them 251 to 253 or 269 to 271, and a
/// wrong number is another fact.
enum Field : unsigned {
  field_time_power_cap = 74,
  field_time_thermal = 75,
  field_memory_celsius = 82,
  field_energy_mj = 83,
  field_nvlink_count = 91,
  field_power_instant_mw = 186,
  field_pcie_sent_bytes = 197,
  field_pcie_received_bytes = 198,
};

// Name without "nvml", and its parameters.
#define WARPMARK_NVML_FUNCTIONS(X)                                             \
  X(Init_v2)                                                                   \
  X(Shutdown)                                                                  \
  X(SystemGetDriverVersion, char*, unsigned)                                   \
  X(SystemGetNVMLVersion, char*, unsigned)                                     \
  X(SystemGetCudaDriverVersion_v2, int*)                                       \
  X(DeviceGetCount_v2, unsigned*)                                              \
  X(DeviceGetHandleByIndex_v2, unsigned, Device*)                              \
  X(DeviceGetName, Device, char*, unsigned)                                    \
  X(DeviceGetUUID, Device, char*, unsigned)                                    \
  X(DeviceGetPciInfo_v3, Device, PciInfo*)                                     \
  X(DeviceGetVbiosVersion, Device, char*, unsigned)                            \
  X(DeviceGetBoardPartNumber, Device, char*, unsigned)                         \
  X(DeviceGetBoardId, Device, unsigned*)                                       \
  X(DeviceGetCudaComputeCapability, Device, int*, int*)                        \
  X(DeviceGetNumGpuCores, Device, unsigned*)                                   \
  X(DeviceGetMemoryInfo_v2, Device, MemoryV2*)                                 \
  X(DeviceGetMemoryInfo, Device, Memory*)                                      \
  X(DeviceGetMemoryBusWidth, Device, unsigned*)                                \
  X(DeviceGetClockInfo, Device, int, unsigned*)                                \
  X(DeviceGetMaxClockInfo, Device, int, unsigned*)                             \
  X(DeviceGetApplicationsClock, Device, int, unsigned*)                        \
  X(DeviceGetPowerUsage, Device, unsigned*)                                    \
  X(DeviceGetEnforcedPowerLimit, Device, unsigned*)                            \
  X(DeviceGetPowerManagementLimit, Device, unsigned*)                          \
  X(DeviceGetPowerManagementDefaultLimit, Device, unsigned*)                   \
  X(DeviceGetPowerManagementLimitConstraints, Device, unsigned*, unsigned*)    \
  X(DeviceGetTemperature, Device, int, unsigned*)                              \
  X(DeviceGetTemperatureV, Device, TemperatureV1*)                             \
  X(DeviceGetTemperatureThreshold, Device, int, unsigned*)                     \
  X(DeviceGetCurrentClocksEventReasons, Device, unsigned long long*)           \
  X(DeviceGetCurrentClocksThrottleReasons, Device, unsigned long long*)        \
  X(DeviceGetUtilizationRates, Device, Utilization*)                           \
  X(DeviceGetPerformanceState, Device, int*)                                   \
  X(DeviceGetPersistenceMode, Device, int*)                                    \
  X(DeviceGetComputeMode, Device, int*)                                        \
  X(DeviceGetEccMode, Device, int*, int*)                                      \
  X(DeviceGetTotalEccErrors, Device, int, int, unsigned long long*)            \
  X(DeviceGetRemappedRows, Device, unsigned*, unsigned*, unsigned*, unsigned*) \
  X(DeviceGetCurrPcieLinkGeneration, Device, unsigned*)                        \
  X(DeviceGetMaxPcieLinkGeneration, Device, unsigned*)                         \
  X(DeviceGetGpuMaxPcieLinkGeneration, Device, unsigned*)                      \
  X(DeviceGetCurrPcieLinkWidth, Device, unsigned*)                             \
  X(DeviceGetMaxPcieLinkWidth, Device, unsigned*)                              \
  X(DeviceGetMigMode, Device, unsigned*, unsigned*)                            \
  X(DeviceGetMaxMigDeviceCount, Device, unsigned*)                             \
  X(DeviceGetMigDeviceHandleByIndex, Device, unsigned, Device*)                \
  X(DeviceGetGpuInstanceId, Device, unsigned*)                                 \
  X(DeviceGetComputeInstanceId, Device, unsigned*)                             \
  X(DeviceGetAttributes_v2, Device, DeviceAttributes*)                         \
  X(DeviceGetVirtualizationMode, Device, int*)                                 \
  X(DeviceGetNvLinkState, Device, unsigned, int*)                              \
  X(DeviceGetNvLinkVersion, Device, unsigned, unsigned*)                       \
  X(DeviceGetTopologyCommonAncestor, Device, Device, int*)                     \
  X(DeviceGetNumaNodeId, Device, unsigned*)                                    \
  X(DeviceGetComputeRunningProcesses_v3, Device, unsigned*, ProcessInfo*)      \
  X(DeviceGetFieldValues, Device, int, FieldValue*)                            \
  X(EventSetCreate, EventSet*)                                                 \
  X(EventSetFree, EventSet)                                                    \
  X(EventSetWait_v2, EventSet, EventData*, unsigned)                           \
  X(DeviceRegisterEvents, Device, unsigned long long, EventSet)

}  // namespace warpmark::nvml
