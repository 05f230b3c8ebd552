// SPDX-License-Identifier: Apache-2.0
// Google Benchmark as the front door of a worker: names, filter, listing, repetitions, console. The stopwatch is ours:
// one iteration of theirs is one whole measurement.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/record.h"

namespace warpmark {

struct NamedCase {
  std::string id{};
  std::function<Record()> measure{};
};

/// Runs the cases as a Google Benchmark program with these arguments (the program's name first). `shown` says whether
/// its console reporter prints; records leave through `measure` in any case. Returns the exit code, the
/// gravest of all cases; throws UsageError
/// for an argument it does not know.
[[nodiscard]] int run_google_benchmark(const std::vector<std::string>& arguments, std::span<const NamedCase> cases,
                                       bool shown);

}  // namespace warpmark
