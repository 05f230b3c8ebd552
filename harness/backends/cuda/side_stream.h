// SPDX-License-Identifier: Apache-2.0
// A second stream beside one that is timed: what is queued on it lies between two points of the first.
#pragma once

#include <cuda.h>

#include "harness/backends/cuda/cuda_stream.h"

namespace warpmark::cuda {

class SideStream {
 public:
  explicit SideStream(CudaDevice& device);
  ~SideStream();
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  [[nodiscard]] CudaStream& stream() { return stream_; }
  /// What is queued here from now on begins when `first` has come so far.
  void fork(CudaStream& first);
  /// `first` goes on when all that is queued here is done.
  void join(CudaStream& first);

 private:
  CudaStream stream_;
  CUevent forked_ = nullptr;
  CUevent joined_ = nullptr;
};

}  // namespace warpmark::cuda
