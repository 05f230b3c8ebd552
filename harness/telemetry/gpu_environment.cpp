// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/gpu_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace warpmark {
namespace {

using nlohmann::json;

/// Which devices there are, and what the driver and its libraries do otherwise than by themselves.
constexpr std::array shown_with_value{"CUDA_AUTO_BOOST",
                                      "CUDA_CACHE_DISABLE",
                                      "CUDA_DEVICE_MAX_CONNECTIONS",
                                      "CUDA_DEVICE_ORDER",
                                      "CUDA_DEVICE_WAITS_ON_EXCEPTION",
                                      "CUDA_DISABLE_PTX_JIT",
                                      "CUDA_ENABLE_COREDUMP_ON_EXCEPTION",
                                      "CUDA_FORCE_PTX_JIT",
                                      "CUDA_LAUNCH_BLOCKING",
                                      "CUDA_MODULE_LOADING",
                                      "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                                      "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
                                      "CUDA_VISIBLE_DEVICES",
                                      "CUBLAS_EMULATION_STRATEGY",
                                      "NCCL_P2P_DISABLE",
                                      "NVIDIA_DRIVER_CAPABILITIES",
                                      "NVIDIA_TF32_OVERRIDE",
                                      "NVIDIA_VISIBLE_DEVICES"};
/// Whose values are paths.
constexpr std::array shown_as_set{"COMPUTE_PROFILE",       "CUDA_COREDUMP_FILE",      "CUDA_INJECTION32_PATH",
                                  "CUDA_INJECTION64_PATH", "CUDA_MPS_PIPE_DIRECTORY", "CUDA_PROFILE",
                                  "NSIGHT_CUDA_DEBUGGER"};

/// Such as "GPU-5eeef400-...,1" or "compute,utility". Anything else may be somebody's secret in the wrong place.
bool is_plain(std::string_view value) {
  constexpr std::size_t longest = 1024;
  return value.size() <= longest && std::all_of(value.begin(), value.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  std::string_view(",._:-=+").find(c) != std::string_view::npos;
         });
}

/// Libraries that hand out parts of GPUs (HAMi, vcuda, Gemini, nvshare), by how their files' names begin.
constexpr std::array<std::string_view, 4> slicers{"libvgpu.so", "libcuda-control.so", "libgemhook.so", "libnvshare.so"};

/// The file's name alone: the folder may be a user's.
std::vector<std::string> slicers_in(std::string_view text) {
  std::vector<std::string> found;
  for (const std::string_view slicer : slicers)
    if (text.find(slicer) != std::string_view::npos) found.emplace_back(slicer);
  return found;
}

void add_preloaded(const std::string& where, std::string_view text, std::vector<std::string>& evidence) {
  for (const std::string& slicer : slicers_in(text)) evidence.push_back(fmt::format("{} has {}", where, slicer));
}

void add_limits(const EnvironmentLookup& environment, std::vector<std::string>& evidence) {
  constexpr int most_devices = 16;
  std::vector<std::string> names{"CUDA_DEVICE_SM_LIMIT", "CUDA_DEVICE_MEMORY_LIMIT"};
  for (int i = 0; i < most_devices; ++i) names.push_back(fmt::format("CUDA_DEVICE_MEMORY_LIMIT_{}", i));
  for (const std::string& name : names) {
    const char* const value = environment(name.c_str());
    if (value != nullptr) evidence.push_back(fmt::format("{}={}", name, is_plain(value) ? value : "(set)"));
  }
}

}  // namespace

std::optional<json> gpu_environment(const EnvironmentLookup& environment) {
  if (!environment) return std::nullopt;
  json result = json::object();
  for (const char* const name : shown_with_value)
    if (const char* const value = environment(name)) result[name] = is_plain(value) ? value : "(set)";
  for (const char* const name : shown_as_set)
    if (environment(name) != nullptr) result[name] = "(set)";
  return result;
}

std::vector<std::string> slicing_evidence(const FileRoot& root, const EnvironmentLookup& environment) {
  constexpr std::size_t longest_maps = std::size_t{4} << 20;
  std::vector<std::string> evidence;
  add_preloaded("/etc/ld.so.preload", root.read("/etc/ld.so.preload").value_or(""), evidence);
  add_preloaded("/proc/self/maps", root.read("/proc/self/maps", longest_maps).value_or(""), evidence);
  const std::string scratch = "/tmp", shared = scratch + "/cudevshr.cache";  // where HAMi's programs meet
  if (root.has_file(shared)) evidence.push_back(shared + " is there");
  if (!environment) return evidence;
  if (const char* const preloaded = environment("LD_PRELOAD")) add_preloaded("LD_PRELOAD", preloaded, evidence);
  add_limits(environment, evidence);
  return evidence;
}

}  // namespace warpmark
