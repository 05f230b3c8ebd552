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
  std::string last;
  for (const std::string& name : names) {
    if (void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return {handle, path_of(handle, name)};
    last = why();
  }
  throw Unsupported(fmt::format("{} cannot be opened ({}); {}", fmt::join(names, ", "), last, advice));
}

void* Library::symbol(const char* name) const {
  if (void* const found = dlsym(handle_, name)) return found;
  throw Unsupported(fmt::format("{} has no {}: it is another version, or another library of that name", path_, name));
}

}  // namespace warpmark
