// SPDX-License-Identifier: Apache-2.0
// What it costs to make memory that copies go to and from without help, by size: once for a buffer that is kept.
#include "kernels/transfer/pin.h"

#include "bench/transfer/host_node.h"
#include "harness/measure/setup.h"
#include "kernels/check/same_bytes.h"

namespace warpmark {
namespace {

/// One step: the making. What is brought there to prove it is not timed.
Work pin_work(const Case& at, const DeviceInfo&) {
  const auto bytes = static_cast<double>(at.integer("bytes"));
  return {.bytes_read = bytes, .steps = 1};
}

CeilingRule pin_ceiling(const Case&, const DeviceInfo&) {
  return {.why_none = "how long a system takes to find, clear and pin pages is nowhere stated"};
}

Turn pin_turn(Setup& s) {
  const auto bytes = static_cast<std::size_t>(s.at().integer("bytes"));
  const ops::Pin op{.source = s.random(bytes, 1),
                    .returned = s.poisoned(bytes),
                    .bytes = bytes,
                    .node = host_node(s.at(), s.device().info())};
  need_host_memory(bytes);
  const Bound bound = s.bound(op);
  return {.launch = bound.launch,
          .verify =
              [op, bound](Verifier& v) {
                const void* const got = v.plain(bound, op.returned);
                return Verdict{.error = v.run(ops::SameBytesCheck{.got = got, .wanted = op.source, .n = op.bytes}),
                               .allowed = 0};
              },
          .sample = bound.sample};
}

Job pin_job(Setup& setup) {
  return {.turns = setup.rotate(static_cast<std::size_t>(setup.at().integer("bytes")), pin_turn),
          .clocking = Clocking::own};
}

const Registered pin{
    {.name = "transfer/pin",
     .about = "how long it takes to get pinned memory, or to pin what is there, by size",
     .axes = {node_axis(),
              {.name = "bytes",
               .values = {std::int64_t{4096}, std::int64_t{1} << 20, std::int64_t{64} << 20, std::int64_t{1} << 30}}},
     .modes = {Mode::batch},
     .kernels = table_of<ops::Pin>(),
     .rate = latency,
     .work = pin_work,
     .ceiling = pin_ceiling,
     .job = pin_job}};

}  // namespace
}  // namespace warpmark
