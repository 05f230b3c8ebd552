// SPDX-License-Identifier: Apache-2.0
// A file that lies in memory and has a path, for functions that read files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/store/durable_file.h"

namespace warpmark {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text);

  /// As long as the object lives.
  [[nodiscard]] std::filesystem::path path() const;
  [[nodiscard]] std::string text() const;

 private:
  Descriptor file_;
};

}  // namespace warpmark
