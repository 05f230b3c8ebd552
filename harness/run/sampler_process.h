// SPDX-License-Identifier: Apache-2.0
// The child that samples: the only process that opens NVML, which may hang or take its process along.
#pragma once

namespace warpmark {

/// The child's role under `run` and `info`. Reads its order from standard input, sends {"card": ...}, which is what
/// NVML says of the GPUs, and then answers each line {"n": number, ...}, one at a time, with a line of that number:
/// {"sample": {gpus, cpus, period_seconds}} begins; {"window": {begin, end, gpu}} asks for `telemetry`;
/// {"pause": bool} holds or goes on; {"usage": true} asks what the process has cost.
[[nodiscard]] int sampler_under_supervisor();

}  // namespace warpmark
