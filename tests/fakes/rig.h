// SPDX-License-Identifier: Apache-2.0
// A simulated machine within the test program: a scenario, a context, a stream, kernels that only tests have.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/fakes/driver/entry.h"
#include "tests/fakes/executor/cuda_on_cpu.h"
#include "tests/fakes/machine/scenario.h"

namespace warpmark::fakes {

/// A ready machine, without noise and with calls that take the host no time, unless the patch (RFC 7396) brings them.
inline nlohmann::json machine(const std::string& name, const nlohmann::json& patch = nlohmann::json::object()) {
  std::ifstream file(std::string(WARPMARK_SOURCE_DIR "/tests/fakes/machines/") + name + ".json");
  nlohmann::json scenario = nlohmann::json::parse(file);
  scenario.erase("jitter");
  scenario["host_call_seconds"] = 0;
  scenario.merge_patch(patch);
  return scenario;
}

/// Copies `n` floats: its twin is "test_copy".
struct CopyParameters {
  float* to = nullptr;
  const float* from = nullptr;
  std::size_t n = 0;
};

/// Does nothing and costs so many operations of f32_fma: "test_flops".
struct FlopParameters {
  double flops = 0;
};

/// Adds 1 to *at, so it tells how often it has run: "test_count".
struct CountParameters {
  int* at = nullptr;
};

inline void test_copy(CopyParameters p) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < p.n; i += step) p.to[i] = p.from[i];
}
inline void test_flops(FlopParameters /*p*/) {}
inline void test_count(CountParameters p) { ++*p.at; }
inline void test_stuck(FlopParameters /*p*/) {
  if (threadIdx.x == 0) __syncwarp();
  if (threadIdx.x != 0) __syncthreads();
}

inline Work of_copy(const CopyParameters& p) {
  const std::size_t bytes = p.n * sizeof(float);
  return {.bytes = 2.0 * static_cast<double>(bytes),
          .touched = {range_of(p.to, bytes), range_of(p.from, bytes)},
          .output = range_of(p.to, bytes),
          .output_element_bytes = sizeof(float)};
}
inline Work of_flops(const FlopParameters& p) { return {.flops = p.flops, .unit = "f32_fma"}; }
inline Work of_count(const CountParameters& /*p*/) { return {}; }

inline constexpr const char* test_ptx =
    ".version 8.0\n.target sm_75\n"
    ".visible .entry test_copy()\n.visible .entry test_flops()\n.visible .entry test_count()\n"
    ".visible .entry test_stuck()\n.visible .entry test_unknown()\n";

class Rig {
 public:
  explicit Rig(const nlohmann::json& scenario) {
    add_twin(twin_of<CopyParameters, test_copy, of_copy>("test_copy"));
    add_twin(twin_of<FlopParameters, test_flops, of_flops>("test_flops"));
    add_twin(twin_of<CountParameters, test_count, of_count>("test_count"));
    add_twin(twin_of<FlopParameters, test_stuck, of_flops>("test_stuck"));
    restart(parse_scenario(scenario.dump(), "test"));
    ok(cuInit(0));
    use(0);
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;
  /// With all that tests have not freed, which would be leaks at the end of the process.
  ~Rig() { restart({}); }

  /// Makes another device the one of what follows.
  void use(CUdevice device) {
    CUcontext context = nullptr;
    ok(cuDevicePrimaryCtxRetain(&context, device));
    ok(cuCtxSetCurrent(context));
    ok(cuStreamCreate(&stream, 0));
    ok(cuEventCreate(&start_, 0));
    ok(cuEventCreate(&end_, 0));
  }

  template <class T>
  [[nodiscard]] T* device_memory(std::size_t n) {
    CUdeviceptr address = 0;
    ok(cuMemAlloc(&address, n * sizeof(T)));
    return static_cast<T*>(pointer_at(address));
  }

  template <class T>
  [[nodiscard]] T* pinned_memory(std::size_t n) {
    void* data = nullptr;
    ok(cuMemHostAlloc(&data, n * sizeof(T), 0));
    return static_cast<T*>(data);
  }

  [[nodiscard]] CUkernel kernel(const char* name, const char* ptx = test_ptx) {
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    ok(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ok(cuLibraryGetKernel(&kernel, library, name));
    return kernel;
  }

  template <class Parameters>
  CUresult launch(const char* name, Parameters parameters, unsigned blocks = 1, unsigned threads = 32) {
    void* all[] = {&parameters};
    return cuLaunchKernel(reinterpret_cast<CUfunction>(kernel(name)), blocks, 1, 1, threads, 1, 1, 0, stream, all,
                          nullptr);
  }

  CUresult wait() const { return cuStreamSynchronize(stream); }

  /// Device time of what `submit` queues.
  template <class Submit>
  double seconds(const Submit& submit) {
    ok(cuEventRecord(start_, stream));
    submit();
    ok(cuEventRecord(end_, stream));
    ok(wait());
    float milliseconds = 0;
    ok(cuEventElapsedTime(&milliseconds, start_, end_));
    return static_cast<double>(milliseconds) / 1e3;
  }

  static void ok(CUresult code) { EXPECT_EQ(CUDA_SUCCESS, code); }

  CUstream stream = nullptr;

 private:
  CUevent start_ = nullptr;
  CUevent end_ = nullptr;
};

}  // namespace warpmark::fakes
