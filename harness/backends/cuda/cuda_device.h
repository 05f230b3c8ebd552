// SPDX-License-Identifier: Apache-2.0
// An NVIDIA GPU as a device, on its primary context, so that the libraries of the toolkit share it.
#pragma once

#include <cuda.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>

#include "harness/backends/cuda/chip.h"
#include "harness/device/device.h"

namespace warpmark::cuda {

class CudaStream;

class CudaDevice final : public Device {
 public:
  /// The driver's device of that ordinal. Reads attributes only: the context is made when it is first needed.
  explicit CudaDevice(int ordinal);
  ~CudaDevice() override;

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t memory_available() const override;
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  [[nodiscard]] std::unique_ptr<Stream> stream() override;
  /// The unit's rate at the clock that clock_hz() last read.
  [[nodiscard]] std::optional<double> probe(std::string_view unit) override;
  /// By a kernel that counts SM clocks against the device's own time.
  [[nodiscard]] std::optional<double> clock_hz() override;
  [[nodiscard]] Watch watch() override;
  /// All are derived. Makes the context, so that a GPU that refuses one is told before anything is measured.
  void measure_ceilings() override { make_current(); }
  void adopt_ceilings(Ceilings ceilings) override { info_.ceilings = std::move(ceilings); }

  [[nodiscard]] const Chip& chip() const { return chip_; }
  /// Makes its context the calling thread's.
  void make_current() const;
  /// The one T on this device: what `make` returns (a std::unique_ptr<T>) at the first call. It goes with the device,
  /// while the context is still there.
  template <class T, class Make>
  [[nodiscard]] T& attached(const Make& make) {
    std::shared_ptr<void>& one = attached_[std::type_index(typeid(T))];
    if (!one) one = std::shared_ptr<T>(make());
    return *static_cast<T*>(one.get());
  }

 private:
  [[nodiscard]] CudaStream& own_stream();

  CUdevice device_ = 0;
  Chip chip_{};
  DeviceInfo info_{};
  mutable CUcontext context_ = nullptr;  // made at the first need
  std::optional<double> last_clock_hz_{};
  std::map<std::type_index, std::shared_ptr<void>> attached_{};
  std::unique_ptr<CudaStream> own_stream_{};  // of the clock probe, apart from what is measured
};

}  // namespace warpmark::cuda
