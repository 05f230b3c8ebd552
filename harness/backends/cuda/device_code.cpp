// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/device_code.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>

#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/driver.h"
#include "harness/core/error.h"

namespace warpmark::cuda {
namespace {

struct Image {
  std::string_view name{};
  const char* data = nullptr;
  bool is_ptx = false;
};

/// 75 of "memory_cuda.75.ptx".
int capability_of(std::string_view file) {
  const std::size_t end = file.rfind(".ptx");
  const std::size_t begin = file.rfind('.', end - 1) + 1;
  int capability = 0;
  std::from_chars(file.data() + begin, file.data() + end, capability);
  return capability;
}

std::optional<Image> fatbin_of(std::span<const embedded::File> files) {
  for (const embedded::File& file : files)
    if (file.name.ends_with(".fatbin")) return Image{.name = file.name, .data = file.text.data()};
  return std::nullopt;
}

/// The one for the newest chip that is not newer than this.
std::optional<Image> ptx_of(std::span<const embedded::File> files, int capability) {
  std::optional<Image> best;
  int best_capability = 0;
  for (const embedded::File& file : files) {
    if (!file.name.ends_with(".ptx")) continue;
    const int needs = capability_of(file.name);
    if (needs > capability || needs <= best_capability) continue;
    best = Image{.name = file.name, .data = file.text.data(), .is_ptx = true};
    best_capability = needs;
  }
  return best;
}

/// What loading an image came to. Libraries belong to no context, so one of each image serves the whole process.
struct Loaded {
  CUlibrary library = nullptr;
  CUresult code = CUDA_SUCCESS;
};

const Loaded& load(const Image& image) {
  static std::map<const char*, Loaded> all;
  const auto [found, is_new] = all.try_emplace(image.data);
  Loaded& loaded = found->second;
  if (is_new)
    loaded.code = driver().LibraryLoadData(&loaded.library, image.data, nullptr, nullptr, 0, nullptr, nullptr, 0);
  return loaded;
}

/// Whether another image may do better. How a driver refuses one of a newer toolkit differs by driver, so that is any
/// error but those that another image cannot help.
bool is_refusal(CUresult code) { return code != CUDA_SUCCESS && code != CUDA_ERROR_OUT_OF_MEMORY && !is_lasting(code); }

/// Empty where the image is not for this driver or chip. Asks for the function at once: loading is lazy, and only this
/// tells that there is no image for the chip.
std::optional<LoadedKernel> try_image(const Image& image, const char* name) {
  const Loaded& loaded = load(image);
  if (is_refusal(loaded.code)) return std::nullopt;
  check(loaded.code, "cuLibraryLoadData", image.name);
  LoadedKernel kernel{.jit = image.is_ptx};
  const CUresult found = driver().LibraryGetKernel(&kernel.handle, loaded.library, name);
  if (is_refusal(found)) return std::nullopt;
  check(found, "cuLibraryGetKernel", name);
  CUfunction function = nullptr;
  const CUresult code = driver().KernelGetFunction(&function, kernel.handle);
  if (is_refusal(code)) return std::nullopt;
  check(code, "cuKernelGetFunction", name);
  return kernel;
}

}  // namespace

LoadedKernel DeviceCode::kernel(const CudaDevice& device, const char* name) const {
  device.make_current();
  if (const auto image = fatbin_of(files_))
    if (const auto kernel = try_image(*image, name)) return *kernel;
  const int capability = device.chip().capability();
  if (const auto image = ptx_of(files_, capability))
    if (const auto kernel = try_image(*image, name)) return *kernel;
  throw Unsupported(fmt::format(
      "this build has no {} for compute capability {}.{} that a driver for CUDA {} takes: build it with that in "
      "WARPMARK_CUDA_ARCHITECTURES",
      name, capability / 10, capability % 10, version_text(driver().version)));
}

}  // namespace warpmark::cuda
