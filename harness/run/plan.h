// SPDX-License-Identifier: Apache-2.0
// Which cases a suite and a filter pick, and in which order whole processes run them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/benchmark.h"
#include "harness/device/device.h"
#include "harness/store/suite.h"

namespace warpmark {

struct PlannedCase {
  const Benchmark* benchmark = nullptr;
  Case at{};
  std::string id{};
  bool gate = false;  // whether a comparison judges by it
  bool once = false;  // whether the first repeat alone measures it

  [[nodiscard]] int repeats_of(int repeats) const { return once ? 1 : repeats; }
};

/// Of more, some differ by chance whatever the judge does.
inline constexpr std::size_t most_gates = 20;

/// The cases of a suite on one device whose id matches `filter` (ECMAScript, searched; empty: all), each once.
/// Throws UsageError with the nearest valid choice when there is none, for a filter that is no regular expression, and
/// for a benchmark, an axis, or a value of one of the suite that does not exist, for axes that span more than 20 000
/// cases, and for more than 20 gates.
[[nodiscard]] std::vector<PlannedCase> plan_cases(const Suite& suite, const std::string& filter,
                                                  const DeviceInfo& device, Regime regime = Regime::burst);

/// One measurement: the id of a case, and the repeat.
using MeasurementKey = std::pair<std::string, int>;

/// Every repeat of every case, in the order of the repeats.
[[nodiscard]] std::vector<MeasurementKey> measurements_of(const std::vector<PlannedCase>& cases, int repeats);

/// Throws UsageError for more than a million measurements: the order of all of them is kept in memory.
void expect_few_enough(const std::vector<PlannedCase>& cases, int repeats);

/// What one worker process does: the cases of one family, once.
struct Shift {
  int repeat = 0;
  std::string family{};
  std::vector<std::string> ids{};
};

/// One shift per family and repeat, shuffled: the processes of a family are spread over the run, so that drift of the
/// machine does not look like a difference between families. Cases within a shift are shuffled too. The same seed gives
/// the same order everywhere.
[[nodiscard]] std::vector<Shift> order_shifts(const std::vector<PlannedCase>& cases, int repeats, std::uint64_t seed);

/// Bytes and FLOP of a launch; none for a case that the device will skip, which its worker says with the reason.
[[nodiscard]] Work expected_work(const PlannedCase& planned, const DeviceInfo& device);

/// Seconds after which a case counts as hung: ten times what its protocol allows, the time to fill its memory at 25
/// MB/s and to do the work of a launch at 100 MFLOP/s; a day at most.
[[nodiscard]] double deadline_seconds(const PlannedCase& planned, const Protocol& suite, const DeviceInfo& device);

}  // namespace warpmark
