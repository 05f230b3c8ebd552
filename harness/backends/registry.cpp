// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/registry.h"

#include <array>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/backends/cuda/cuda_backend.h"

namespace warpmark {

std::span<const Backend> backends() {
  static const std::array all{cuda_backend(), cpu_backend()};
  return all;
}

}  // namespace warpmark
