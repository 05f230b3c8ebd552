// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/harness/cli/ran.h"

namespace warpmark {
namespace {

using testing::Contains;
using testing::MatchesRegex;

class ListTest : public CommandTest {};

TEST_F(ListTest, shows_the_kernels_of_each_backend_on_a_line_of_its_own) {
  const Ran ran = run_program({"list", "benchmarks"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::vector<std::string> lines = lines_of(ran.out);
  EXPECT_THAT(lines, Contains(MatchesRegex(" +cpu: .*plain .*f32.*")));
  for (const std::string& line : lines)
    EXPECT_FALSE(line.find("cpu: ") != line.npos && line.find("cuda: ") != line.npos);
}

}  // namespace
}  // namespace warpmark
