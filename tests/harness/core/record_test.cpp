// SPDX-License-Identifier: Apache-2.0
#include "harness/core/record.h"

#include <gtest/gtest.h>

namespace warpmark {
namespace {

TEST(ArithmeticOf, IsTheTypeUnlessTheKernelRoundsMoreCoarsely) {
  Record record;
  record.at.kernel.dtype = DType::f32;
  EXPECT_EQ(arithmetic_of(record), "f32");
  record.about["arithmetic"] = "tf32";
  EXPECT_EQ(arithmetic_of(record), "tf32");
}

TEST(ArithmeticOf, TakesNothingFromAFileThatIsNoNameOfAType) {
  Record record;
  record.at.kernel.dtype = DType::f16;
  for (const nlohmann::json& hostile :
       {nlohmann::json("<b>"), nlohmann::json("\x1b[31m"), nlohmann::json(""), nlohmann::json(16), nlohmann::json(),
        nlohmann::json("seventeen_letters"), nlohmann::json("F16")}) {
    record.about = {{"arithmetic", hostile}};
    EXPECT_EQ(arithmetic_of(record), "f16") << hostile;
  }
  record.about = nullptr;
  EXPECT_EQ(arithmetic_of(record), "f16");
}

}  // namespace
}  // namespace warpmark
