// SPDX-License-Identifier: Apache-2.0
// What the composition root (bench/main.cpp) hands to the commands, so that they depend on neither suites nor pages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/embedded_file.h"
#include "harness/reference/bands.h"
#include "harness/store/document.h"

namespace warpmark {

struct ReportFormat {
  std::string_view name{};       // as --format takes it
  std::string_view extension{};  // of the file it is written to when -o is not given
  std::string (*render)(std::span<const Document> documents, const std::vector<std::string>& sources,
                        const BandTable& bands) = nullptr;
};

struct Context {
  std::span<const embedded::File> suites{};  // "quick.json"
  std::span<const ReportFormat> formats{};   // the first is the default
  std::vector<std::string> command_line{};   // as it was typed, the program's name first
};

}  // namespace warpmark
