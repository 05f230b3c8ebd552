// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/cudnn.h"

#include <fmt/format.h>

#include <array>
#include <type_traits>

#include "harness/backends/cuda/driver.h"
#include "harness/core/error.h"
#include "harness/core/printable.h"
#include "harness/dynlib/cuda_libraries.h"
#include "harness/dynlib/library.h"
#include "harness/telemetry/machine.h"

namespace warpmark::cuda {
namespace {

constexpr const char* soname = "libcudnn.so.9";

std::string advice(int cuda_major) {
  return fmt::format("install cuDNN 9 for CUDA {} (from NVIDIA's packages, or `pip install nvidia-cudnn-cu{}`); {}",
                     cuda_major, cuda_major, cuda_library_places);
}

/// Engines are compiled when they are needed, or call cublasLt; the library looks for both by name only, where those of
/// a Python environment are not found. One that is loaded already is.
void open_companions(int cuda_major) {
  for (const char* const name : {"libnvrtc", "libcublasLt"}) {
    try {
      (void)Library::open(cuda_library_candidates(fmt::format("{}.so.{}", name, cuda_major)), "");
    } catch (const Unsupported&) {
      // Engines that need it refuse, and say so.
    }
  }
}

}  // namespace

Cudnn open_cudnn(const std::vector<std::string>& from, std::string_view advice) {
  const Library library = Library::open(from, advice);
  Cudnn dnn;
#define WARPMARK_GET(name) dnn.name = library.function<std::remove_pointer_t<decltype(dnn.name)>>("cudnn" #name);
  WARPMARK_CUDNN_FUNCTIONS(WARPMARK_GET)
#undef WARPMARK_GET
  const std::size_t version = dnn.GetVersion();
  dnn.version = fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  dnn.cuda_major = static_cast<int>(dnn.GetCudartVersion() / 1000);
  dnn.path = without_home(library.path());
  return dnn;
}

const Cudnn& cudnn() {
  static const Cudnn opened = [] {
    const int driver_major = driver().version / 1000;
    Cudnn dnn = open_cudnn(cuda_library_candidates(soname), advice(driver_major));
    if (dnn.cuda_major > driver_major)
      throw Unsupported(
          fmt::format("cuDNN {} ({}) is for CUDA {}, and the driver serves CUDA {}: update the driver, or {}",
                      dnn.version, dnn.path, dnn.cuda_major, driver_major, advice(driver_major)));
    open_companions(dnn.cuda_major);
    return dnn;
  }();
  return opened;
}

bool is_refusal(cudnnStatus_t status) { return status / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000; }

bool is_of_one_engine(cudnnStatus_t status) {
  return is_refusal(status) || (status / 1000 == CUDNN_STATUS_INTERNAL_ERROR / 1000 &&
                                status != CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED &&
                                status != CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED);
}

std::string text_of(const Cudnn& dnn, cudnnStatus_t status) {
  std::array<char, 512> said{};
  dnn.GetLastErrorString(said.data(), said.size() - 1);
  const std::string why = printable(said.data());
  return fmt::format("{} {}{}{}", dnn.GetErrorString(status), static_cast<int>(status), why.empty() ? "" : ": ", why);
}

void check(const Cudnn& dnn, cudnnStatus_t status, std::string_view call, std::string_view what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  const std::string text =
      fmt::format("{}{}{}: {}; CUDNN_LOGLEVEL_DBG=2 CUDNN_LOGDEST_DBG=stderr has the library say why", call,
                  what.empty() ? "" : " for ", what, text_of(dnn, status));
  if (is_refusal(status)) throw Unsupported(text);
  if (status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
      status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED)
    throw Skipped(text);
  throw Error(text);
}

}  // namespace warpmark::cuda
