// SPDX-License-Identifier: Apache-2.0
// The seam to the file system: every fact about the machine is read below one root, the live "/" or the copy of another
// machine's. It reads small regular files only, never leaves a copied root through a symlink, and remembers what could
// not be read and why.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

/// A fact that could not be had. `what` is its place in the machine card ("cpu.governor") or a path, `why` a sentence.
struct Denied {
  std::string what{};
  std::string why{};
};

/// Remembering is not part of the value: reading is const. One FileRoot belongs to one thread.
class FileRoot {
 public:
  explicit FileRoot(std::filesystem::path root = "/");

  /// Whether this is the machine that we run on, so that the kernel may be asked too.
  [[nodiscard]] bool live() const { return live_; }

  /// The file as it is. Empty when it is missing, refused, or larger than the limit (a part of a file would be a wrong
  /// answer); why_not() then has the reason.
  [[nodiscard]] std::optional<std::string> read_bytes(const std::string& path, std::size_t limit_bytes) const;
  /// The same without surrounding blanks, line ends and NULs.
  [[nodiscard]] std::optional<std::string> read(const std::string& path,
                                                std::size_t limit_bytes = std::size_t{64} << 10) const;
  /// The same, and a failure is put on the denied list as fact `what`.
  [[nodiscard]] std::optional<std::string> fact(const std::string& what, const std::string& path,
                                                std::size_t limit_bytes = std::size_t{64} << 10) const;
  /// Names in a folder, sorted; none when it is not there or refused.
  [[nodiscard]] std::vector<std::string> list(const std::string& folder) const;
  /// Whether something other than a folder is there, readable or not. Container engines leave an empty folder where
  /// they were told to pass in a device node that the host does not have.
  [[nodiscard]] bool has_file(const std::string& path) const;
  [[nodiscard]] bool has_folder(const std::string& path) const;
  /// Where the path leads in the end, through all symlinks, as a path of this root; empty where there is nothing.
  [[nodiscard]] std::optional<std::string> resolved(const std::string& path) const;
  /// The root on this machine's disk.
  [[nodiscard]] const std::filesystem::path& folder() const { return root_; }
  /// Last part of what a symlink points to: "nvidia" for .../driver -> ../../../bus/pci/drivers/nvidia.
  [[nodiscard]] std::optional<std::string> link_name(const std::string& path) const;

  /// Why the last read() or list() of this path failed: "/sys/x: permission denied"; "" when it did not.
  /// Of a path that is not there it names the first part that is not: "/sys/class/dmi: not there".
  [[nodiscard]] std::string why_not(const std::string& path) const;
  /// Whether it failed because there is nothing.
  [[nodiscard]] bool is_missing(const std::string& path) const;
  void deny(std::string what, std::string why) const;
  /// Facts denied so far, then files that were refused for another reason than not being there and that no fact
  /// mentions.
  [[nodiscard]] std::vector<Denied> denied() const;

 private:
  struct Failure {
    std::string why{};
    std::string missing{};  // the topmost part of the path that is not there; empty for other failures
  };

  /// Where the path lies on this machine; empty, with the failure remembered, when it is not there or leaves the root.
  [[nodiscard]] std::optional<std::filesystem::path> resolve(const std::string& path) const;
  void remember(const std::string& path, int error) const;
  [[nodiscard]] std::string topmost_missing(const std::string& path) const;
  void remember(const std::string& path, Failure failure) const;

  std::filesystem::path root_;  // canonical
  bool live_ = false;
  mutable std::map<std::string, Failure> failures_{};
  mutable std::vector<Denied> denied_{};
};

}  // namespace warpmark
