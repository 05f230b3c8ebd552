// SPDX-License-Identifier: Apache-2.0
#include "harness/dynlib/cuda_libraries.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

namespace warpmark {
namespace {

namespace fs = std::filesystem;

/// A toolkit may have those of other machines too, to build for them.
#if defined(__aarch64__)
constexpr const char* own_target = "sbsa-linux";
#else
constexpr const char* own_target = "x86_64-linux";
#endif

/// Folders within one whose names begin so, in order of name; none where it cannot be read.
std::vector<fs::path> folders_in(const fs::path& folder, std::string_view beginning) {
  std::vector<fs::path> found;
  std::error_code problem;
  fs::directory_iterator entry(folder, problem);
  for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
    std::error_code not_there;
    if (entry->path().filename().native().starts_with(beginning) && entry->is_directory(not_there))
      found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

class Search {
 public:
  Search(const std::string& soname, const EnvironmentLookup& environment, const fs::path& root)
      : soname_(soname), environment_(environment), root_(root), found_{soname} {}

  std::vector<std::string> run() {
    for (const char* const name : {"CUDA_HOME", "CUDA_PATH"})
      if (const auto folder = folder_of(name)) look_in_toolkit(*folder);
    for (const fs::path& toolkit : folders_in(root_ / "usr/local", "cuda")) look_in_toolkit(toolkit);
    for (const char* const name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
      if (const auto folder = folder_of(name)) look_in_python(*folder);
    if (const auto prefix = prefix_of_python()) {
      look_in_python(*prefix);
      look_in_python(*prefix / "local");  // where Debian's pip puts things
    }
    return found_;
  }

 private:
  /// Below the root, however the text tries to leave it.
  [[nodiscard]] std::optional<fs::path> below_root(std::string_view text) const {
    const fs::path folder(text);
    if (!folder.is_absolute()) return std::nullopt;
    return root_ / folder.lexically_normal().relative_path();
  }

  [[nodiscard]] std::optional<fs::path> folder_of(const char* variable) const {
    const char* const value = environment_(variable);
    return value == nullptr ? std::nullopt : below_root(value);
  }

  /// /usr of /usr/bin/python3. An environment's python3 is a link to another one, and its folder is what counts.
  [[nodiscard]] std::optional<fs::path> prefix_of_python() const {
    const char* const value = environment_("PATH");
    std::string_view rest = value == nullptr ? "" : value;
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      const auto folder = below_root(rest.substr(0, colon));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
      std::error_code not_there;
      if (folder && fs::is_regular_file(*folder / "python3", not_there)) return folder->parent_path();
    }
    return std::nullopt;
  }

  void look_in_toolkit(const fs::path& folder) {
    look_in(folder / "lib64");
    look_in(folder / "targets" / own_target / "lib");
  }

  void look_in_python(const fs::path& prefix) {
    for (const fs::path& python : folders_in(prefix / "lib", "python3"))
      for (const char* const packages : {"site-packages", "dist-packages"})
        for (const fs::path& package : folders_in(python / packages / "nvidia", "")) look_in(package / "lib");
  }

  void look_in(const fs::path& folder) {
    std::error_code problem;
    const fs::path file = folder / soname_;
    if (!fs::is_regular_file(file, problem)) return;
    const fs::path true_folder = fs::canonical(file, problem).parent_path();
    for (const fs::path& each : {folder, true_folder})
      if (each.filename() == "stubs" || each.filename() == "compat") return;
    // A toolkit has its libraries under several names.
    const bool is_new = std::none_of(files_.begin(), files_.end(), [&](const fs::path& other) {
      std::error_code gone;
      return fs::equivalent(other, file, gone);
    });
    if (!is_new) return;
    files_.push_back(file);
    found_.push_back(file.string());
  }

  const std::string& soname_;
  const EnvironmentLookup& environment_;
  const fs::path& root_;
  std::vector<fs::path> files_{};
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> cuda_library_candidates(const std::string& soname, const EnvironmentLookup& environment,
                                                 const fs::path& root) {
  return Search(soname, environment, root).run();
}

std::vector<std::string> cuda_library_candidates(const std::string& soname) {
  return cuda_library_candidates(
      soname, [](const char* name) { return std::getenv(name); }, "/");
}

}  // namespace warpmark
