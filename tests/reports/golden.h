// SPDX-License-Identifier: Apache-2.0
// Compares text with a file in tests/golden. WARPMARK_APPROVE=1 writes the file anew: look at the difference
// before you keep it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace warpmark {

inline std::string golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(WARPMARK_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("WARPMARK_APPROVE") != nullptr) std::ofstream(path) << text;
  std::ostringstream expected;
  expected << std::ifstream(path).rdbuf();
  return expected.str();
}

}  // namespace warpmark
