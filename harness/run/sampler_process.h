// SPDX-License-Identifier: Apache-2.0
// The child that samples: the only process that opens NVML, which may hang or take its process along.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

namespace warpmark {

/// The child's role under `run` and `info`. Reads its order from standard input, sends {"card": ...}, which is what
/// NVML says of the GPUs, and then answers each line {"n": number, ...}, one at a time, with a line of that number:
/// {"sample": {gpus, cpus, period_seconds}} begins; {"window": {begin, end, gpu}} asks for `telemetry`;
/// {"pause": bool} holds or goes on; {"usage": true} asks what the process has cost.
[[nodiscard]] int sampler_under_supervisor();

/// By hand: shows a line of every GPU with its host each `period_seconds`, of the host alone where there is none. Ends
/// the process with the exit code that `show` returns, if any.
[[noreturn]] void sampler_by_hand(double period_seconds,
                                  const std::function<std::optional<int>(const nlohmann::json&)>& show);

}  // namespace warpmark
