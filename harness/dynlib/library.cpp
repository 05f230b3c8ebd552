// SPDX-License-Identifier: Apache-2.0
#include "harness/dynlib/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include "harness/core/error.h"

namespace warpmark {
namespace {

std::string why() {
  const char* const text = dlerror();
  return text == nullptr ? "no reason given" : text;
}

/// Whether there is no such file, by the loader's own words. One that is there and cannot be loaded may not pass for
/// absent, nor a library that it needs itself for the one that was asked for.
bool is_absence(const std::string& reason, const std::string& name) {
  return reason.starts_with(name + ": cannot open shared object file: No such file or directory");
}

std::string path_of(void* handle, const std::string& name) {
  const link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr || *map->l_name == '\0')
    return name;
  return map->l_name;
}

}  // namespace

// Never closed: libraries with threads of their own do not survive it.
Library::Library(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

Library Library::open(const std::vector<std::string>& names, std::string_view advice) {
  for (const std::string& name : names) {
    if (void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return {handle, path_of(handle, name)};
    const std::string reason = why();
    if (!is_absence(reason, name)) throw Unsupported(fmt::format("{} cannot be loaded: {}; {}", name, reason, advice));
  }
  throw LibraryMissing(fmt::format("no {} was found; {}", fmt::join(names, ", "), advice));
}

void* Library::symbol_or_null(const char* name) const { return dlsym(handle_, name); }

void* Library::symbol(const char* name) const {
  if (void* const found = symbol_or_null(name)) return found;
  throw Unsupported(fmt::format("{} has no {}: it is another version, or another library of that name", path_, name));
}

}  // namespace warpmark
