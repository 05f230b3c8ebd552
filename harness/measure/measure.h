// SPDX-License-Identifier: Apache-2.0
// Measures one case: sets up, verifies, warms up, samples, verifies again. Whatever goes wrong becomes the record's
// status.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/core/benchmark.h"
#include "harness/core/protocol.h"
#include "harness/core/regime.h"
#include "harness/measure/setup.h"

namespace warpmark {

/// What a record says beyond its case.
struct RunFrame {
  Protocol protocol{};
  Regime regime = Regime::burst;
  int repeat = 0;
  bool gate = false;  // whether a comparison judges by the headline
};

/// A record with everything that is known before measuring.
[[nodiscard]] Record frame_record(const Benchmark& benchmark, const Case& at, const DeviceInfo& device,
                                  const RunFrame& frame);

/// Never throws for a case that goes wrong. The places' arenas are recycled afterwards.
[[nodiscard]] Record measure(std::span<const Setup::Place> places, const Benchmark& benchmark, const Case& at,
                             const RunFrame& frame);

}  // namespace warpmark
