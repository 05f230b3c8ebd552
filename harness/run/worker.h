// SPDX-License-Identifier: Apache-2.0
// The worker: measures cases on one device, one after the other, as a complete Google Benchmark program. `run` starts
// it with an order; by hand it shows Google Benchmark's console.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/metric.h"
#include "harness/core/regime.h"
#include "harness/store/suite.h"

namespace warpmark {

struct WorkerOrder {
  std::string suite{};  // JSON text of the suite
  std::string device = "cpu:0";
  std::string filter{};
  std::vector<std::string> ids{};  // in the order to run them; empty: every case of suite and filter
  Regime regime = Regime::burst;
  int repeat = 0;
  std::optional<Ceilings> ceilings{};  // of the device, when another process measured them
};

[[nodiscard]] nlohmann::json to_json(const WorkerOrder& order);

/// By hand: `arguments` are Google Benchmark's own flags. Records go nowhere but to its reporters.
[[nodiscard]] int worker_by_hand(const WorkerOrder& order, const std::vector<std::string>& arguments);

/// The child's role under `run`: reads its order from standard input, sends {"begin": id} before and {"record": ...}
/// after each case, and goes on when either is acknowledged. Sends {"unusable": why} where it cannot open the
/// device.
[[nodiscard]] int worker_under_supervisor();

}  // namespace warpmark
