// SPDX-License-Identifier: Apache-2.0
// Statuses and exit codes are contracts with scripts: every one is written down here once more.
#include "harness/core/status.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <utility>

namespace warpmark {
namespace {

struct Expected {
  Status status;
  std::string_view name;
  int exit_code;
  bool measured;
};

constexpr std::array expected{
    Expected{Status::ok, "ok", 0, true},
    Expected{Status::skipped, "skipped", 0, false},
    Expected{Status::unsupported, "unsupported", 0, false},
    Expected{Status::denied, "denied", 0, false},
    Expected{Status::not_converged, "not_converged", 0, true},
    Expected{Status::failed, "failed", 4, false},
    Expected{Status::crashed, "crashed", 4, false},
    Expected{Status::timeout, "timeout", 4, false},
    Expected{Status::invalid, "invalid", 5, false},
};

TEST(Status, HasItsNameItsExitCodeAndItsUse) {
  for (const Expected& e : expected) {
    EXPECT_EQ(name_of(e.status), e.name);
    EXPECT_EQ(status_named(e.name), e.status);
    EXPECT_EQ(static_cast<int>(exit_code_of(e.status)), e.exit_code) << e.name;
    EXPECT_EQ(measured(e.status), e.measured) << e.name;
  }
  EXPECT_FALSE(status_named("OK"));
  EXPECT_FALSE(status_named(""));
}

TEST(Status, IsOneOfThese) {
  std::set<Status> all;
  for (const Status status : all_statuses()) all.insert(status);
  EXPECT_EQ(all_statuses().size(), expected.size());
  EXPECT_EQ(all.size(), expected.size());
}

// From the one that outweighs all others down.
constexpr std::array precedence{130, 2, 3, 1, 5, 4, 0};

TEST(ExitCode, IsTheWorseOfTwoInEitherOrder) {
  for (std::size_t i = 0; i < precedence.size(); ++i) {
    for (std::size_t j = i; j < precedence.size(); ++j) {
      const auto worst = static_cast<ExitCode>(precedence[i]);
      const auto other = static_cast<ExitCode>(precedence[j]);
      EXPECT_EQ(worse(worst, other), worst) << precedence[i] << " " << precedence[j];
      EXPECT_EQ(worse(other, worst), worst) << precedence[j] << " " << precedence[i];
    }
  }
}

}  // namespace
}  // namespace warpmark
