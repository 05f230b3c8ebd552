// SPDX-License-Identifier: Apache-2.0
// Records and documents made by hand, as small as a test needs them.
#pragma once

#include <cstdint>
#include <string>

#include "harness/store/document.h"

namespace warpmark {

/// What tells a made record from the next.
struct Made {
  std::string benchmark = "memory/triad";
  std::string device = "cpu:0";
  std::string variant = "plain";
  std::string axis = "footprint";
  AxisValue size = std::int64_t{16384};
  Mode mode = Mode::batch;
  int repeat = 0;
  Status status = Status::ok;
  double value = 1e9;                // of the metric, in its unit
  double ceiling = 0;                // 0: none
  std::string metric = "bandwidth";  // "bandwidth" in B/s, "latency" in s, anything else in FLOP/s
};

/// A record with a number, samples and a passed check where its status says that it was measured; else with a reason.
[[nodiscard]] Record made_record(const Made& made);

/// One CPU device and three repeats.
[[nodiscard]] Document made_document(std::vector<Record> records);

[[nodiscard]] std::string fixture_path(const std::string& name);

}  // namespace warpmark
