// SPDX-License-Identifier: Apache-2.0
// Twins of kernels/launch/empty_cuda.cu. A spoiled launch changes what the launches that tell add up.
#include "kernels/launch/empty_cuda.h"
#include "tests/fakes/twins/twin.h"

using warpmark::cuda::EmptyArguments;
using warpmark::cuda::TellParameters;

extern "C" {
void launch_empty_0();
void launch_empty_64(EmptyArguments<64>);
void launch_empty_1024(EmptyArguments<1024>);
void launch_empty_4096(EmptyArguments<4096>);
void launch_tell(TellParameters);
}

namespace warpmark::cuda {
extern LaunchSums launch_sums;
}

namespace warpmark::fakes {
namespace {

Work of_nothing() {
  return {.output = range_of(&cuda::launch_sums, sizeof cuda::launch_sums),
          .output_element_bytes = sizeof(std::uint64_t)};
}

template <std::size_t bytes>
Work of_empty(const EmptyArguments<bytes>& /*p*/) {
  return of_nothing();
}

Work of_tell(const TellParameters& p) {
  return {.output = range_of(p.to, sizeof *p.to), .output_element_bytes = sizeof(std::uint64_t)};
}

}  // namespace

std::vector<Twin> launch_twins() {
  return {Twin{.kernel = "launch_empty_0",
               .run_thread = [](const void*) { launch_empty_0(); },
               .work = [](const void*) { return of_nothing(); }},
          twin_of<EmptyArguments<64>, launch_empty_64, of_empty<64>>("launch_empty_64"),
          twin_of<EmptyArguments<1024>, launch_empty_1024, of_empty<1024>>("launch_empty_1024"),
          twin_of<EmptyArguments<4096>, launch_empty_4096, of_empty<4096>>("launch_empty_4096"),
          twin_of<TellParameters, launch_tell, of_tell>("launch_tell")};
}

}  // namespace warpmark::fakes
