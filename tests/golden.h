// SPDX-License-Identifier: Apache-2.0
// Compares text with a file in tests/golden. WARPMARK_APPROVE=1 in the test's environment writes the file instead: look
// at the difference before you keep it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace warpmark {

/// Some tests clear WARPMARK_* from the environment of the commands that they run; the answer is the one at first.
inline bool approving() {
  static const bool asked = std::getenv("WARPMARK_APPROVE") != nullptr;
  return asked;
}

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(WARPMARK_SOURCE_DIR) + "/tests/golden/" + name;
  if (approving()) std::ofstream(path, std::ios::binary) << text;
  std::ostringstream expected;
  expected << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(text, expected.str()) << "when this is right: run this test with WARPMARK_APPROVE=1";
}

}  // namespace warpmark
