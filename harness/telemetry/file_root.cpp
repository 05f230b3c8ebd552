// SPDX-License-Identifier: Apache-2.0
#include "harness/telemetry/file_root.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace warpmark {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(const fs::path& path)  // O_NONBLOCK: a pipe in a hostile tree must not hold us
      : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Up to `most` bytes. Sizes of /proc and /sys files are not known before they are read. Returns errno, or 0.
int read_up_to(int descriptor, std::size_t most, std::string& text) {
  std::size_t have = 0;
  while (have < most) {
    text.resize(std::min(most, have + std::max<std::size_t>(4096, have)));
    const ssize_t got = ::read(descriptor, text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return 0;
}

std::string trimmed(const std::string& text) {
  constexpr std::string_view blank{" \t\r\n\0", 5};
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

bool is_below(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

FileRoot::FileRoot(fs::path root) : root_(std::move(root)) {
  std::error_code error;
  const fs::path canonical = fs::canonical(root_, error);
  if (!error) root_ = canonical;
  live_ = root_ == "/";
}

std::optional<fs::path> FileRoot::resolve(const std::string& path) const {
  const fs::path full = root_ / fs::path(path).relative_path();
  if (live_) return full;
  std::error_code error;
  fs::path canonical = fs::canonical(full, error);
  if (error) {
    remember(path, error.value());
    return std::nullopt;
  }
  if (!is_below(canonical, root_)) {
    remember(path, {.why = "refused: a symlink leads out of the root"});
    return std::nullopt;
  }
  return canonical;
}

std::optional<std::string> FileRoot::read_bytes(const std::string& path, std::size_t limit_bytes) const {
  const auto full = resolve(path);
  if (!full) return std::nullopt;
  const Descriptor file(*full);
  struct stat about {};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0) {
    remember(path, errno);
    return std::nullopt;
  }
  if (!S_ISREG(about.st_mode)) {
    remember(path, {.why = "refused: not a regular file"});
    return std::nullopt;
  }
  std::string text;
  if (const int error = read_up_to(file.number(), limit_bytes + 1, text); error != 0) {
    remember(path, error);
    return std::nullopt;
  }
  if (text.size() > limit_bytes) {
    remember(path, {.why = "refused: larger than " + std::to_string(limit_bytes) + " bytes"});
    return std::nullopt;
  }
  failures_.erase(path);
  return text;
}

std::optional<std::string> FileRoot::read(const std::string& path, std::size_t limit_bytes) const {
  const auto bytes = read_bytes(path, limit_bytes);
  return bytes ? std::optional<std::string>(trimmed(*bytes)) : std::nullopt;
}

std::optional<std::string> FileRoot::fact(const std::string& what, const std::string& path,
                                          std::size_t limit_bytes) const {
  auto text = read(path, limit_bytes);
  if (!text) deny(what, why_not(path));
  return text;
}

std::vector<std::string> FileRoot::list(const std::string& folder) const {
  std::vector<std::string> names;
  const auto full = resolve(folder);
  if (!full) return names;
  std::error_code error;
  fs::directory_iterator entry(*full, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error)
    remember(folder, error.value());
  else
    failures_.erase(folder);
  std::sort(names.begin(), names.end());
  return names;
}

bool FileRoot::has_file(const std::string& path) const {
  const auto full = resolve(path);
  std::error_code error;
  if (!full) return false;
  const fs::file_status status = fs::status(*full, error);
  return fs::exists(status) && !fs::is_directory(status);
}

bool FileRoot::has_folder(const std::string& path) const {
  const auto full = resolve(path);
  std::error_code error;
  return full && fs::is_directory(*full, error);
}

std::optional<std::string> FileRoot::resolved(const std::string& path) const {
  const auto full = resolve(path);
  std::error_code error;
  const fs::path canonical = full ? fs::canonical(*full, error) : fs::path();
  if (!full || error) return std::nullopt;
  return (fs::path("/") / canonical.lexically_relative(root_)).lexically_normal().string();
}

std::optional<std::string> FileRoot::link_name(const std::string& path) const {
  // Only the text of the link is read, so the target need not be in the tree; the folder that holds it must be.
  const auto folder = resolve(fs::path(path).parent_path().string());
  if (!folder) return std::nullopt;
  std::error_code error;
  const fs::path target = fs::read_symlink(*folder / fs::path(path).filename(), error);
  if (error) {
    remember(path, error.value());
    return std::nullopt;
  }
  return target.filename().string();
}

std::string FileRoot::why_not(const std::string& path) const {
  const auto failure = failures_.find(path);
  if (failure == failures_.end()) return {};
  return (failure->second.missing.empty() ? path : failure->second.missing) + ": " + failure->second.why;
}

bool FileRoot::is_missing(const std::string& path) const {
  const auto failure = failures_.find(path);
  return failure != failures_.end() && !failure->second.missing.empty();
}

void FileRoot::deny(std::string what, std::string why) const {
  const auto same = [&](const Denied& d) { return d.what == what; };
  if (std::any_of(denied_.begin(), denied_.end(), same)) return;
  denied_.push_back({std::move(what), std::move(why)});
}

std::vector<Denied> FileRoot::denied() const {
  std::vector<Denied> all = denied_;
  for (const auto& [path, failure] : failures_) {
    const auto mentions = [&, &name = path](const Denied& d) { return d.why.find(name) != std::string::npos; };
    if (failure.missing.empty() && std::none_of(denied_.begin(), denied_.end(), mentions)) {
      all.push_back({path, failure.why});
    }
  }
  return all;
}

void FileRoot::remember(const std::string& path, int error) const {
  if (error == ENOENT || error == ENOTDIR) {
    remember(path, {.why = "not there", .missing = topmost_missing(path)});
  } else if (error == EACCES || error == EPERM) {
    remember(path, {.why = "permission denied"});
  } else {
    remember(path, {.why = std::generic_category().message(error)});
  }
}

std::string FileRoot::topmost_missing(const std::string& path) const {
  fs::path so_far = root_, missing = "/";
  for (const fs::path& part : fs::path(path).relative_path()) {
    so_far /= part;
    missing /= part;
    std::error_code error;
    if (!fs::exists(fs::symlink_status(so_far, error))) break;
  }
  return missing.string();
}

void FileRoot::remember(const std::string& path, Failure failure) const { failures_[path] = std::move(failure); }

}  // namespace warpmark
