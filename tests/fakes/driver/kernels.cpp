// SPDX-License-Identifier: Apache-2.0
// Functions of the driver: loading device code, launching kernels.
#include <cuda.h>

#include <cstdio>
#include <cstring>

#include "tests/fakes/driver/entry.h"
#include "tests/fakes/driver/launches.h"

namespace warpmark::fakes {
namespace {

void refuse_unless_served(const Simulation& all, const SimulatedDevice& device, const Kernel& kernel) {
  if (const CUresult code = kernel.images->serve(all.chip_of(device)); code != CUDA_SUCCESS) throw Refusal{code};
}

const Twin& known_twin(const Kernel& kernel) {
  const Twin* const twin = find_twin(kernel.name);
  if (twin != nullptr) return *twin;
  std::fprintf(stderr,
               "simulated driver: no twin for the kernel %s: enter it in tests/fakes/twins/ (twins.cpp lists them)\n",
               kernel.name.c_str());
  throw Refusal{CUDA_ERROR_NO_BINARY_FOR_GPU};
}

void check_extents(const Extent& grid, const Extent& block) {
  const bool is_good = grid.count() > 0 && grid.x <= 2147483647U && grid.y <= 65535 && grid.z <= 65535 &&
                       block.count() > 0 && block.count() <= 1024 && block.x <= 1024 && block.y <= 1024 &&
                       block.z <= 64;
  if (!is_good) throw Refusal{CUDA_ERROR_INVALID_VALUE};
}

std::vector<std::byte> parameters_of(const Twin& twin, void** parameters) {
  if (twin.parameter_bytes == 0) return {};
  if (parameters == nullptr || *parameters == nullptr) throw Refusal{CUDA_ERROR_INVALID_VALUE};
  const auto* const begin = static_cast<const std::byte*>(*parameters);
  return {begin, begin + twin.parameter_bytes};
}

}  // namespace

void refuse_the_unknown(unsigned shared_bytes, void** extra) {
  if (shared_bytes == 0 && extra == nullptr) return;
  std::fputs("simulated driver: launches know no dynamic shared memory and no 'extra'\n", stderr);
  throw Refusal{CUDA_ERROR_NOT_SUPPORTED};
}

Launch launch_of(Simulation& all, const SimulatedDevice& device, const void* function, const Extent& grid,
                 const Extent& block, void** parameters) {
  const Kernel& kernel = all.kernel_of(function);
  refuse_unless_served(all, device, kernel);
  check_extents(grid, block);
  Launch launch{.twin = &known_twin(kernel), .grid = grid, .block = block};
  launch.parameters = parameters_of(*launch.twin, parameters);
  return launch;
}

}  // namespace warpmark::fakes

using namespace warpmark::fakes;  // the functions themselves are C's

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* /*options*/, void** /*values*/,
                           unsigned int /*count*/, CUlibraryOption* /*library_options*/, void** /*library_values*/,
                           unsigned int /*library_count*/) {
  return enter("cuLibraryLoadData", [=](Simulation& all) {
    need(library, code);
    *library = all.load(code);
  });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return enter("cuLibraryGetKernel", [=](Simulation& all) {
    need(kernel, name);
    *kernel = all.kernel(library, name);
  });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return enter_context("cuKernelGetFunction", [=](Simulation& all, SimulatedDevice& device) {
    need(function);
    refuse_unless_served(all, device, all.kernel_of(kernel));
    *function = reinterpret_cast<CUfunction>(kernel);
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                        CUstream stream, void** parameters, void** extra) {
  return enter_context("cuLaunchKernel", [=](Simulation& all, SimulatedDevice& device) {
    refuse_the_unknown(shared_bytes, extra);
    Launch launch = launch_of(all, device, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, parameters);
    const LaunchTruth& cost = device.truth().launch;
    const double bytes = static_cast<double>(launch.parameters.size());
    if (cost.submit_seconds || cost.argument_byte_seconds > 0)
      all.spend_on(cost.submit_seconds.value_or(all.scenario().host_call_seconds) + bytes * cost.argument_byte_seconds);
    all.wait_until(device.submit(stream, {.submitted_seconds = all.host_seconds(), .what = std::move(launch)}));
  });
}
