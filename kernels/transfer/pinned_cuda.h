// SPDX-License-Identifier: Apache-2.0
// Memory of the host's that the cuda backend's copies begin or end in, by how it was made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/device/host_memory.h"

namespace warpmark::cuda {

enum class HostKind : std::uint8_t {
  pageable,        // ordinary memory: the driver copies it through memory of its own
  pinned,          // the driver's
  write_combined,  // the driver's, past the CPU's caches: for the CPU to write and the device to read
  registered,      // ordinary memory that the driver was told to pin
};

class HostBlock {
 public:
  /// Needs a current context. Throws Skipped, Unsupported or PermissionDenied with what the driver answered.
  HostBlock(std::size_t bytes, HostKind kind, std::optional<int> node);
  /// Registers pages that are there.
  explicit HostBlock(std::unique_ptr<HostPages> pages);
  ~HostBlock();
  HostBlock(const HostBlock&) = delete;
  HostBlock& operator=(const HostBlock&) = delete;

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] nlohmann::json about() const;

 private:
  HostKind kind_;
  void* data_ = nullptr;
  std::unique_ptr<HostPages> pages_{};  // of the kinds that are not the driver's
};

}  // namespace warpmark::cuda
