// SPDX-License-Identifier: Apache-2.0
// Triad back to back until the memory is warm: what a machine moves for as long as it is rented.
#include "kernels/memory/triad.h"

#include "bench/memory/footprint.h"
#include "bench/memory/triad.h"
#include "bench/steady/duration.h"

namespace warpmark {
namespace {

const Registered triad{{.name = "steady/triad",
                        .about = "a = b + s * c over three arrays, back to back for so many seconds: what is left when "
                                 "the device is warm",
                        .axes = {{.name = "footprint", .values = {"memory"}, .takes_integers = true}, seconds_axis()},
                        .modes = {Mode::batch},
                        .kernels = table_of<ops::Triad>(),
                        .rate = bandwidth,
                        .lasts = seconds_of,
                        .work = triad_work,
                        .ceiling = memory_ceiling,
                        .job = triad_job}};

}  // namespace
}  // namespace warpmark
