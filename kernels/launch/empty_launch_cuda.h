// SPDX-License-Identifier: Apache-2.0
// The empty kernel of the cuda backend with its arguments, ready to be launched in either way: timed, or telling.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/device_code.h"
#include "harness/core/kernel.h"
#include "kernels/launch/empty.h"

namespace warpmark::cuda {

/// Keeps the calling thread on the CPU where it is, until it goes.
class PinnedHost {
 public:
  PinnedHost();
  ~PinnedHost();
  PinnedHost(const PinnedHost&) = delete;
  PinnedHost& operator=(const PinnedHost&) = delete;
  [[nodiscard]] int cpu() const { return cpu_; }  // -1: the system does not tell, so it is not kept

 private:
  int cpu_ = -1;
  std::vector<int> before_{};
};

class EmptyLaunch {
 public:
  /// `launches` of them, each with arguments of its own. The kernels have run once when this is made.
  EmptyLaunch(Stream& stream, const ops::Empty& op, std::size_t launches = 1);

  /// Queues the one that is timed.
  void submit(CudaStream& stream) { stream.launch_bytes(kernel_, timed_grid(), arguments(0)); }
  /// Queues the one that tells, and what writes down what was told.
  void tell(CudaStream& stream);
  /// Queues what writes down what was told before.
  void write_down(CudaStream& stream) const;
  /// Whether a timed launch comes next that the proof should be renewed before: the first of every 256.
  [[nodiscard]] bool is_time_to_tell() { return asked_++ % launches_to_tell == 0; }

  [[nodiscard]] const LoadedKernel& kernel() const { return kernel_; }
  [[nodiscard]] Grid timed_grid() const;
  [[nodiscard]] Grid telling_grid() const;
  /// Of the launch with that index; null where there are none.
  [[nodiscard]] void* arguments(std::size_t launch);
  [[nodiscard]] nlohmann::json about() const;

 private:
  /// So many fit into a stream's queue without keeping the host.
  static constexpr std::size_t launches_to_tell = 256;

  PinnedHost host_{};
  ops::Empty op_;
  LoadedKernel kernel_;
  LoadedKernel tell_;
  std::vector<unsigned char> bytes_;
  std::size_t asked_ = 0;
};

/// Empty, or why no kernel takes so many bytes, or no grid has so many blocks.
[[nodiscard]] std::string no_empty_launch(const Case& at);

}  // namespace warpmark::cuda
