// SPDX-License-Identifier: Apache-2.0
// The suites that come with the program: what they judge by, and that every family is in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/run/plan.h"

namespace warpmark {
namespace {

std::vector<PlannedCase> planned(const std::string& suite, const std::string& backend) {
  std::ifstream file(std::string(WARPMARK_SOURCE_DIR) + "/bench/suites/" + suite + ".json");
  std::stringstream text;
  text << file.rdbuf();
  DeviceInfo device;
  device.id = backend + ":0";
  device.backend = backend;
  return plan_cases(parse_suite(text.str(), suite), "", device);
}

std::set<std::string> families(const std::vector<PlannedCase>& cases) {
  std::set<std::string> names;
  for (const PlannedCase& each : cases) names.emplace(family_of(each.benchmark->name));
  return names;
}

std::set<std::string> families_that_judge(const std::vector<PlannedCase>& cases) {
  std::vector<PlannedCase> gates;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(gates),
               [](const PlannedCase& each) { return each.gate; });
  return families(gates);
}

/// Of that backend in this build.
std::set<std::string> all_families(std::string_view backend) {
  std::set<std::string> all;
  for (const Benchmark& benchmark : benchmarks())
    if (!cases_of(benchmark, backend).empty()) all.emplace(family_of(benchmark.name));
  return all;
}

class Suites : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  void SetUp() override {
    const auto& [suite, backend] = GetParam();
    if (all_families(backend).empty()) GTEST_SKIP() << "this build has no kernel for " << backend;
    cases_ = planned(suite, backend);
  }

  static bool is_quick() { return std::get<0>(GetParam()) == std::string("quick"); }
  /// Nothing becomes warm within a minute.
  static std::set<std::string> expected_families() {
    std::set<std::string> expected = all_families(std::get<1>(GetParam()));
    if (is_quick()) expected.erase("steady");
    return expected;
  }

  std::vector<PlannedCase> cases_{};
};

// plan_cases refuses more gates than a comparison judges by.
TEST_P(Suites, JudgeByACaseOfEveryFamilyThatTheSuiteIsFor) {
  std::set<std::string> judging = expected_families();
  judging.erase("steady");                   // measured once, so there is no telling chance from change
  if (is_quick()) judging.erase("compute");  // peaks explain the rest within a minute, and do not judge there
  EXPECT_EQ(families_that_judge(cases_), judging);
}

TEST_P(Suites, HaveEveryFamily) { EXPECT_EQ(families(cases_), expected_families()); }

INSTANTIATE_TEST_SUITE_P(OfTheProgram, Suites,
                         testing::Combine(testing::Values("quick", "standard", "full"),
                                          testing::Values("cpu", "cuda")));

}  // namespace
}  // namespace warpmark
