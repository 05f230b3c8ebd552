// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/simulated_device.h"

#include <algorithm>
#include <utility>

#include "tests/fakes/machine/refusal.h"

namespace warpmark::fakes {
namespace {

/// What a stream takes before it keeps the host waiting.
constexpr std::size_t most_queued = 1024;

}  // namespace

SimulatedDevice::SimulatedDevice(const DeviceTruth& truth, int ordinal, FaultPlan& faults, const Jitter& jitter,
                                 DeviceActivity* activity)
    : truth_(truth),
      ordinal_(ordinal),
      engine_(truth, ordinal, faults, jitter),
      activity_(activity, truth.card.held_down) {}

std::size_t SimulatedDevice::live_objects() const {
  return abandoned_ + memory_.count() + streams_.size() + events_.size() + static_cast<std::size_t>(retained_);
}

void SimulatedDevice::release() {
  if (retained_ == 0) throw Refusal{CUDA_ERROR_INVALID_CONTEXT};
  if (--retained_ > 0) return;
  abandoned_ += memory_.count() + streams_.size() + events_.size();
  streams_.clear();
  events_.clear();
  abandon_memory();
  engine_.forget_results();
  activity_.leave();
}

void SimulatedDevice::abandon_memory() {
  if (lost_by_ == CUDA_SUCCESS) memory_.abandon_all();
  memory_.release_all();
}

void* SimulatedDevice::allocate(std::size_t bytes) {
  if (bytes > free_bytes()) throw Refusal{CUDA_ERROR_OUT_OF_MEMORY};
  engine_.forget_results();
  void* const data = memory_.allocate(bytes);
  activity_.hold(memory_.bytes());
  return data;
}

void SimulatedDevice::free(void* data, double host_seconds) {
  finish_all(host_seconds);
  engine_.forget_results();
  if (!memory_.release(data)) throw Refusal{CUDA_ERROR_INVALID_VALUE};
  activity_.hold(memory_.bytes());
}

CUstream SimulatedDevice::create_stream() {
  auto stream = std::make_unique<Stream>();
  auto* const handle = reinterpret_cast<CUstream>(stream.get());
  streams_[handle] = std::move(stream);
  return handle;
}

void SimulatedDevice::destroy_stream(CUstream stream, double host_seconds) {
  finish(stream_of(stream), host_seconds);
  streams_.erase(stream);
}

CUevent SimulatedDevice::create_event(bool is_timed) {
  auto event = std::make_shared<Event>();
  event->is_timed = is_timed;
  auto* const handle = reinterpret_cast<CUevent>(event.get());
  events_[handle] = std::move(event);
  return handle;
}

void SimulatedDevice::destroy_event(CUevent event) {
  if (events_.erase(event) == 0) throw Refusal{CUDA_ERROR_INVALID_HANDLE};
}

const std::shared_ptr<Event>& SimulatedDevice::event(CUevent handle) const {
  const auto found = events_.find(handle);
  if (found == events_.end()) throw Refusal{CUDA_ERROR_INVALID_HANDLE};
  return found->second;
}

SimulatedDevice::Stream& SimulatedDevice::stream_of(CUstream handle) {
  const auto found = streams_.find(handle);
  if (found == streams_.end()) throw Refusal{CUDA_ERROR_INVALID_HANDLE};
  return *found->second;
}

double SimulatedDevice::submit(CUstream handle, Operation operation) {
  Stream& stream = stream_of(handle);
  double host_seconds = operation.submitted_seconds;
  while (stream.queue.size() >= most_queued) {
    const CUresult code = run_first(stream, host_seconds);
    if (code != CUDA_SUCCESS) throw Refusal{code};
    host_seconds = std::max(host_seconds, stream.ready_seconds);
  }
  operation.submitted_seconds = host_seconds;
  if (const auto* const mark = std::get_if<Mark>(&operation.what)) {
    mark->event->was_recorded = true;
    ++mark->event->pending;
    mark->event->last = mark->point;
  }
  stream.queue.push_back(std::move(operation));
  return host_seconds;
}

double SimulatedDevice::start_of(const Operation& operation, const Stream& stream) const {
  const bool is_launch =
      std::holds_alternative<Launch>(operation.what) || std::holds_alternative<Together>(operation.what);
  if (!is_launch) return std::max(stream.ready_seconds, operation.submitted_seconds);
  const LaunchTruth& cost = truth_.launch;
  const bool sleeps = operation.submitted_seconds - stream.ready_seconds > cost.sleep_after_seconds;
  return std::max(stream.ready_seconds,
                  operation.submitted_seconds + cost.start_seconds + (sleeps ? cost.wake_seconds : 0));
}

CUresult SimulatedDevice::run_first(Stream& stream, double host_seconds) {
  if (const auto* const wait = std::get_if<Wait>(&stream.queue.front().what)) {
    const std::shared_ptr<const Point> point = wait->point;  // a device that is lost meanwhile takes the queues along
    if (const CUresult code = run_until(*point, host_seconds); code != CUDA_SUCCESS) return code;
  }
  const Operation& operation = stream.queue.front();
  const double start = start_of(operation, stream);
  activity_.begin(start);
  const Done done = engine_.run(operation, start, host_seconds);  // one that hangs stays in the queue
  activity_.end(start, done.seconds);
  if (const auto* const copy = std::get_if<Copy>(&operation.what)) activity_.copied(copy->bytes, copy->to_device);
  stream.queue.pop_front();
  stream.ready_seconds = done.seconds;
  if (is_sticky(done.code)) {
    lose(done.code);
    for (const auto& [handle, each] : streams_) each->queue.clear();
  }
  return done.code;
}

CUresult SimulatedDevice::run_until(const Point& point, double host_seconds) {
  while (!point.was_passed)
    if (const CUresult code = run_first(stream_of(point.stream), host_seconds); code != CUDA_SUCCESS) return code;
  return CUDA_SUCCESS;
}

double SimulatedDevice::finish(CUstream handle, double host_seconds) {
  Stream& stream = stream_of(handle);
  const bool is_news = !stream.queue.empty();
  finish(stream, host_seconds);
  return stream.ready_seconds + (is_news ? truth_.launch.notice_seconds : 0);
}

void SimulatedDevice::finish(Stream& stream, double host_seconds) {
  CUresult first = CUDA_SUCCESS;
  while (!stream.queue.empty()) {
    const CUresult code = run_first(stream, host_seconds);
    if (first == CUDA_SUCCESS) first = code;
  }
  if (first != CUDA_SUCCESS) throw Refusal{first};
}

void SimulatedDevice::finish_all(double host_seconds) {
  for (const auto& [handle, stream] : streams_) finish(*stream, host_seconds);
}

}  // namespace warpmark::fakes
