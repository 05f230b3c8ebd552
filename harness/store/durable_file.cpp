// SPDX-License-Identifier: Apache-2.0
#include "harness/store/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "harness/core/error.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error = errno) { throw std::system_error(error, std::generic_category()); }

int open_or_fail(const fs::path& path, int flags) {
  // Close-on-exec, because a lock lives as long as any process holds the file.
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0) fail();
  return descriptor;
}

/// A name beside `target` that no other process takes; short, because `target` may have the longest name there can be.
fs::path temporary_beside(const fs::path& target, int attempt) {
  return target.parent_path() / fmt::format(".warpmark-{}-{}.tmp", ::getpid(), attempt);
}

/// Where the bytes will lie: behind symbolic links, so that a link stays one. Renaming over a device such as /dev/null
/// would replace it for the whole system.
fs::path resolved_target(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw UsageError(fmt::format("{}: is a folder; name a file in it", path.string()));
  if (!fs::exists(status)) return path;
  if (!fs::is_regular_file(status)) throw UsageError(fmt::format("{}: is not a regular file; name one", path.string()));
  const fs::path real = fs::canonical(path, error);
  return error ? path : real;
}

}  // namespace

std::string read_all(int descriptor) {
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) fail();
  if (S_ISDIR(facts.st_mode)) fail(EISDIR);
  if (facts.st_size > static_cast<off_t>(max_text_bytes)) fail(EFBIG);  // before memory for it is asked for
  std::string text;
  constexpr std::size_t step = std::size_t{1} << 20U;
  std::size_t done = 0;
  for (;;) {
    const auto known = static_cast<std::size_t>(facts.st_size);
    // One more byte than known, in which the end shows without another buffer.
    if (done == text.size()) text.resize(done + (known > done ? known - done + 1 : step));
    const ssize_t n = ::read(descriptor, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) fail();
    if (n > 0) done += static_cast<std::size_t>(n);
    if (done > max_text_bytes) fail(EFBIG);
    if (n == 0) break;
  }
  text.resize(done);
  return text;
}

Descriptor::Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Descriptor::~Descriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

DurableFile DurableFile::create(const fs::path& path) {
  return DurableFile(open_or_fail(path, O_RDWR | O_CREAT | O_EXCL), 0);
}

DurableFile DurableFile::open(const fs::path& path) {
  DurableFile file(open_or_fail(path, O_RDWR), 0);
  struct stat facts {};
  if (::fstat(file.descriptor_.get(), &facts) != 0) fail();
  if (!S_ISREG(facts.st_mode)) fail(S_ISDIR(facts.st_mode) ? EISDIR : EINVAL);
  file.size_ = static_cast<std::size_t>(facts.st_size);
  return file;
}

bool DurableFile::lock() {
  if (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) return true;
  return errno != EWOULDBLOCK;
}

std::string DurableFile::read() const {
  if (::lseek(descriptor_.get(), 0, SEEK_SET) != 0) fail();
  return read_all(descriptor_.get());
}

void DurableFile::write(std::string_view bytes) {
  if (has_torn_end_) cut(size_);
  std::size_t done = 0;
  while (done < bytes.size()) {
    // Usually one call for everything. After a short one the next tells why there was no room.
    const ssize_t n =
        ::pwrite(descriptor_.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_ + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error = n < 0 ? errno : ENOSPC;
      has_torn_end_ = ::ftruncate(descriptor_.get(), static_cast<off_t>(size_)) != 0;
      fail(error);
    }
    done += static_cast<std::size_t>(n);
  }
  size_ += bytes.size();
}

void DurableFile::sync() {
  if (::fdatasync(descriptor_.get()) != 0) fail();
}

void DurableFile::cut(std::size_t bytes) {
  size_ = bytes;
  has_torn_end_ = true;
  if (::ftruncate(descriptor_.get(), static_cast<off_t>(bytes)) != 0) fail();
  has_torn_end_ = false;
}

void sync_folder_of(const fs::path& file) {
  const fs::path parent = file.parent_path();
  const Descriptor folder(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder may be writable but not readable, and some file systems cannot sync one: the file itself is safe already.
  if (folder.get() >= 0 && ::fsync(folder.get()) != 0 && errno == EIO) fail();
}

namespace {

/// Creates the temporary file; gives its path back through `temporary`.
DurableFile create_beside(const fs::path& target, fs::path& temporary) {
  constexpr int attempts = 100;  // names that a killed process of the same number left behind
  for (int attempt = 0;; ++attempt) {
    temporary = temporary_beside(target, attempt);
    try {
      return DurableFile::create(temporary);
    } catch (const std::system_error& error) {
      if (error.code() != std::errc::file_exists || attempt == attempts) throw;
    }
  }
}

void fill_and_rename(const fs::path& target, const std::function<void(DurableFile&)>& fill) {
  fs::path temporary;
  DurableFile file = create_beside(target, temporary);
  try {
    fill(file);
    file.sync();
    fs::rename(temporary, target);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  sync_folder_of(target);
}

}  // namespace

void replace_file(const fs::path& path, const std::function<void(DurableFile&)>& fill) {
  const fs::path target = resolved_target(path);
  try {
    fill_and_rename(target, fill);
  } catch (const std::system_error& error) {
    const fs::path parent = target.parent_path();
    std::error_code ignored;
    if (!parent.empty() && !fs::exists(parent, ignored))
      throw UsageError(fmt::format("{}: cannot be written: there is no folder {}", path.string(), parent.string()));
    throw UsageError(fmt::format("{}: cannot be written: {}", path.string(), error.code().message()));
  }
}

}  // namespace warpmark
