// SPDX-License-Identifier: Apache-2.0
// What a document says about its run: who, when, with which build, from which session and boot.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/core/regime.h"
#include "harness/run/plan.h"
#include "harness/store/suite.h"

namespace warpmark {

struct RunFacts {
  std::string id{};
  std::vector<std::string> command{};
  std::map<std::string, std::string> labels{};
  Regime regime = Regime::burst;
  int repeats = 3;
  std::uint64_t seed = 0;
  std::string device_problem{};                       // empty: none
  nlohmann::json options = nlohmann::json::object();  // in effect, each with where it came from
};

/// Eight random hexadecimal digits.
[[nodiscard]] std::string new_run_id();

/// A random seed that every JSON reader keeps: below 2^53.
[[nodiscard]] std::uint64_t new_seed();

/// Version, compiler, flags, git revision and optional parts of this program.
[[nodiscard]] nlohmann::json build_facts();

/// The revision that this program was built from; null where it is not known.
[[nodiscard]] nlohmann::json git_revision();

/// The `run` object of a document that has just begun.
[[nodiscard]] nlohmann::json run_facts(const RunFacts& facts, const Suite& suite,
                                       const std::vector<PlannedCase>& cases);

}  // namespace warpmark
