// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/machine/fault_plan.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <utility>

#include "tests/fakes/machine/refusal.h"

namespace warpmark::fakes {

FaultPlan::FaultPlan(const std::vector<Fault>& faults, std::string memory) : memory_(std::move(memory)) {
  for (const Fault& fault : faults) all_.push_back({.fault = fault});
}

CUresult FaultPlan::of_call(std::string_view call, std::optional<int> device) {
  const Fault* found = nullptr;
  for (Counted& c : all_)
    if (c.fault.call == call && (!c.fault.device || c.fault.device == device) && c.is_due_now() && found == nullptr)
      found = &c.fault;
  if (found == nullptr) return CUDA_SUCCESS;
  if (found->hang) throw Hang{};
  if (found->crash) {
    (void)std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make another ending of it
    (void)std::raise(SIGSEGV);
  }
  return static_cast<CUresult>(found->code);
}

const Fault* FaultPlan::of_kernel(std::string_view kernel, int device) {
  const Fault* found = nullptr;
  for (Counted& c : all_)
    if (c.fault.kernel == kernel && c.fault.device.value_or(device) == device && c.is_due_now() && found == nullptr)
      found = &c.fault;
  return found;
}

std::size_t FaultPlan::happened() const {
  return static_cast<std::size_t>(
      std::count_if(all_.begin(), all_.end(), [](const Counted& c) { return c.seen >= c.fault.nth.value_or(1); }));
}

bool FaultPlan::is_absent(std::string_view call) const {
  return std::any_of(all_.begin(), all_.end(),
                     [call](const Counted& c) { return c.fault.call == call && c.fault.absent; });
}

void FaultPlan::lose(int device) {
  lost_.insert(device);
  if (!memory_.empty()) std::ofstream(file_of(device)) << "lost\n";
}

bool FaultPlan::is_lost(int device) const {
  return lost_.contains(device) || (!memory_.empty() && std::filesystem::exists(file_of(device)));
}

std::string FaultPlan::file_of(int device) const { return memory_ + ".lost" + std::to_string(device); }

}  // namespace warpmark::fakes
