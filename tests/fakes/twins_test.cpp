// SPDX-License-Identifier: Apache-2.0
// Every kernel that the product was built with has a twin: the names are those of its own PTX.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include "tests/fakes/twins/twin.h"

namespace warpmark::fakes {
namespace {

std::vector<std::string> kernels_of(const std::string& ptx) {
  static const std::regex form(R"(\.entry\s+(\w+)\()");
  std::vector<std::string> names;
  for (std::sregex_iterator at(ptx.begin(), ptx.end(), form), end; at != end; ++at) names.push_back((*at)[1]);
  return names;
}

TEST(Twins, EveryKernelHasOne) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(WARPMARK_DEVICE_CODE_DIR)) {
    if (!file.path().filename().string().ends_with(".ptx")) continue;
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    for (const std::string& name : kernels_of(text.str())) {
      EXPECT_NE(nullptr, find_twin(name)) << name << " of " << file.path() << ": enter it in tests/fakes/twins/";
      ++count;
    }
  }
  EXPECT_GT(count, 0U);
}

TEST(Twins, OthersHaveNone) {
  EXPECT_EQ(std::vector<std::string>{"other"}, kernels_of(".version 8.0\n.visible .entry other(\n"));
  EXPECT_EQ(nullptr, find_twin("other"));
}

}  // namespace
}  // namespace warpmark::fakes
