// SPDX-License-Identifier: Apache-2.0
// A shared library that is opened when it is needed: what the program does not link cannot keep it from starting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"

namespace warpmark {

/// None of the names is there.
struct LibraryMissing : Unsupported {
  using Unsupported::Unsupported;
};

class Library {
 public:
  /// Opens the first of these names (sonames or paths) that the loader finds. Throws LibraryMissing that names them
  /// and, in `advice`, what to install; Unsupported with the loader's reason for one that is there and cannot be
  /// loaded.
  static Library open(const std::vector<std::string>& names, std::string_view advice);

  /// A function of the library by its C name. Throws Unsupported that names both.
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }
  /// The same; null where the library has none.
  template <class Function>
  [[nodiscard]] Function* find(const char* name) const {
    return reinterpret_cast<Function*>(symbol_or_null(name));
  }

  /// Where the loader found it; the name it was opened by where that is not known.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Library(void* handle, std::string path);
  [[nodiscard]] void* symbol(const char* name) const;
  [[nodiscard]] void* symbol_or_null(const char* name) const;

  void* handle_;
  std::string path_;
};

}  // namespace warpmark
