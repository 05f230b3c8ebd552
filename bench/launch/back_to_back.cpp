// SPDX-License-Identifier: Apache-2.0
// What launches cost the device when the host is far ahead.
#include "bench/launch/empty.h"

namespace warpmark {
namespace {

const Registered back_to_back{
    {.name = "launch/back_to_back",
     .about = "how long after one another empty kernels end that are queued already, on the device's clock",
     .axes = {arguments_axis(), blocks_axis()},
     .modes = {Mode::batch},
     .kernels = table_of<ops::BackToBack>(),
     .rate = latency,
     .work = one_step,
     .ceiling = no_ceiling,
     .job = [](Setup& setup) { return launch_job(setup, ops::BackToBack{.empty = empty_of(setup)}); }}};

}  // namespace
}  // namespace warpmark
