// SPDX-License-Identifier: Apache-2.0
// Kernels of one .cu file as the build embedded them: machine code for the chips that the toolkit knew, and PTX that
// drivers older than that toolkit take too.
#pragma once

#include <cuda.h>

#include <span>
#include <string>
#include <string_view>

#include "harness/core/embedded_file.h"

namespace warpmark::cuda {

class CudaDevice;

/// One kernel that can be launched on every device of this process.
struct LoadedKernel {
  CUkernel handle = nullptr;
  bool jit = false;  // the driver compiled it here from PTX: a new driver may change its speed
};

class DeviceCode {
 public:
  /// Of the embedded files of one .cu: <name>.fatbin and, by the oldest chip that it is for, <name>.75.ptx and so on.
  explicit DeviceCode(std::span<const embedded::File> files) : files_(files) {}

  /// By its C name. Its first launch may still load something, which may not happen behind a kernel that holds the
  /// stream: launch it once before. Throws Unsupported where no image is for the chip or the driver, or has that name.
  [[nodiscard]] LoadedKernel kernel(const CudaDevice& device, const char* name) const;

 private:
  std::span<const embedded::File> files_;
};

}  // namespace warpmark::cuda
