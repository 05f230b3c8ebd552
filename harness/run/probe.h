// SPDX-License-Identifier: Apache-2.0
// The probe: a child per backend, with a deadline, that opens its devices and returns what they are and can do. A
// driver that hangs or crashes takes its own probe with it, and nothing else.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/device.h"
#include "harness/run/process.h"

namespace warpmark {

/// A backend, or one device of it, that cannot be used.
struct Missing {
  std::string name{};  // "cuda", "cuda:3"
  Unavailable unavailable{};
};

struct Probed {
  std::vector<DeviceInfo> devices{};  // in the order of preference
  std::vector<Missing> missing{};
};

/// What is probed, and so opened: less is faster, and what is not asked for can do no harm.
enum class ProbeScope { every_backend, first_with_devices, only_named };

/// How probes are started, and how long each may take.
struct ProbeMeans {
  Processes& processes = system_processes();
  std::chrono::milliseconds longest = std::chrono::seconds(60);
};

/// Starts the probes and waits for them; every backend's at once where nothing is measured. `measure` also measures the
/// ceilings that cannot be derived. `name` is for `only_named`: a backend of this program, or one device of it, and
/// then no other is opened; all of its backend are where there is none of that name.
[[nodiscard]] Probed probe_devices(ProbeScope scope, bool measure, std::string_view name = {},
                                   const ProbeMeans& means = {});

/// For a run that may take so long: the same time for each probe, but ten seconds at least and a minute at most.
[[nodiscard]] ProbeMeans means_within(std::optional<double> seconds);

/// The child's role: reads its order, writes one line. Returns its exit code.
[[nodiscard]] int probe_main();

/// The device of that id, "cpu:0". Throws Error for one that is not there or cannot be used.
[[nodiscard]] std::unique_ptr<Device> open_device(const std::string& id);

/// "cuda" of "cuda:3".
[[nodiscard]] inline std::string_view backend_of(std::string_view id) { return id.substr(0, id.find(':')); }

}  // namespace warpmark
