// SPDX-License-Identifier: Apache-2.0
// What can lie in a stream's queue until the host is entitled to see its effect.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "tests/fakes/executor/grid.h"
#include "tests/fakes/machine/copy_truth.h"
#include "tests/fakes/twins/twin.h"

namespace warpmark::fakes {

/// One passing of an event: which stream it is in, and the device's time when that had come so far.
struct Point {
  CUstream stream = nullptr;
  bool was_passed = false;
  double seconds = 0;
};

/// A point in a stream. Marked anew, it has to be waited for anew.
struct Event {
  bool is_timed = true;
  bool was_recorded = false;
  int pending = 0;                // marks that lie in queues
  double seconds = 0;             // device time of the last mark that was passed
  std::shared_ptr<Point> last{};  // the mark that a stream which waits now waits for
};

struct Launch {
  const Twin* twin = nullptr;
  Extent grid{};
  Extent block{};
  std::vector<std::byte> parameters{};  // as they were when it was submitted
};

struct Copy {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<const std::vector<std::byte>> staged{};  // what `from` held, where the driver took it at once
  bool to_device = false;
  std::optional<CopyTruth> truth{};  // empty: as the device's link_bandwidth says
};

struct Fill {
  void* to = nullptr;
  unsigned char value = 0;
  std::size_t bytes = 0;
};

struct Mark {
  std::shared_ptr<Event> event{};
  std::shared_ptr<Point> point{};
};

/// Of a stream for a point of another.
struct Wait {
  std::shared_ptr<Point> point{};
};

/// All launches of a graph, one after the other.
struct Together {
  std::shared_ptr<const std::vector<Launch>> nodes{};
};

struct Operation {
  double submitted_seconds = 0;  // host time; host and device count from the same 0
  std::variant<Launch, Copy, Fill, Mark, Wait, Together> what{};
};

}  // namespace warpmark::fakes
