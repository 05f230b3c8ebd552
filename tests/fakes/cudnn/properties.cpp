// SPDX-License-Identifier: Apache-2.0
// What the real cuDNN is told of a simulated chip. The names of the fields are those that the library asks for; numbers
// per SM are of the CUDA programming guide's table, the rest is of a large card. Derived, and not compared with what a
// real device says of itself.
#include <cstdio>
#include <string>

#include "tests/fakes/cudnn/real_library.h"

namespace warpmark::fakes {
namespace {

struct ChipProperties {
  int capability = 0;
  int sms = 0;
  int shared_bytes = 0;           // of an SM
  int shared_bytes_of_block = 0;  // at most, by opting in
  int threads = 0;                // of an SM
  int blocks = 0;
  const char* name = "";
};
constexpr ChipProperties chips[] = {{75, 40, 65536, 65536, 1024, 16, "Tesla T4"},
                                    {80, 108, 167936, 166912, 2048, 32, "NVIDIA A100-SXM4-80GB"},
                                    {86, 80, 102400, 101376, 1536, 16, "NVIDIA A10G"},
                                    {89, 128, 102400, 101376, 1536, 24, "NVIDIA GeForce RTX 4090"},
                                    {90, 132, 233472, 232448, 2048, 32, "NVIDIA H200"},
                                    {100, 148, 233472, 232448, 2048, 32, "NVIDIA B200"},
                                    {120, 170, 102400, 101376, 1536, 24, "NVIDIA GeForce RTX 5090"}};

std::string json_of(const ChipProperties& chip) {
  char text[1024];
  std::snprintf(
      text, sizeof text,
      R"({"maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],"regsPerBlock":65536,)"
      R"("multiProcessorCount":%d,"warpSize":32,"maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":%d,)"
      R"("reservedSharedMemoryPerBlock":1024,"maxRegistersPerSM":65536,"maxSharedMemoryPerSM":%d,"maxCtasPerSM":%d,)"
      R"("maxThreadsPerBlock":1024,"maxThreadsPerSM":%d,"pciDeviceId":0,"isTccDriver":0,"supportCoopLaunch":1,)"
      R"("smClockRateKHz":1980000,"memClockRateKHz":2619000,"l2CacheSize":52428800,"deviceName":"%s",)"
      R"("cudaDeviceId":0,"deviceVer":%d,"driverVer":13000,"totalGlobalMem":85000000000})",
      chip.sms, chip.shared_bytes_of_block, chip.shared_bytes, chip.blocks, chip.threads, chip.name,
      chip.capability * 10);
  return text;
}

cudnnBackendDescriptor_t describe(int capability) {
  for (const ChipProperties& chip : chips) {
    if (chip.capability != capability) continue;
    const std::string json = json_of(chip);
    cudnnBackendDescriptor_t made = nullptr;
    if (real_cudnn().create(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, &made) != CUDNN_STATUS_SUCCESS) return nullptr;
    if (real_cudnn().set(made, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                         static_cast<int64_t>(json.size()), json.data()) != CUDNN_STATUS_SUCCESS ||
        real_cudnn().finalize(made) != CUDNN_STATUS_SUCCESS)
      return nullptr;
    return made;
  }
  std::fprintf(stderr, "simulated cuDNN: nothing is known of compute capability %d\n", capability);
  return nullptr;
}

}  // namespace

cudnnBackendDescriptor_t device_properties() {
  static int described = 0;
  static cudnnBackendDescriptor_t properties = nullptr;
  int capability = 0;
  if (cudnn_driver().capability == nullptr || cudnn_driver().capability(&capability) != CUDA_SUCCESS) return nullptr;
  if (capability != described) {
    if (properties != nullptr) (void)real_cudnn().destroy(properties);
    properties = describe(capability);
    described = capability;
  }
  return properties;
}

}  // namespace warpmark::fakes
