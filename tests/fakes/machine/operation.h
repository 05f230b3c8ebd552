// SPDX-License-Identifier: Apache-2.0
// What can lie in a stream's queue until the host is entitled to see its effect.
#pragma once

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "tests/fakes/executor/grid.h"
#include "tests/fakes/twins/twin.h"

namespace warpmark::fakes {

/// A point in a stream. Marked anew, it has to be waited for anew.
struct Event {
  bool is_timed = true;
  bool was_recorded = false;
  int pending = 0;     // marks that lie in queues
  double seconds = 0;  // device time of the last mark that was passed
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
};

struct Fill {
  void* to = nullptr;
  unsigned char value = 0;
  std::size_t bytes = 0;
};

struct Mark {
  std::shared_ptr<Event> event{};
};

/// All launches of a graph, one after the other.
struct Together {
  std::shared_ptr<const std::vector<Launch>> nodes{};
};

struct Operation {
  double submitted_seconds = 0;  // host time; host and device count from the same 0
  std::variant<Launch, Copy, Fill, Mark, Together> what{};
};

}  // namespace warpmark::fakes
