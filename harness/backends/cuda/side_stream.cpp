// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/side_stream.h"

#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/driver.h"

namespace warpmark::cuda {
namespace {

CUevent untimed_event() {
  CUevent event = nullptr;
  check(driver().EventCreate(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  return event;
}

/// `later` waits for what `earlier` has queued so far.
void order(CudaStream& earlier, CUevent event, CudaStream& later) {
  check(driver().EventRecord(event, earlier.handle()), "cuEventRecord");
  check(driver().StreamWaitEvent(later.handle(), event, 0), "cuStreamWaitEvent");
}

}  // namespace

SideStream::SideStream(CudaDevice& device) : stream_(device), forked_(untimed_event()) {
  try {
    joined_ = untimed_event();
  } catch (...) {
    (void)driver().EventDestroy(forked_);
    throw;
  }
}

SideStream::~SideStream() {
  (void)driver().EventDestroy(forked_);
  (void)driver().EventDestroy(joined_);
}

void SideStream::fork(CudaStream& first) {
  order(first, forked_, stream_);
  first.count_library_call();  // the events take places in the queue too
}

void SideStream::join(CudaStream& first) { order(stream_, joined_, first); }

}  // namespace warpmark::cuda
