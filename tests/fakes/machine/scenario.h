// SPDX-License-Identifier: Apache-2.0
// What is simulated, as a scenario file says it: devices, driver, noise, faults (scenario.schema.json, README.md).
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fakes/machine/card_truth.h"
#include "tests/fakes/machine/copy_truth.h"

namespace warpmark::fakes {

/// One kind of arithmetic of a device.
struct Unit {
  double flop_per_clock = 0;  // of one SM, by the data sheet
  double share = 0;           // of it that kernels reach
};

/// How long a load takes that waits for the one before it, by the level that answers. Not scaled down, as bandwidths
/// are: a walk of so many steps takes as long as on the real card.
struct LoadLatency {
  std::uint64_t l1_bytes = 256;
  double l1_seconds = 20e-9;
  double l2_seconds = 140e-9;
  double memory_seconds = 600e-9;
};

/// What launches cost, beside kernel_overhead_seconds, which each kernel takes the device. Not scaled down either.
struct LaunchTruth {
  std::optional<double> submit_seconds{};  // of the host, for the call; empty: host_call_seconds
  double argument_byte_seconds = 0;        // of the host, beside that
  double block_seconds = 0;                // of the device
  double start_seconds = 0;                // from the call until an idle device begins
  double notice_seconds = 0;               // from the end until a host that waits knows
  double sleep_after_seconds = std::numeric_limits<double>::infinity();  // without work, the device sleeps then ...
  double wake_seconds = 0;                                               // ... and begins so much later
};

/// What graphs cost; empty: as single launches do, and what is done once nothing beside the call.
struct GraphTruth {
  std::optional<double> node_seconds{};    // of the device
  std::optional<double> launch_seconds{};  // of the host, for the call
  double instantiate_seconds = 0;          // of the host, by node
  double upload_seconds = 0;               // of the host, by node; also at the first launch without it
};

/// From then on, in the device's own time, its SM clock is the maximum times the factor.
struct Throttle {
  double at_seconds = std::numeric_limits<double>::infinity();
  double factor = 1;
};

struct DeviceTruth {
  std::string name{};
  std::string uuid{};  // "GPU-..."
  std::string pci{};   // "0000:1B:00.0"
  int major = 0;       // compute capability
  int minor = 0;
  int sms = 0;
  double sm_clock_hz = 0;
  double memory_clock_hz = 0;
  int memory_bus_bits = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t memory_free_bytes = 0;  // what others have left
  std::uint64_t l2_bytes = 0;
  bool ecc = false;
  double memory_bandwidth = 0;  // bytes per second that kernels reach
  double l2_bandwidth = 0;
  double link_bandwidth = 0;  // between host and device
  HostMemoryTruth host_memory{};
  double kernel_overhead_seconds = 0;
  LoadLatency load_latency{};
  LaunchTruth launch{};
  GraphTruth graph{};
  std::map<std::string, Unit, std::less<>> units{};
  Throttle throttle{};
  CardTruth card{};  // what NVML says
};

/// What goes wrong: the nth time that a call is made or a kernel runs, or every time. One of the ways.
struct Fault {
  std::string call{};           // "cuMemAlloc"
  std::string kernel{};         // its C name
  std::optional<int> device{};  // of a kernel or a call of NVML
  std::optional<int> nth{};     // from 1
  int code = 0;
  bool hang = false;    // the call does not return, the kernel never ends
  bool crash = false;   // the call ends the process by SIGSEGV
  bool absent = false;  // the library has no such function
  bool spoil = false;   // one bit of the kernel's output is flipped
  bool lost = false;    // the device falls off the bus: for this process and all later ones
};

struct Scenario {
  int driver_version = 0;        // 12040 for 12.4
  std::string driver_release{};  // "550.54.14"; empty: the one of that version
  int init_code = 0;
  double jitter_sigma = 0;
  std::optional<std::uint64_t> jitter_seed{};  // empty: another one in each process
  double host_call_seconds = 1e-6;
  std::vector<DeviceTruth> devices{};
  std::vector<Fault> faults{};
  std::string path{};  // of the file; empty: of none
};

/// Names the place in the file and what is wrong with it.
class BadScenario : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `name` is what the text is called in a BadScenario.
[[nodiscard]] Scenario parse_scenario(std::string_view text, const std::string& name);

[[nodiscard]] Scenario read_scenario(const std::string& path);

}  // namespace warpmark::fakes
