// SPDX-License-Identifier: Apache-2.0
// Files that survive a crash, a full disk and a power cut: what was written is on disk, or it is not there at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace warpmark {

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  ~Descriptor();
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// The largest file that is read. A result of 50 MB is already unusual.
inline constexpr std::size_t max_text_bytes = std::size_t{1} << 30U;

/// Everything from the descriptor's position to its end; a pipe will do. Throws std::system_error, file_too_large above
/// the limit.
[[nodiscard]] std::string read_all(int descriptor);

/// A regular file that only grows at its end. No child process inherits it. All functions but the destructor throw
/// std::system_error when the system refuses.
class DurableFile {
 public:
  /// Makes a new file; fails when there is one.
  static DurableFile create(const std::filesystem::path& path);
  static DurableFile open(const std::filesystem::path& path);

  /// Whether this process has the file for itself now; the lock ends with the object. File systems without locks say
  /// yes.
  [[nodiscard]] bool lock();
  [[nodiscard]] std::string read() const;
  /// Adds all of `bytes` at the end, or leaves the file as it was.
  void write(std::string_view bytes);
  /// Waits until everything written is on disk.
  void sync();
  /// Drops everything behind the first `bytes`.
  void cut(std::size_t bytes);
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  DurableFile(int descriptor, std::size_t size) : descriptor_(descriptor), size_(size) {}

  Descriptor descriptor_;
  std::size_t size_;           // of what was written whole
  bool has_torn_end_ = false;  // bytes behind size_ could not be cut off yet
};

/// Puts what `fill` writes in the place of `path`: there is the old file or the new one, never half. Throws UsageError
/// that names the path and the system's reason, also for a path that is a folder, a pipe or a device.
void replace_file(const std::filesystem::path& path, const std::function<void(DurableFile&)>& fill);

/// Makes a new or renamed file's name survive a power cut, as far as its file system can.
void sync_folder_of(const std::filesystem::path& file);

}  // namespace warpmark
