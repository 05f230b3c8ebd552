// SPDX-License-Identifier: Apache-2.0
// One GPU of the simulation: its memory, streams and events, and the error that it may be lost by.
#pragma once

#include <cuda.h>

#include <deque>
#include <map>
#include <memory>

#include "tests/fakes/machine/activity_log.h"
#include "tests/fakes/machine/address_map.h"
#include "tests/fakes/machine/engine.h"
#include "tests/fakes/machine/operation.h"
#include "tests/fakes/machine/scenario.h"

namespace warpmark::fakes {

class SimulatedDevice {
 public:
  /// `activity` is where it tells other processes what it does; null: nowhere.
  SimulatedDevice(const DeviceTruth& truth, int ordinal, FaultPlan& faults, const Jitter& jitter,
                  DeviceActivity* activity = nullptr);

  [[nodiscard]] const DeviceTruth& truth() const { return truth_; }
  /// In the scenario.
  [[nodiscard]] int ordinal() const { return ordinal_; }

  // The primary context.
  void retain() {
    ++retained_;
    activity_.hold(memory_.bytes());
  }
  /// Throws Refusal where nobody holds it. The last one to release it takes memory, streams and events along; memory
  /// that could have been freed is a leak then.
  void release();
  [[nodiscard]] bool is_retained() const { return retained_ > 0; }
  /// By which error everything in the context fails now; success where it does not.
  [[nodiscard]] CUresult lost_by() const { return lost_by_; }
  void lose(CUresult code) { lost_by_ = code; }

  [[nodiscard]] std::uint64_t free_bytes() const { return truth_.memory_free_bytes - memory_.bytes(); }
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// After all that is queued has run, as the driver does it.
  void free(void* data, double host_seconds);
  [[nodiscard]] const AddressMap& memory() const { return memory_; }
  /// Allocations, streams, events and holds of the context that nobody has given back, also those that the context took
  /// along.
  [[nodiscard]] std::size_t live_objects() const;
  /// The process ends, or the context: what is left now was forgotten, unless the device was lost.
  void abandon_memory();

  [[nodiscard]] CUstream create_stream();
  /// Throws Refusal for a handle of nobody's.
  void need_stream(CUstream stream) { (void)stream_of(stream); }
  void destroy_stream(CUstream stream, double host_seconds);
  [[nodiscard]] CUevent create_event(bool is_timed);
  void destroy_event(CUevent event);
  /// Throws Refusal for a handle of nobody's.
  [[nodiscard]] const std::shared_ptr<Event>& event(CUevent handle) const;

  /// Returns the host's time after it: a full queue makes the host wait.
  [[nodiscard]] double submit(CUstream stream, Operation operation);
  /// Runs all that the stream has queued. Returns when the host knows that it is done. Throws Refusal with what went
  /// wrong, or Hang.
  double finish(CUstream stream, double host_seconds);
  void finish_all(double host_seconds);

 private:
  struct Stream {
    std::deque<Operation> queue{};
    double ready_seconds = 0;  // when the last operation that has run was done
  };

  [[nodiscard]] Stream& stream_of(CUstream handle);
  void finish(Stream& stream, double host_seconds);
  [[nodiscard]] double start_of(const Operation& operation, const Stream& stream) const;
  [[nodiscard]] CUresult run_first(Stream& stream, double host_seconds);
  /// Runs the stream that the point is in until it is passed.
  [[nodiscard]] CUresult run_until(const Point& point, double host_seconds);

  const DeviceTruth& truth_;
  int ordinal_;
  int retained_ = 0;
  std::size_t abandoned_ = 0;  // what contexts took along
  CUresult lost_by_ = CUDA_SUCCESS;
  AddressMap memory_{};
  Engine engine_;
  ActivityLog activity_;
  std::map<CUstream, std::unique_ptr<Stream>> streams_{};
  std::map<CUevent, std::shared_ptr<Event>> events_{};
};

}  // namespace warpmark::fakes
