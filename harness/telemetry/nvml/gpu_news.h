// SPDX-License-Identifier: Apache-2.0
// What has happened to a GPU since somebody last asked: memory errors, remapped rows, Xids, processes of others.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "harness/telemetry/nvml/library.h"

namespace warpmark::nvml {

class GpuNews {
 public:
  /// `library` outlives it. What counts is what comes after this.
  GpuNews(const Functions& library, Device device);
  ~GpuNews();
  GpuNews(const GpuNews&) = delete;
  GpuNews& operator=(const GpuNews&) = delete;

  /// Members ecc, remapped_rows, xids and foreign_processes of a record's `telemetry.sampled`; absent where the GPU
  /// does not tell. A worker of ours is taken to be on the GPU.
  [[nodiscard]] nlohmann::json since_last();

 private:
  struct Counts {
    std::optional<unsigned long long> corrected{}, uncorrected{}, remapped{};
  };
  [[nodiscard]] Counts count() const;
  [[nodiscard]] std::optional<unsigned> processes() const;
  [[nodiscard]] nlohmann::json xids() const;

  const Functions& library_;
  Device device_;
  Counts last_{};
  EventSet events_ = nullptr;
};

}  // namespace warpmark::nvml
