// SPDX-License-Identifier: Apache-2.0
// What the simulated NVML knows while it is started: the machine's cards in NVML's order, their MIG instances, handles
// for both, sets of events, and what goes wrong.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/telemetry/nvml/abi.h"
#include "tests/fakes/machine/fault_plan.h"
#include "tests/fakes/machine/scenario.h"
#include "tests/fakes/nvml/live_card.h"

namespace warpmark::fakes {

/// How a function leaves without an answer.
struct NvmlRefusal {
  nvml::Return code = nvml::unknown_error;
};

/// Throws NvmlRefusal where one of them is null.
template <class... Pointers>
void need_all(const Pointers*... pointers) {
  for (const void* const pointer : {static_cast<const void*>(pointers)...})
    if (pointer == nullptr) throw NvmlRefusal{nvml::invalid_argument};
}

/// Xids of cards that are still to be told to who waits for them.
struct XidWatch {
  struct Watched {
    nvml::Device device = nullptr;
    LiveCard* card = nullptr;
    std::size_t next = 0;  // of the card's Xids
  };
  std::vector<Watched> watched{};
};

class Cards {
 public:
  explicit Cards(Scenario scenario);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] FaultPlan& faults() { return faults_; }
  /// Of the driver, the first number: 580.
  [[nodiscard]] int release() const;
  [[nodiscard]] std::string release_text() const;

  /// By PCI address: NVML knows no CUDA_VISIBLE_DEVICES and no order of CUDA's.
  [[nodiscard]] const std::vector<std::unique_ptr<LiveCard>>& all() const { return cards_; }
  [[nodiscard]] nvml::Device handle(const LiveCard& card) const;
  /// Of an instance, its card's. Throws NvmlRefusal for a handle of nobody's.
  [[nodiscard]] LiveCard& card(nvml::Device handle) const;
  /// Null for the handle of a whole card.
  [[nodiscard]] const MigInstance* instance(nvml::Device handle) const;
  [[nodiscard]] nvml::Device handle(const MigInstance& instance) const;

  [[nodiscard]] nvml::EventSet create_watch();
  [[nodiscard]] XidWatch& watch(nvml::EventSet set);
  void free_watch(nvml::EventSet set);

 private:
  Scenario scenario_;
  FaultPlan faults_;
  MachineTime time_{};
  std::vector<std::unique_ptr<LiveCard>> cards_{};
  std::list<XidWatch> watches_{};
};

}  // namespace warpmark::fakes
