// SPDX-License-Identifier: Apache-2.0
// What a launch costs the host, which has other things to do.
#include "bench/launch/empty.h"

namespace warpmark {
namespace {

const Registered submit{
    {.name = "launch/submit",
     .about = "what the call costs the host that hands work over and does not wait, by bytes of arguments and blocks",
     .axes = {arguments_axis(), blocks_axis()},
     .modes = {Mode::batch},
     .kernels = table_of<ops::Submit>(),
     .rate = latency,
     .quiet = true,
     .tail = true,
     .work = one_step,
     .ceiling = no_ceiling,
     .job = [](Setup& setup) { return launch_job(setup, ops::Submit{.empty = empty_of(setup)}); }}};

}  // namespace
}  // namespace warpmark
