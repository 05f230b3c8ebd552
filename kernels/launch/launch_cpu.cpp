// SPDX-License-Identifier: Apache-2.0
// Launches on the cpu are regions that the pool's threads run together: each copies the arguments, does its turns of an
// empty loop and a delay of known length. What the delay takes by itself is taken off, as EPCC's benchmarks do it, so
// that no thread has ended before the last one has begun.
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "harness/device/device.h"
#include "kernels/check/launched.h"
#include "kernels/launch/empty.h"
#include "kernels/launch/stopwatch.h"

namespace warpmark::cpu {
namespace {

constexpr std::size_t most_argument_bytes = 4096;
constexpr int delay_turns = 1000;
/// Reading what the threads have left takes their memory from them: not after every launch.
constexpr std::size_t launches_to_tell = 256;

/// Returns how many turns there were.
std::size_t turn_around(std::size_t turns) {
  std::size_t i = 0;
  for (; i < turns; ++i) asm volatile("" : "+r"(i));
  return i;
}

/// What a thread leaves behind, on cache lines of its own.
struct alignas(64) Slot {
  std::size_t turns = 0;       // its share of the blocks
  std::uint64_t launches = 0;  // that it has had part in
  std::uint64_t blocks = 0;    // that it has done in the last one
  std::array<unsigned char, most_argument_bytes> arguments{};
};

class Region {
 public:
  /// `first`: the thread that has the first part; those before it have none.
  Region(ThreadPool& pool, const ops::Empty& op, std::size_t first)
      : pool_(pool), op_(op), first_(first), slots_(pool.size()), delay_seconds_(usual_delay()) {
    for (std::size_t i = first; i < slots_.size(); ++i) {
      const Part part = part_of(op.blocks, most_argument_bytes, i - first, slots_.size() - first);
      slots_[i].turns = part.end - part.begin;
    }
  }

  /// Seconds of fork and join.
  [[nodiscard]] double run() {
    ++launches_;
    return seconds_of([this] { pool_.run(work_); }) - delay_seconds_;
  }
  /// Seconds until the others have it; comes back when they are done.
  [[nodiscard]] double post() {
    ++launches_;
    const double seconds = seconds_of([this] { pool_.post(work_); });
    pool_.finish();
    return seconds;
  }
  /// Writes op.launched from what the threads have left of the last launch.
  void tell() const {
    ops::Launched all{.sum = sum_of(slots_[first_])};
    for (std::size_t i = first_; i < slots_.size(); ++i) {
      const bool is_right = slots_[i].launches == launches_ && sum_of(slots_[i]) == all.sum;
      all.blocks += is_right ? slots_[i].blocks : op_.blocks + 1;
    }
    *op_.launched = all;
  }
  [[nodiscard]] bool is_time_to_tell() { return asked_++ % launches_to_tell == 0; }
  [[nodiscard]] double delay_seconds() const { return delay_seconds_; }

 private:
  struct Work {
    Region* region;
    void operator()(std::size_t index, std::size_t /*count*/) const { region->serve(region->slots_[index]); }
  };

  void serve(Slot& slot) const {
    if (op_.argument_bytes > 0) std::memcpy(slot.arguments.data(), op_.arguments, op_.argument_bytes);
    slot.blocks = turn_around(slot.turns);
    (void)turn_around(delay_turns);
    ++slot.launches;
  }
  [[nodiscard]] std::uint64_t sum_of(const Slot& slot) const {
    return ops::weighted_sum(slot.arguments.data(), op_.argument_bytes, 1);
  }
  [[nodiscard]] static double usual_delay() {
    std::vector<double> all(1001);
    for (double& one : all) one = seconds_of([] { (void)turn_around(delay_turns); });
    std::nth_element(all.begin(), all.begin() + 500, all.end());
    return all[500];
  }

  ThreadPool& pool_;
  ops::Empty op_;
  std::size_t first_;
  std::vector<Slot> slots_;
  double delay_seconds_;
  Work work_{this};
  // Apart from what the threads read, which would have to come anew from this thread for every launch.
  alignas(64) std::uint64_t launches_ = 0;
  std::size_t asked_ = 0;
};

/// One launch by `run`, timed as it says, and now and then the proof of it.
template <class Run>
Bound bound(Stream& stream, const ops::Empty& op, std::size_t first, const Run& run) {
  const auto region = std::make_shared<Region>(pool_of(stream), op, first);
  return {.launch =
              [region, run](Stream&) {
                (void)run(*region);
                region->tell();
              },
          .about = {{"threads", pool_of(stream).size()},
                    {"host_cpu", pool_of(stream).cpus().front()},
                    {"delay_seconds", region->delay_seconds()}},
          .clocking = Clocking::own,
          .sample =
              [region, run](Stream&) {
                const double seconds = run(*region);
                if (region->is_time_to_tell()) region->tell();
                return seconds;
              }};
}

std::string too_many_arguments(const Case& at) {
  const std::int64_t bytes = at.integer("arguments");
  return bytes <= static_cast<std::int64_t>(most_argument_bytes) ? ""
                                                                 : "a kernel takes at most 4096 bytes of arguments";
}

Bound bind_submit(Stream& stream, const ops::Submit& op) {
  Bound made = bound(stream, op.empty, 1, [](Region& region) { return region.post(); });
  made.about["method"] = "the host's clock around handing work to the pool's other threads, which wait awake";
  return made;
}

Bound bind_round_trip(Stream& stream, const ops::RoundTrip& op) {
  Bound made = bound(stream, op.empty, 0, [](Region& region) { return region.run(); });
  made.about["method"] = "EPCC: a region with a delay of known length, less that delay";
  return made;
}

Bound bind_after_idle(Stream& stream, const ops::AfterIdle& op) {
  const std::chrono::duration<double> idle(op.idle_seconds);
  Bound made = bound(stream, op.empty, 0, [idle](Region& region) {
    std::this_thread::sleep_for(idle);
    return region.run();
  });
  made.about["method"] = "as launch/round_trip, after all threads have slept";
  return made;
}

std::string no_submit(const Device& device, const Case& at) {
  if (device.info().units < 2) return "work is handed to another thread, and there is one CPU";
  return too_many_arguments(at);
}

std::string no_round_trip(const Device& device, const Case& at) {
  if (device.info().units < 2) return "a region is forked to other threads, and there is one CPU";
  return too_many_arguments(at);
}

const Implements<ops::Submit> submit{{.id = {"cpu", "pool", DType::u8}, .bind = bind_submit, .unsupported = no_submit}};
const Implements<ops::RoundTrip> round_trip{
    {.id = {"cpu", "pool", DType::u8}, .bind = bind_round_trip, .unsupported = no_round_trip}};
const Implements<ops::AfterIdle> after_idle{{.id = {"cpu", "pool", DType::u8}, .bind = bind_after_idle}};

}  // namespace
}  // namespace warpmark::cpu
