// SPDX-License-Identifier: Apache-2.0
// Functions of the driver: streams and events.
#include <cuda.h>

#include "tests/fakes/driver/entry.h"

using namespace warpmark::fakes;  // the functions themselves are C's

CUresult cuStreamCreate(CUstream* stream, unsigned int /*flags*/) {
  return enter_context("cuStreamCreate", [=](Simulation&, SimulatedDevice& device) {
    need(stream);
    *stream = device.create_stream();
  });
}

CUresult cuStreamDestroy(CUstream stream) {
  return enter_context("cuStreamDestroy", [=](Simulation& all, SimulatedDevice& device) {
    device.destroy_stream(stream, all.host_seconds());
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return enter_context("cuStreamSynchronize", [=](Simulation& all, SimulatedDevice& device) {
    all.wait_until(device.finish(stream, all.host_seconds()));
  });
}

CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return enter_context("cuEventCreate", [=](Simulation&, SimulatedDevice& device) {
    need(event);
    *event = device.create_event((flags & CU_EVENT_DISABLE_TIMING) == 0);
  });
}

CUresult cuEventDestroy(CUevent event) {
  return enter_context("cuEventDestroy", [=](Simulation&, SimulatedDevice& device) { device.destroy_event(event); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return enter_context("cuEventRecord", [=](Simulation& all, SimulatedDevice& device) {
    all.wait_until(device.submit(stream, {.submitted_seconds = all.host_seconds(),
                                          .what = Mark{.event = device.event(event),
                                                       .point = std::make_shared<Point>(Point{.stream = stream})}}));
  });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return enter_context("cuStreamWaitEvent", [=](Simulation& all, SimulatedDevice& device) {
    if (flags != 0) throw Refusal{CUDA_ERROR_INVALID_VALUE};
    const std::shared_ptr<Point> point = device.event(event)->last;
    if (!point) return;  // nobody has marked it: there is nothing to wait for
    all.wait_until(device.submit(stream, {.submitted_seconds = all.host_seconds(), .what = Wait{.point = point}}));
  });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return enter_context("cuEventElapsedTime", [=](Simulation&, SimulatedDevice& device) {
    need(milliseconds);
    const auto& first = *device.event(start);
    const auto& second = *device.event(end);
    for (const auto* const event : {&first, &second})
      if (!event->was_recorded || !event->is_timed) throw Refusal{CUDA_ERROR_INVALID_HANDLE};
    // Nobody has waited for it: whether it is done by now is luck on hardware, and here it is not.
    if (first.pending > 0 || second.pending > 0) throw Refusal{CUDA_ERROR_NOT_READY};
    *milliseconds = static_cast<float>((second.seconds - first.seconds) * 1e3);
  });
}
