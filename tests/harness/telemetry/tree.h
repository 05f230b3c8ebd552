// SPDX-License-Identifier: Apache-2.0
// A root to read from: one of tests/fixtures/roots as it is, or a changed copy of it, or one made from nothing.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/telemetry/file_root.h"
#include "tests/harness/store/temporary_folder.h"

namespace warpmark {

inline std::filesystem::path fixture_root(std::string_view name) {
  return std::filesystem::path(WARPMARK_SOURCE_DIR) / "tests/fixtures/roots" / name;
}

/// Paths are as the product writes them: "/proc/cpuinfo".
class Tree {
 public:
  Tree() { std::filesystem::create_directory(path()); }
  explicit Tree(std::string_view fixture) {
    using std::filesystem::copy_options;
    std::filesystem::copy(fixture_root(fixture), path(), copy_options::recursive | copy_options::copy_symlinks);
  }

  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "root"; }
  [[nodiscard]] std::filesystem::path outside() const { return folder_.path(); }
  [[nodiscard]] std::filesystem::path on_disk(std::string_view name) const { return path() / name.substr(1); }
  [[nodiscard]] FileRoot root() const { return FileRoot(path()); }

  void write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories(on_disk(name).parent_path());
    std::ofstream(on_disk(name), std::ios::binary) << text;
  }
  void link(std::string_view name, const std::filesystem::path& target) const {
    std::filesystem::create_directories(on_disk(name).parent_path());
    std::filesystem::create_symlink(target, on_disk(name));
  }
  void folder(std::string_view name) const { std::filesystem::create_directories(on_disk(name)); }
  void remove(std::string_view name) const { std::filesystem::remove_all(on_disk(name)); }

 private:
  TemporaryFolder folder_{};
};

}  // namespace warpmark
