// SPDX-License-Identifier: Apache-2.0
// A text asset that the build made part of the program (scripts/cmake/embed.cmake).
#pragma once

#include <string_view>

namespace warpmark::embedded {

struct File {
  std::string_view name;  // without its folder
  std::string_view text;
};

}  // namespace warpmark::embedded
