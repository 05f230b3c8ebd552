// SPDX-License-Identifier: Apache-2.0
#include "bench/launch/empty.h"

namespace warpmark {

Axis arguments_axis() { return {.name = "arguments", .values = {0, 64, 1024, 4096}}; }
Axis blocks_axis() { return {.name = "blocks", .values = {1, 128, 4096, 65536}}; }

ops::Empty empty_of(Setup& setup, std::size_t argument_bytes, std::size_t blocks, std::size_t launches) {
  constexpr std::uint64_t seed = 1;
  return {.arguments = argument_bytes == 0 ? nullptr : setup.random(argument_bytes * launches, seed),
          .argument_bytes = argument_bytes,
          .blocks = blocks,
          .launched = setup.poisoned_as<ops::Launched>(1)};
}

ops::Empty empty_of(Setup& setup) {
  return empty_of(setup, static_cast<std::size_t>(setup.at().integer("arguments")),
                  static_cast<std::size_t>(setup.at().integer("blocks")));
}

Work one_step(const Case&, const DeviceInfo&) { return {.steps = 1}; }

CeilingRule no_ceiling(const Case&, const DeviceInfo&) {
  return {.why_none = "no data sheet tells what a launch costs; the figures of this family explain each other"};
}

}  // namespace warpmark
