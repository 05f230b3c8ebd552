// SPDX-License-Identifier: Apache-2.0
// What NVML says of a card, as a scenario's "nvml" object has it; what is not said there follows from the device.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/telemetry/nvml/abi.h"
#include "tests/fakes/machine/json_fields.h"

namespace warpmark::fakes {

struct DeviceTruth;

struct EccTruth {
  bool on = true;
  bool after_restart = true;
  std::uint64_t corrected = 0;  // since the driver was loaded
  std::uint64_t uncorrected = 0;
  std::uint64_t corrected_ever = 0;
  std::uint64_t uncorrected_ever = 0;
};

struct RowsTruth {
  unsigned corrected = 0;
  unsigned uncorrected = 0;
  bool pending = false;
  bool failed = false;
};

struct PowerTruth {
  double idle_w = 0;
  double load_w = 0;
  double limit_w = 0;
  double default_limit_w = 0;
  double min_limit_w = 0;
  double max_limit_w = 0;
  double enforced_limit_w = 0;
};

/// MHz as a real card has them: the scenario's times "clock_scale".
struct ClocksTruth {
  unsigned sm_mhz = 0;  // the highest
  unsigned sm_idle_mhz = 0;
  unsigned memory_mhz = 0;
  unsigned memory_idle_mhz = 0;
  unsigned application_sm_mhz = 0;
  unsigned application_memory_mhz = 0;
};

struct TemperatureTruth {
  unsigned idle_c = 30;
  unsigned load_c = 60;
  std::optional<unsigned> memory_idle_c{};  // empty: no sensor there
  std::optional<unsigned> memory_load_c{};
  unsigned slowdown_c = 87;
  unsigned shutdown_c = 92;
};

struct LinkTruth {
  unsigned idle_generation = 4;
  unsigned generation = 4;
  unsigned width = 16;
  unsigned max_generation = 4;  // of card and slot together
  unsigned max_width = 16;
  unsigned gpu_max_generation = 4;
};

struct MigInstance {
  unsigned at = 0;  // the index that NVML has it by; there may be gaps
  std::string uuid{};
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
  unsigned multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
};

struct MigTruth {
  bool on = false;
  bool after_restart = false;
  unsigned most_instances = 7;
  std::vector<MigInstance> instances{};
};

struct NvLinkTruth {
  unsigned links = 0;
  unsigned active = 0;
  unsigned version = 0;
};

struct ProcessTruth {
  unsigned pid = 0;
  std::optional<std::uint64_t> used_bytes{};  // empty: not known, as on Windows
};

/// The clock is held down while the device works, for this reason.
struct HeldDown {
  std::string reason{};  // "sw_thermal"
  double from_seconds = 0;
  double until_seconds = std::numeric_limits<double>::infinity();
};

/// Reasons for which the driver counts the time.
inline constexpr std::array<const char*, 4> counted_reasons{"sw_power_cap", "sw_thermal", "hw_thermal",
                                                            "hw_power_brake"};
/// Which of them; empty for others.
[[nodiscard]] std::optional<std::size_t> counter_of(const std::string& reason);
/// As NVML has it, with what the hardware sets along; 0 for a name that there is not.
[[nodiscard]] unsigned long long bits_of_reason(const std::string& reason);

struct XidTruth {
  double at_seconds = 0;
  unsigned number = 0;
};

struct CardTruth {
  std::string vbios{};
  std::string part_number{};
  unsigned board_id = 0;
  unsigned pci_device_id = 0;
  unsigned pci_subsystem_id = 0;
  std::uint64_t memory_reserved_bytes = 0;
  std::optional<EccTruth> ecc{};  // empty: not supported
  std::optional<RowsTruth> rows{};
  PowerTruth power{};
  ClocksTruth clocks{};
  TemperatureTruth temperature{};
  LinkTruth link{};
  std::optional<MigTruth> mig{};
  nvml::Virtualization virtualization = nvml::virtual_none;
  bool persistence = false;
  nvml::ComputeMode compute_mode = nvml::compute_default;
  int idle_performance_state = 8;
  unsigned gpu_utilization = 100;  // percent, under load
  unsigned memory_utilization = 50;
  std::optional<NvLinkTruth> nvlink{};
  std::vector<unsigned> place{};  // NUMA node, host bridge, switches: what two cards have in common is what joins them
  std::vector<ProcessTruth> processes{};  // of others
  std::vector<HeldDown> held_down{};
  std::array<double, counted_reasons.size()>
      held_down_before_seconds{};  // the counters are older than this machine's time
  double energy_before_j = 0;
  std::vector<XidTruth> xids{};
  bool always_busy = false;
  double idle_after_seconds = 0;        // a card that has nothing to do looks busy for so long
  unsigned stale_readings = 0;          // so many readings of an idle card still look busy
  std::set<std::string> unsupported{};  // functions of NVML
  std::set<unsigned> unsupported_fields{};
};

/// What a card without an "nvml" object is like.
[[nodiscard]] CardTruth usual_card(const DeviceTruth& device);
[[nodiscard]] CardTruth card_of(JsonFields from, const DeviceTruth& device);

}  // namespace warpmark::fakes
