// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "harness/backends/cuda/startup.h"
#include "harness/core/error.h"
#include "harness/dynlib/library.h"
#include "harness/telemetry/machine.h"

namespace warpmark::cuda {
namespace {

/// The loader's own path, then the folders of WSL and of the container toolkit. Toolkit folders hold stubs and
/// compatibility copies, which are no driver.
const std::vector<std::string>& places() {
  static const std::vector<std::string> all{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1",
                                            "/usr/local/nvidia/lib64/libcuda.so.1",
                                            "/usr/local/nvidia/lib/libcuda.so.1"};
  return all;
}

using GetProcAddress = PFN_cuGetProcAddress_v12000;

template <class Function>
bool get(GetProcAddress get_proc_address, const char* name, Function& to) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult how{};
  const CUresult code = get_proc_address(name, &found, least_driver_version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &how);
  to = reinterpret_cast<Function>(found);
  return code == CUDA_SUCCESS && found != nullptr;
}

/// Returns the name of the first function that the driver lacks; empty when it has all.
std::string fill(GetProcAddress get_proc_address, Driver& to) {
#define WARPMARK_GET(name, since) \
  if (!get(get_proc_address, "cu" #name, to.name)) return "cu" #name;
  WARPMARK_DRIVER_FUNCTIONS(WARPMARK_GET)
#undef WARPMARK_GET
  return {};
}

std::string open(const Library& library, Driver& to) {
  to.path = without_home(library.path());
  // By name: a driver that does not start or is too old may not have the way to its functions that newer ones have.
  auto* const init = library.find<CUresult(unsigned)>("cuInit");
  auto* const get_version = library.find<CUresult(int*)>("cuDriverGetVersion");
  if (init == nullptr || get_version == nullptr) return to.path + " is no CUDA driver: it has no cuInit";
  if (const CUresult code = init(0); code != CUDA_SUCCESS) return startup_problem(code);
  if (const CUresult code = get_version(&to.version); code != CUDA_SUCCESS) return startup_problem(code);
  auto* const get_proc_address = library.find<std::remove_pointer_t<GetProcAddress>>("cuGetProcAddress_v2");
  if (to.version < least_driver_version || get_proc_address == nullptr) return too_old(to.version);
  if (const std::string missing = fill(get_proc_address, to); !missing.empty())
    return fmt::format("{} has no {}: it is older than R525, or no driver of NVIDIA's", to.path, missing);
  int count = 0;
  if (const CUresult code = to.DeviceGetCount(&count); code != CUDA_SUCCESS) return startup_problem(code);
  return count > 0 ? std::string() : startup_problem(CUDA_ERROR_NO_DEVICE);
}

/// Of other calls, the same code says that something went wrong.
bool takes_memory(std::string_view call) {
  constexpr std::array<std::string_view, 6> takers{"Alloc",       "Create",       "LoadData",
                                                   "GetFunction", "LaunchKernel", "MemHostRegister"};
  return std::any_of(takers.begin(), takers.end(),
                     [call](std::string_view taker) { return call.find(taker) != std::string_view::npos; });
}

std::string name_of(CUresult code) {
  const char* name = nullptr;
  if (open_driver().driver.GetErrorName(code, &name) != CUDA_SUCCESS || name == nullptr) return "an unknown error";
  return name;
}

std::string description_of(CUresult code) {
  const char* text = nullptr;
  if (open_driver().driver.GetErrorString(code, &text) != CUDA_SUCCESS || text == nullptr) return "no reason given";
  return text;
}

}  // namespace

const Opened& open_driver() {
  static const Opened opened = [] {
    Opened to;
    try {
      const Library library = Library::open(places(), "install NVIDIA's driver");
      to.present = true;
      to.problem = open(library, to.driver);
    } catch (const LibraryMissing&) {
      to.problem =
          "no libcuda.so.1 was found: install NVIDIA's driver; a container gets it from outside (docker run --gpus "
          "all)";
    } catch (const Unsupported& damaged) {
      to.present = true;
      to.problem = damaged.what();
    }
    return to;
  }();
  return opened;
}

const Driver& driver() {
  const Opened& opened = open_driver();
  if (!opened.problem.empty()) throw Error(opened.problem);
  return opened.driver;
}

void check(CUresult code, std::string_view call, std::string_view what) {
  if (code == CUDA_SUCCESS) return;
  const std::string text = fmt::format("{}{}{}: {} ({} {}); {}", call, what.empty() ? "" : " for ", what,
                                       description_of(code), name_of(code), static_cast<int>(code), next_step(code));
  if (code == CUDA_ERROR_OUT_OF_MEMORY && takes_memory(call)) throw Skipped(text);
  if (code == CUDA_ERROR_NOT_PERMITTED) throw PermissionDenied(text);
  if (is_lasting(code)) throw DeviceLost(text);
  throw Error(text);
}

bool is_lasting(CUresult code) {
  constexpr std::array lasting{
      CUDA_ERROR_ILLEGAL_ADDRESS,       CUDA_ERROR_LAUNCH_TIMEOUT,       CUDA_ERROR_ASSERT,
      CUDA_ERROR_HARDWARE_STACK_ERROR,  CUDA_ERROR_ILLEGAL_INSTRUCTION,  CUDA_ERROR_MISALIGNED_ADDRESS,
      CUDA_ERROR_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_PC,           CUDA_ERROR_LAUNCH_FAILED,
      CUDA_ERROR_ECC_UNCORRECTABLE,     CUDA_ERROR_NVLINK_UNCORRECTABLE, CUDA_ERROR_UNKNOWN};
  // Newer headers name them CONTAINED and MPS_CLIENT_TERMINATED.
  constexpr std::array lasting_by_number{721, 809};
  return std::find(lasting.begin(), lasting.end(), code) != lasting.end() ||
         std::find(lasting_by_number.begin(), lasting_by_number.end(), static_cast<int>(code)) !=
             lasting_by_number.end();
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace warpmark::cuda
