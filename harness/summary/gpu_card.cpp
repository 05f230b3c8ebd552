// SPDX-License-Identifier: Apache-2.0
#include "harness/summary/gpu_card.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "harness/summary/outside_json.h"

namespace warpmark {
namespace {

using nlohmann::json;

std::string lower_text_in(const json& object, std::string_view key) {
  std::string text = text_in(object, key);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

const json& entry_with(const json& gpus, std::string_view key, const std::string& value) {
  static const json nothing;
  if (value.empty() || !gpus.is_array()) return nothing;
  const auto found =
      std::find_if(gpus.begin(), gpus.end(), [&](const json& gpu) { return lower_text_in(gpu, key) == value; });
  return found == gpus.end() ? nothing : *found;
}

}  // namespace

const json& gpu_card_of(const json& machine, const json& device) {
  const json &gpus = part_of(part_of(machine, "nvidia"), "gpus"), &facts = part_of(device, "facts");
  const json& by_address = entry_with(gpus, "pci", lower_text_in(facts, "pci"));
  return by_address.is_null() ? entry_with(gpus, "uuid", lower_text_in(facts, "uuid")) : by_address;
}

std::optional<WornMemory> worn_memory(const json& card) {
  const json& rows = part_of(card, "remapped_rows");
  if (part_of(rows, "failed") == true)
    return WornMemory{.text = "has a memory row that could not be remapped: return the card", .is_failed = true};
  if (part_of(rows, "pending") == true)
    return WornMemory{.text =
                          "has a memory row that waits to be remapped: reset the GPU, or restart the machine, and run "
                          "again"};
  if (number_in(part_of(card, "ecc"), "uncorrected").value_or(0) > 0)
    return WornMemory{.text =
                          "has had uncorrected memory errors since its driver was loaded: reset the GPU, and when "
                          "they come again have it changed"};
  return std::nullopt;
}

bool is_guest(const json& machine, const json& card) {
  const std::string how = text_in(card, "virtualization");
  if (how.empty()) return !text_in(part_of(machine, "hypervisor"), "kind").empty();
  return how == "passthrough" || how == "vgpu";
}

}  // namespace warpmark
