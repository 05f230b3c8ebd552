// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <vector>

#include "harness/backends/cuda/cuda_backend.h"
#include "harness/backends/cuda/cuda_stream.h"
#include "harness/backends/cuda/driver.h"
#include "harness/backends/cuda/startup.h"
#include "harness/core/error.h"
#include "harness/core/units.h"
#include "harness/telemetry/nvidia_presence.h"

namespace warpmark {
namespace cuda {
namespace {

/// 0 where the driver does not know the attribute.
std::int64_t attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  return driver().DeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

/// Of one that nothing can be measured without.
std::int64_t required(CUdevice device, CUdevice_attribute which, std::string_view what) {
  int value = 0;
  check(driver().DeviceGetAttribute(&value, which, device), "cuDeviceGetAttribute", what);
  return value;
}

std::string name_of(CUdevice device) {
  std::array<char, 256> name{};
  check(driver().DeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device), "cuDeviceGetName");
  return name.data();
}

/// "GPU-..." as nvidia-smi -L writes it.
std::string uuid_of(CUdevice device) {
  CUuuid uuid{};
  if (driver().DeviceGetUuid(&uuid, device) != CUDA_SUCCESS) return {};
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

std::string pci_of(CUdevice device) {
  std::array<char, 32> address{};
  if (driver().DeviceGetPCIBusId(address.data(), static_cast<int>(address.size()) - 1, device) != CUDA_SUCCESS)
    return {};
  return address.data();
}

std::int64_t memory_of(CUdevice device) {
  std::size_t bytes = 0;
  check(driver().DeviceTotalMem(&bytes, device), "cuDeviceTotalMem");
  return static_cast<std::int64_t>(bytes);
}

Chip chip_of(CUdevice device) {
  constexpr double hz_per_khz = 1e3;
  return {
      .name = name_of(device),
      .major = static_cast<int>(required(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, "compute capability")),
      .minor = static_cast<int>(required(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, "compute capability")),
      .sms = required(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, "SM count"),
      .sm_clock_hz = hz_per_khz * static_cast<double>(attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE)),
      .memory_clock_hz = hz_per_khz * static_cast<double>(attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)),
      .memory_bus_bits = attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
      .integrated = attribute(device, CU_DEVICE_ATTRIBUTE_INTEGRATED) != 0};
}

nlohmann::json json_of(const PcieLink& link) {
  return {{"transfers_per_second", link.transfers_per_second ? nlohmann::json(*link.transfers_per_second) : nullptr},
          {"width", link.width ? nlohmann::json(*link.width) : nullptr}};
}

/// What sysfs knows of the device at that address. An idle link may be trained down, so only the highest is of use.
nlohmann::json link_of(const std::string& pci) {
  static const NvidiaPresence present = find_nvidia(FileRoot());
  const auto is_same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  for (const NvidiaDevice& device : present.devices)
    if (std::equal(pci.begin(), pci.end(), device.pci.begin(), device.pci.end(), is_same))
      return json_of(device.link_max);
  return nullptr;
}

nlohmann::json facts_of(CUdevice device, const Chip& chip) {
  const std::string pci = pci_of(device);
  return {{"compute_capability", fmt::format("{}.{}", chip.major, chip.minor)},
          {"uuid", uuid_of(device)},
          {"pci", pci},
          {"link_max", link_of(pci)},
          {"memory_clock_hz", chip.memory_clock_hz},
          {"memory_bus_bits", chip.memory_bus_bits},
          {"ecc", attribute(device, CU_DEVICE_ATTRIBUTE_ECC_ENABLED) != 0},
          {"cuda_driver", version_text(driver().version)},
          {"libcuda", driver().path}};
}

/// Left free for the driver's own needs, such as a library's workspace.
std::int64_t reserve_bytes(std::int64_t free) { return free / 20; }

}  // namespace

CudaDevice::CudaDevice(int ordinal) {
  check(driver().DeviceGet(&device_, ordinal), "cuDeviceGet");
  chip_ = chip_of(device_);
  info_ = {.id = fmt::format("cuda:{}", ordinal),
           .backend = "cuda",
           .name = chip_.name,
           .units = chip_.sms,
           .memory_bytes = memory_of(device_),
           .last_level_cache_bytes = required(device_, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, "size of L2"),
           .max_clock_hz = chip_.sm_clock_hz,
           .ceilings = ceilings_of(chip_),
           .facts = facts_of(device_, chip_)};
}

CudaDevice::~CudaDevice() {
  if (context_ != nullptr) (void)driver().CtxSetCurrent(context_);  // where what is attached was made
  attached_.clear();
  own_stream_.reset();
  if (context_ != nullptr) (void)driver().DevicePrimaryCtxRelease(device_);
}

void CudaDevice::make_current() const {
  if (context_ == nullptr) {
    // Waiting threads spin: what wakes a sleeping one would be measured.
    check(driver().DevicePrimaryCtxSetFlags(device_, CU_CTX_SCHED_SPIN), "cuDevicePrimaryCtxSetFlags", info_.id);
    if (const CUresult code = driver().DevicePrimaryCtxRetain(&context_, device_); code != CUDA_SUCCESS)
      throw Error(fmt::format("cuDevicePrimaryCtxRetain for {}: {}", info_.id, startup_problem(code)));
  }
  check(driver().CtxSetCurrent(context_), "cuCtxSetCurrent", info_.id);
}

std::int64_t CudaDevice::memory_available() const {
  make_current();
  std::size_t free = 0;
  std::size_t total = 0;
  check(driver().MemGetInfo(&free, &total), "cuMemGetInfo", info_.id);
  const auto bytes = static_cast<std::int64_t>(free);
  return bytes - reserve_bytes(bytes);
}

Buffer CudaDevice::allocate(std::size_t bytes) {
  const std::int64_t available = memory_available();
  const auto skip = [&] {
    return Skipped(fmt::format("needs {} more memory on {}, {} is free", format_bytes(static_cast<double>(bytes)),
                               info_.id, format_bytes(static_cast<double>(available))));
  };
  if (static_cast<std::int64_t>(bytes) > available) throw skip();
  CUdeviceptr data = 0;
  const CUresult code = driver().MemAlloc(&data, bytes);
  if (code == CUDA_ERROR_OUT_OF_MEMORY)  // free, and in pieces
    throw Skipped(fmt::format("needs {} more memory on {}; cuMemAlloc has none ({}), although {} is free",
                              format_bytes(static_cast<double>(bytes)), info_.id, static_cast<int>(code),
                              format_bytes(static_cast<double>(available))));
  check(code, "cuMemAlloc", format_bytes(static_cast<double>(bytes)));
  return {std::bit_cast<void*>(data), bytes, [](void* p) { (void)driver().MemFree(reinterpret_cast<CUdeviceptr>(p)); }};
}

std::unique_ptr<Stream> CudaDevice::stream() { return std::make_unique<CudaStream>(*this); }

CudaStream& CudaDevice::own_stream() {
  if (!own_stream_) own_stream_ = std::make_unique<CudaStream>(*this);
  return *own_stream_;
}

std::optional<double> CudaDevice::clock_hz() {
  last_clock_hz_ = own_stream().clock_hz();
  return last_clock_hz_;
}

Watch CudaDevice::watch() {
  return [this] {
    nlohmann::json seen = nlohmann::json::object();
    if (info_.max_clock_hz > 0) seen["clock_max_hz"] = info_.max_clock_hz;
    return seen;
  };
}

std::optional<double> CudaDevice::probe(std::string_view unit) {
  const auto rate = rate_of(chip_, unit);
  if (!rate || chip_.sms <= 0) return std::nullopt;
  if (!last_clock_hz_) (void)clock_hz();
  return static_cast<double>(chip_.sms) * rate->flop_per_clock * *last_clock_hz_;
}

}  // namespace cuda

Backend cuda_backend() {
  return {.name = "cuda",
          .unavailable =
              [] {
                const cuda::Opened& opened = cuda::open_driver();
                return Unavailable{.why = opened.problem, .broken = opened.present && !opened.problem.empty()};
              },
          .count =
              [] {
                int count = 0;
                cuda::check(cuda::driver().DeviceGetCount(&count), "cuDeviceGetCount");
                return static_cast<std::size_t>(std::max(count, 0));
              },
          .open = [](std::size_t ordinal) -> std::unique_ptr<Device> {
            return std::make_unique<cuda::CudaDevice>(static_cast<int>(ordinal));
          }};
}

}  // namespace warpmark
