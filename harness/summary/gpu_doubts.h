// SPDX-License-Identifier: Apache-2.0
// What speaks against the numbers of a GPU as a whole, from its card and from what the sampler read; and what a reader
// has to know of it that speaks against nothing.
#pragma once

#include <string>
#include <vector>

#include "harness/store/document.h"
#include "harness/summary/device_readings.h"

namespace warpmark {

class GpuDoubts {
 public:
  explicit GpuDoubts(const Document& document);

  /// Xids, new errors of memory: the card itself is not well.
  [[nodiscard]] std::vector<std::string> of_health() const;
  /// A power limit below the card's default.
  [[nodiscard]] std::vector<std::string> of_limits() const;
  /// A PCIe link that is narrower under load than card and slot can, where no virtualisation explains it.
  [[nodiscard]] std::vector<std::string> of_links() const;
  /// Records without telemetry that were to have some.
  [[nodiscard]] std::vector<std::string> of_telemetry() const;
  /// No doubts: at the power limit under load, a narrow link of a virtual machine.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  const Document& document_;
  std::vector<DeviceReadings> readings_;
};

}  // namespace warpmark
