// SPDX-License-Identifier: Apache-2.0
// A suite: which cases to run, how long, and which cases judge. A JSON file (schema/suite.schema.json); the ones in
// bench/suites are embedded in the program.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/protocol.h"

namespace warpmark {

/// One line of a suite: the cases of the benchmarks whose name matches, narrowed by what is given (empty: all).
struct Selection {
  std::string benchmarks{};                              // ECMAScript regular expression, searched in the name
  std::map<std::string, std::vector<AxisValue>> axes{};  // these values replace the benchmark's own
  std::vector<std::string> backends{}, modes{}, variants{}, dtypes{};
  bool gate = false;  // whether a comparison judges by these cases; the rest informs
  bool once = false;  // measured by the first repeat alone: cases that take long
};

struct Suite {
  std::string name{};
  std::string about{};
  int repeats = 3;
  Protocol protocol{};
  std::vector<Selection> select{};
};

inline constexpr std::string_view suite_schema = "warpmark.suite/1";

/// Reads suite text; `source` names it in errors. Throws UsageError with the place, as read_document does, also for a
/// bad regular expression.
[[nodiscard]] Suite parse_suite(std::string_view text, std::string_view source);

/// Every field, as run.protocol in a document has them.
[[nodiscard]] nlohmann::json to_json(const Protocol& protocol);
/// Fields that are not there keep their defaults.
[[nodiscard]] Protocol protocol_from_json(const nlohmann::json& json);

}  // namespace warpmark
