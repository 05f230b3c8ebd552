// SPDX-License-Identifier: Apache-2.0
// What a driver that does not start is said to be, and what to do about it.
#include "harness/backends/cuda/startup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::cuda {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

struct Code {
  int code = 0;
  std::string says{};
  std::string next{};
};

class StartupProblem : public testing::TestWithParam<Code> {};

TEST_P(StartupProblem, SaysWhatAndWhatNext) {
  const std::string text = startup_problem(GetParam().code);
  EXPECT_THAT(text, HasSubstr(GetParam().says));
  EXPECT_THAT(text, HasSubstr(GetParam().next));
  EXPECT_THAT(text, EndsWith(" " + std::to_string(GetParam().code) + ")"));
}

INSTANTIATE_TEST_SUITE_P(Codes, StartupProblem,
                         testing::Values(Code{34, "the toolkit's stub", "out of LD_LIBRARY_PATH"},
                                         Code{36, "older than this call needs", "install a newer driver"},
                                         Code{46, "busy with another process", "nvidia-smi"},
                                         Code{100, "finds no GPU", "docker run --gpus all"},
                                         Code{101, "refuses the GPU", "CUDA_VISIBLE_DEVICES"},
                                         Code{802, "not ready", "nvidia-fabricmanager"},
                                         Code{803, "different driver versions", "restart"},
                                         Code{804, "forward-compatibility copy", "out of LD_LIBRARY_PATH"},
                                         Code{999, "without a reason", "dmesg"}),
                         [](const auto& each) { return std::to_string(each.param.code); });

TEST(StartupProblem, OfACodeThatNobodyKnowsNamesIt) { EXPECT_THAT(startup_problem(12345), HasSubstr("error 12345")); }

TEST(TooOld, NamesBothVersions) {
  EXPECT_EQ(too_old(11080),
            "the driver serves CUDA 11.8 at most and 12.0 is needed: install driver R525 or later (`nvidia-smi` shows "
            "the one at hand)");
}

}  // namespace
}  // namespace warpmark::cuda
