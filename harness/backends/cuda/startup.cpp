// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/startup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace warpmark::cuda {
namespace {

struct Known {
  int code = 0;
  std::string_view name{};
  std::string_view what_and_next{};
};

// Names are spelled out, because a driver that does not start may not name its own errors.
constexpr std::array<Known, 11> known{{
    {34, "CUDA_ERROR_STUB_LIBRARY",
     "the libcuda.so.1 that was loaded is the toolkit's stub, which serves linking only: take its folder (stubs) out "
     "of "
     "LD_LIBRARY_PATH"},
    {36, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", "the driver is older than this call needs: install a newer driver"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE",
     "the GPU is busy with another process that has it for itself, or in prohibited compute mode: `nvidia-smi -q -d "
     "COMPUTE` shows the mode, `nvidia-smi` who uses it"},
    {100, "CUDA_ERROR_NO_DEVICE",
     "the driver finds no GPU: check `nvidia-smi`, CUDA_VISIBLE_DEVICES, and in a container that it was started with "
     "the "
     "GPUs (docker run --gpus all)"},
    {101, "CUDA_ERROR_INVALID_DEVICE",
     "the driver refuses the GPU that was asked for: check CUDA_VISIBLE_DEVICES against `nvidia-smi -L`"},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY",
     "the GPUs are not ready: on machines with NVSwitch start the fabric manager (systemctl start "
     "nvidia-fabricmanager, "
     "of the driver's own version), elsewhere wait for the driver's start"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "the kernel module and libcuda are of different driver versions, as after an upgrade without a restart: restart, "
     "or "
     "reload the nvidia modules"},
    {804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
     "the libcuda that was loaded is a forward-compatibility copy, which this GPU does not take: take its folder "
     "(compat) out of LD_LIBRARY_PATH, or upgrade the driver"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "the driver did not start: check `nvidia-smi` and the kernel's log (dmesg)"},
    {304, "CUDA_ERROR_OPERATING_SYSTEM",
     "the system refused what the driver asked for: check the permissions of /dev/nvidia* and the kernel's log "
     "(dmesg)"},
    {999, "CUDA_ERROR_UNKNOWN",
     "the driver failed without a reason: check `nvidia-smi` and the kernel's log (dmesg); after sleep or a lost GPU, "
     "reload the nvidia modules or restart"},
}};

struct NextStep {
  int code = 0;
  std::string_view text{};
};

constexpr std::string_view see_xid = "`dmesg | grep -i xid` tells whether the GPU had an error";
constexpr std::array<NextStep, 7> next_steps{{
    {2, "free memory of the device: `nvidia-smi` shows who has it"},
    {214,
     "its memory has an error that cannot be corrected: `nvidia-smi -q -d ECC,ROW_REMAPPER` shows how many; restart, "
     "and "
     "return a GPU where it comes back"},
    {220, "a link between GPUs had an error that cannot be corrected: `nvidia-smi nvlink -e` shows which"},
    {600, "the driver has not done what was waited for; measure again, and report it where it comes back"},
    {702, "a watchdog ended the kernel, as on GPUs that drive a display: take another GPU, or smaller cases"},
    {800, "the system forbids it: ask who runs the machine"},
    {805, "another process has all of MPS's clients: `nvidia-cuda-mps-control`"},
}};

}  // namespace

std::string_view next_step(int code) {
  const auto* const step =
      std::find_if(next_steps.begin(), next_steps.end(), [code](const NextStep& each) { return each.code == code; });
  if (step != next_steps.end()) return step->text;
  const auto* const found = std::find_if(known.begin(), known.end(), [code](const Known& k) { return k.code == code; });
  return found == known.end() ? see_xid : found->what_and_next;
}

std::string startup_problem(int code) {
  const auto* const found = std::find_if(known.begin(), known.end(), [code](const Known& k) { return k.code == code; });
  if (found == known.end()) return fmt::format("the driver refuses (error {}): {}", code, next_step(code));
  return fmt::format("{} ({} {})", found->what_and_next, found->name, code);
}

std::string too_old(int version) {
  return fmt::format(
      "the driver serves CUDA {}.{} at most and {}.{} is needed: install driver R525 or later (`nvidia-smi` shows the "
      "one at hand)",
      version / 1000, version % 1000 / 10, least_driver_version / 1000, least_driver_version % 1000 / 10);
}

}  // namespace warpmark::cuda
