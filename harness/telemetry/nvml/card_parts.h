// SPDX-License-Identifier: Apache-2.0
// Inside the card of NVML: one function per subject, and how an answer that is not to be had becomes null with a
// reason.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/telemetry/nvml/library.h"

namespace warpmark::nvml {

/// One GPU that is asked.
struct Asked {
  const Functions& functions;
  Device device = nullptr;
  std::string what{};      // its place in the card: "gpus.0"
  nlohmann::json& denied;  // where reasons go
};

/// Members of one object of the card, and why some are unknown.
class Members {
 public:
  Members(std::string what, nlohmann::json& denied) : what_(std::move(what)), denied_(denied) {}

  void known(const std::string& name, nlohmann::json value) { object_[name] = std::move(value); }
  void unknown(const std::string& name, const std::string& why, Return code = success) {
    object_[name] = nullptr;
    unknown_.push_back({.name = name, .why = why, .code = code});
  }

  template <class T, class Convert>
  void put(const std::string& name, const Answer<T>& answer, const Convert& convert) {
    if (answer.value) {
      known(name, convert(*answer.value));
    } else {
      unknown(name, answer.why, answer.code);
    }
  }
  template <class T>
  void put(const std::string& name, const Answer<T>& answer) {
    put(name, answer, [](const T& value) { return nlohmann::json(value); });
  }

  /// The object with all its members.
  [[nodiscard]] nlohmann::json whole();
  /// The same; or null with one reason, where all of it is unknown for the same one: a GPU without such a thing.
  [[nodiscard]] nlohmann::json section();

 private:
  struct Unknown {
    std::string name{}, why{};
    Return code = success;
  };

  [[nodiscard]] bool nothing_for_one_reason() const;

  std::string what_;
  nlohmann::json& denied_;
  nlohmann::json object_ = nlohmann::json::object();
  std::vector<Unknown> unknown_{};
};

/// As ask(), for a structure that says its version in what it is handed.
template <class T, class... Parameters, class... Before>
[[nodiscard]] Answer<T> ask_from(T start, const Function<Parameters...>& function, Before... before) {
  const Return code = function.call == nullptr ? Return{function_not_found} : function.call(before..., &start);
  if (code == success) return {.value = start};
  return {.value = std::nullopt, .why = why_not(code, function.name), .code = code};
}

/// One of two results.
template <class T>
[[nodiscard]] Answer<T> first_of(const Answer<Pair<T>>& both) {
  return {.value = both.value ? std::optional(both.value->first) : std::nullopt, .why = both.why, .code = both.code};
}
template <class T>
[[nodiscard]] Answer<T> second_of(const Answer<Pair<T>>& both) {
  return {.value = both.value ? std::optional(both.value->second) : std::nullopt, .why = both.why, .code = both.code};
}

// Of card_identity.cpp. The GPU's own members, not those of the objects in it.
void put_identity(const Asked& gpu, Members& members);
void put_modes(const Asked& gpu, Members& members);
[[nodiscard]] nlohmann::json pci_ids(const Asked& gpu);
[[nodiscard]] nlohmann::json board(const Asked& gpu);
// Of card_memory.cpp.
[[nodiscard]] nlohmann::json memory(const Asked& gpu);
[[nodiscard]] nlohmann::json ecc(const Asked& gpu);
[[nodiscard]] nlohmann::json remapped_rows(const Asked& gpu);
// Of card_power.cpp.
[[nodiscard]] nlohmann::json power(const Asked& gpu);
[[nodiscard]] nlohmann::json clocks(const Asked& gpu);
[[nodiscard]] nlohmann::json temperature(const Asked& gpu);
[[nodiscard]] nlohmann::json utilization(const Asked& gpu);
// Of card_link.cpp. `others` are the other GPUs of the machine, with their PCI addresses (or null).
struct Peer {
  Device device = nullptr;
  nlohmann::json pci{};
};
[[nodiscard]] nlohmann::json link(const Asked& gpu);
[[nodiscard]] nlohmann::json nvlink(const Asked& gpu);
[[nodiscard]] nlohmann::json peers(const Asked& gpu, const std::vector<Peer>& others);
// Of card_sharing.cpp.
[[nodiscard]] nlohmann::json mig(const Asked& gpu);
[[nodiscard]] nlohmann::json processes(const Asked& gpu);

}  // namespace warpmark::nvml
