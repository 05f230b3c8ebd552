// SPDX-License-Identifier: Apache-2.0
// Copies between host and device, by direction, size, kind of the host's memory, and where it lies.
#include "bench/transfer/host_node.h"
#include "harness/measure/setup.h"
#include "kernels/check/same_bytes.h"
#include "kernels/transfer/transfer.h"

namespace warpmark {
namespace {

constexpr std::int64_t kib = 1024;

Axis bytes_axis() {
  return {.name = "bytes",
          .values = {std::int64_t{4}, std::int64_t{256}, 4 * kib, 64 * kib, 1024 * kib, 16 * kib * kib, 128 * kib * kib,
                     kib * kib * kib}};
}

ops::Direction direction_of(const Case& at) {
  const std::string word = text_of(at["direction"]);
  if (word == "h2d") return ops::Direction::h2d;
  return word == "d2h" ? ops::Direction::d2h : ops::Direction::both;
}

/// As the device sees it. A byte that is copied counts once.
Work copy_work(const Case& at, const DeviceInfo&) {
  const auto bytes = static_cast<double>(at.integer("bytes"));
  const ops::Direction direction = direction_of(at);
  return {.bytes_read = direction == ops::Direction::h2d ? 0 : bytes,
          .bytes_written = direction == ops::Direction::d2h ? 0 : bytes};
}

CeilingRule copy_ceiling(const Case&, const DeviceInfo& device) {
  if (device.backend == "cpu")
    return {.why_none = "what memory gives to one thread that copies follows from no data sheet"};
  return {.why_none =
              "what a link could be is no bound: virtual machines tell less than there is, and some hosts have faster "
              "ones; what it was trained to is read under load"};
}

double differences(Verifier& v, const void* got, const ops::Transfer& op) {
  return v.run(ops::SameBytesCheck{.got = got, .wanted = op.source, .n = op.bytes});
}

Turn copy_turn(Setup& s) {
  const auto bytes = static_cast<std::size_t>(s.at().integer("bytes"));
  ops::Transfer op{.source = s.random(bytes, 1), .bytes = bytes, .direction = direction_of(s.at())};
  op.node = host_node(s.at(), s.device().info());
  if (op.to_device()) op.landing = s.poisoned(bytes);
  if (op.to_host()) op.returned = s.poisoned(bytes);
  need_host_memory((op.to_device() ? bytes : 0) + (op.to_host() ? bytes : 0));
  Bound bound = s.bound(op);
  return {.launch = bound.launch,
          .verify =
              [op, bound](Verifier& v) {
                double wrong = op.to_device() ? differences(v, op.landing, op) : 0;
                if (op.to_host()) wrong += differences(v, v.plain(bound, op.returned), op);
                return Verdict{.error = wrong, .allowed = 0};
              },
          .sample = bound.sample};
}

Job copy_job(Setup& setup) {
  std::vector<Turn> turns = setup.rotate(static_cast<std::size_t>(setup.at().integer("bytes")), copy_turn);
  const bool is_own = static_cast<bool>(turns.front().sample);
  return {.turns = std::move(turns), .clocking = is_own ? Clocking::own : Clocking::device};
}

const Registered copy{
    {.name = "transfer/copy",
     .about = "bytes between host and device, by direction, kind of the host's memory and its node",
     .axes = {{.name = "direction", .values = {std::string("h2d"), std::string("d2h"), std::string("both")}},
              node_axis(),
              bytes_axis()},
     .modes = {Mode::batch},
     .kernels = table_of<ops::Transfer>(),
     .rate = bandwidth,
     .work = copy_work,
     .ceiling = copy_ceiling,
     .job = copy_job}};

}  // namespace
}  // namespace warpmark
