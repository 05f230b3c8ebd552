// SPDX-License-Identifier: Apache-2.0
// What a launch costs the one who waits for its result.
#include "bench/launch/empty.h"

namespace warpmark {
namespace {

const Registered round_trip{
    {.name = "launch/round_trip",
     .about = "how long it takes from the call until the host knows that empty work is done (on a CPU: fork and join)",
     .axes = {arguments_axis(), blocks_axis()},
     .modes = {Mode::batch},
     .kernels = table_of<ops::RoundTrip>(),
     .rate = latency,
     .quiet = true,
     .tail = true,
     .work = one_step,
     .ceiling = no_ceiling,
     .job = [](Setup& setup) { return launch_job(setup, ops::RoundTrip{.empty = empty_of(setup)}); }}};

}  // namespace
}  // namespace warpmark
