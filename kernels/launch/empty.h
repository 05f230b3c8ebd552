// SPDX-License-Identifier: Apache-2.0
// The contracts of launch: work that does nothing, started in the ways that cost differently. What a launch is given
// and how it is divided is the same for all of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpmark::ops {

/// What launches leave when they are asked for proof: that their arguments came and how many blocks ran.
struct Launched {
  std::uint64_t sum = 0;     // of the arguments' bytes, each times its place from 1 on
  std::uint64_t blocks = 0;  // of all launches together
};

/// Nothing, by so many blocks (on a CPU: turns of a loop that the threads share out), with arguments that are passed by
/// value. Timed launches store nothing; launches of the same kernel that are not timed write `launched`.
struct Empty {
  const void* arguments = nullptr;  // memory of the device; null where there are none
  std::size_t argument_bytes = 0;
  std::size_t blocks = 1;
  Launched* launched = nullptr;
};

/// What the call that hands the work over costs the host, which does not wait for it.
struct Submit {
  Empty empty{};
};

/// The time between the ends of two such launches that wait for nothing.
struct BackToBack {
  Empty empty{};
};

/// From the call until the host knows that the work is done.
struct RoundTrip {
  Empty empty{};
};

/// The same after nothing was done for a while.
struct AfterIdle {
  Empty empty{};
  double idle_seconds = 0;
};

enum class GraphStep : std::uint8_t {
  node,         // what a node more takes the device
  launch,       // what the call costs the host
  instantiate,  // making what can be launched of a graph
  upload,       // bringing that to the device
};

/// One of the things that are to be done with a graph of `nodes` launches, one after the other. Each has arguments of
/// its own: those of node i begin at i * argument_bytes.
struct GraphOfEmpty {
  Empty empty{};
  std::size_t nodes = 1;
  GraphStep step = GraphStep::node;
};

}  // namespace warpmark::ops
