// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/memory_file.h"

#include <sys/mman.h>

#include <stdexcept>

#include "harness/store/json_text.h"

namespace warpmark {

MemoryFile::MemoryFile(std::string_view text) : file_(::memfd_create("fuzzed", MFD_CLOEXEC)) {
  if (file_.get() < 0) throw std::runtime_error("no file can be made in memory");
  DurableFile::open(path()).write(text);
}

std::filesystem::path MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

std::string MemoryFile::text() const { return read_text(path()); }

}  // namespace warpmark
