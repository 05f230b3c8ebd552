// SPDX-License-Identifier: Apache-2.0
// A stream on a GPU. Its clock is a pair of events around work that is queued while a kernel holds the stream, so that
// the host's jitter between launches does not count.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <memory>

#include "harness/backends/cuda/device_code.h"
#include "harness/device/device.h"

namespace warpmark::cuda {

class CudaDevice;

struct Grid {
  unsigned blocks = 1;
  unsigned threads = 1;  // of a block
  unsigned blocks_y = 1;
  unsigned blocks_z = 1;
};

class CudaStream final : public Stream {
 public:
  explicit CudaStream(CudaDevice& device);
  ~CudaStream() override;

  [[nodiscard]] Device& device() override;
  [[nodiscard]] CudaDevice& cuda_device() { return device_; }
  [[nodiscard]] CUstream handle() const { return stream_; }

  void copy_in(void* device_to, const void* host_from, std::size_t bytes) override;
  void copy_out(void* host_to, const void* device_from, std::size_t bytes) override;
  void fill_random(void* device_to, std::size_t n, DType dtype, std::uint64_t seed) override;
  void fill_cycle(void* device_to, std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed) override;
  void poison(void* device_to, std::size_t bytes) override;
  /// A stream that was held too long (its own time-out) is not held again: what it was given waits for itself.
  [[nodiscard]] double time(const std::function<void(Stream&)>& submit) override;
  void wait() override;

  /// Queues a kernel that takes one struct by value. `Parameters` is the kernel's own parameter type.
  template <class Parameters>
  void launch(const LoadedKernel& kernel, const Grid& grid, const Parameters& parameters) {
    Parameters copy = parameters;
    void* all[] = {&copy};
    launch_raw(kernel, grid, all);
  }

  /// The same, of a kernel that takes one struct that only its bytes are known of, or nothing (null).
  void launch_bytes(const LoadedKernel& kernel, const Grid& grid, void* parameters) {
    void* all[] = {parameters};
    launch_raw(kernel, grid, parameters == nullptr ? nullptr : all);
  }
  /// Queue a copy and return: only of pinned memory, because the driver would wait for any other.
  void start_copy_in(void* device_to, const void* pinned_from, std::size_t bytes);
  void start_copy_out(void* pinned_to, const void* device_from, std::size_t bytes);

  /// Tells the stream that a library was called to queue work on it, several kernels perhaps: while it is held, only so
  /// much fits into the queue.
  void count_library_call() { count_launches(4); }

  /// SM clocks per second, over about a fifth of a millisecond.
  [[nodiscard]] double clock_hz();

 private:
  struct Timing;  // events, the flag that holds the stream, where the clock probe writes

  void count_launches(int count);
  /// Of a kernel whose threads stride over n elements.
  [[nodiscard]] Grid striding_grid(std::size_t n) const;
  [[nodiscard]] double time_once(Timing& timing, const std::function<void(Stream&)>& submit);
  void launch_raw(const LoadedKernel& kernel, const Grid& grid, void** parameters);
  [[nodiscard]] Timing& timing();

  CudaDevice& device_;
  CUstream stream_ = nullptr;
  std::unique_ptr<Timing> timing_{};
};

/// The stream as what it is on this backend.
[[nodiscard]] CudaStream& cuda_stream(Stream& stream);

}  // namespace warpmark::cuda
