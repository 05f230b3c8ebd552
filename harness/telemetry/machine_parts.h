// SPDX-License-Identifier: Apache-2.0
// Inside the machine card: one function per section, and how a missing fact becomes null with a reason.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/dynlib/cuda_libraries.h"
#include "harness/telemetry/cpu_model.h"
#include "harness/telemetry/dmi.h"
#include "harness/telemetry/file_root.h"
#include "harness/telemetry/topology.h"

namespace warpmark::card {

/// The value; or null, with `why` on the denied list.
template <class Value>
[[nodiscard]] nlohmann::json known(const FileRoot& root, const std::string& what, const std::optional<Value>& value,
                                   const std::string& why) {
  if (value) return *value;
  root.deny(what, why);
  return nullptr;
}

/// The same for a text that is empty when unknown.
[[nodiscard]] inline nlohmann::json known_text(const FileRoot& root, const std::string& what, const std::string& text,
                                               const std::string& why) {
  return known(root, what, text.empty() ? std::nullopt : std::optional<std::string>(text), why);
}

/// Why a file had no usable answer: it could not be read, or what it says is not understood.
[[nodiscard]] inline std::string reason(const FileRoot& root, const std::string& path) {
  const std::string why = root.why_not(path);
  return why.empty() ? path + ": does not say" : why;
}

/// A value that comes from one file. The reason is asked for here, when the file has been read for certain: a call
/// reason() in the same argument list may be evaluated before the reading.
template <class Value>
[[nodiscard]] nlohmann::json known_from(const FileRoot& root, const std::string& what,
                                        const std::optional<Value>& value, const std::string& path) {
  if (value) return *value;
  root.deny(what, reason(root, path));
  return nullptr;
}

[[nodiscard]] nlohmann::json host(const FileRoot& root, const std::string& label);
[[nodiscard]] nlohmann::json os(const FileRoot& root);
[[nodiscard]] nlohmann::json cpu(const FileRoot& root, const CpuModel& model, const Topology& topology);
[[nodiscard]] nlohmann::json memory(const FileRoot& root, const Topology& topology);
[[nodiscard]] nlohmann::json cgroup(const FileRoot& root);
[[nodiscard]] nlohmann::json nvidia(const FileRoot& root, const EnvironmentLookup& environment);
[[nodiscard]] nlohmann::json software(const FileRoot& root, const EnvironmentLookup& environment,
                                      const std::string& driver);

}  // namespace warpmark::card
