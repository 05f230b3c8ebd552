// SPDX-License-Identifier: Apache-2.0
// Joins what NVML says of the GPUs with what the system's files say, in the machine card.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpmark {

/// `machine` is from machine_card(), `card` from nvml::card() or nvml::card_without_answers(). Afterwards
/// machine.nvidia has `nvml`, and each of its gpus all members of both: GPUs are the same where their PCI address is,
/// or else their UUID; never by number. What NVML says counts first, the number of the NUMA node excepted; those that
/// NVML alone shows come last. `denied` has the reasons for what is unknown still, under the joined list's numbers. Any
/// JSON may be handed in for the card.
void add_nvml(nlohmann::json& machine, const nlohmann::json& card);

/// The driver's version, for MachineOptions; empty where NVML does not tell.
[[nodiscard]] std::string driver_by_nvml(const nlohmann::json& card);

}  // namespace warpmark
