// SPDX-License-Identifier: Apache-2.0
// What the first launch costs after nobody has asked for anything: clocks have fallen by then and threads sleep.
#include "bench/launch/empty.h"

namespace warpmark {
namespace {

Job after_idle_job(Setup& setup) {
  const auto idle_ms = static_cast<double>(setup.at().integer("idle_ms"));
  return launch_job(setup, ops::AfterIdle{.empty = empty_of(setup, 0, 1), .idle_seconds = idle_ms / 1e3});
}

const Registered after_idle{{.name = "launch/after_idle",
                             .about = "the round trip after host and device have slept for so many milliseconds",
                             .axes = {{.name = "idle_ms", .values = {1, 10, 100}}},
                             .modes = {Mode::batch},
                             .kernels = table_of<ops::AfterIdle>(),
                             .rate = latency,
                             .quiet = true,
                             .work = one_step,
                             .ceiling = no_ceiling,
                             .job = after_idle_job}};

}  // namespace
}  // namespace warpmark
