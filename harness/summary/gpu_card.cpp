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

}  // namespace warpmark
