// SPDX-License-Identifier: Apache-2.0
// Calls the fuzzer that is linked in with each file of a folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace warpmark {

struct Replayed {
  std::size_t files = 0;
  std::size_t accepted = 0;             // taken for good files
  std::vector<std::string> findings{};  // the file and what the fuzzer threw
};

[[nodiscard]] Replayed replay(const std::filesystem::path& folder);

}  // namespace warpmark
