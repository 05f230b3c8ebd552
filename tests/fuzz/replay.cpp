// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/replay.h"

#include <exception>

#include "tests/fuzz/fuzzer.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {

Replayed replay(const std::filesystem::path& folder) {
  Replayed replayed;
  if (!std::filesystem::exists(folder)) return replayed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    ++replayed.files;
    try {
      replayed.accepted += fuzz(text_of_file(entry.path())) ? 1 : 0;
    } catch (const std::exception& finding) {
      replayed.findings.push_back(entry.path().string() + ": " + finding.what());
    }
  }
  return replayed;
}

}  // namespace warpmark
