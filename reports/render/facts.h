// SPDX-License-Identifier: Apache-2.0
// Facts of machine, device and run as label and text. JSON null reads "unknown", never 0; sizes and clocks get their
// units from the key.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

struct Fact {
  std::string label{};
  std::string text{};
};

/// The text at a JSON pointer; empty where there is null or nothing.
[[nodiscard]] std::optional<std::string> text_at(const nlohmann::json& json, const std::string& pointer);
/// The number at a JSON pointer; not a number where there is none, or 0, which devices write for unknown.
[[nodiscard]] double positive_at(const nlohmann::json& json, const std::string& pointer);

/// The identity card of the machine: what it is called, what it runs, what it may use.
[[nodiscard]] std::vector<Fact> machine_facts(const nlohmann::json& machine);
[[nodiscard]] std::vector<Fact> device_facts(const nlohmann::json& device);
/// Which run it was: suite, time, seed, version, build.
[[nodiscard]] std::vector<Fact> run_facts(const nlohmann::json& run);
/// Every leaf of an object with its path for a label.
[[nodiscard]] std::vector<Fact> every_fact(const nlohmann::json& json);
/// The command as a shell would take it, quoted where it needs to be.
[[nodiscard]] std::string command_text(const nlohmann::json& run);
/// The name of a device, or its id where it has none.
[[nodiscard]] std::string device_name(const nlohmann::json& device);

}  // namespace warpmark
