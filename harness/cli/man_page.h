// SPDX-License-Identifier: Apache-2.0
// The man page, warpmark(1): every manual and every option on one page, in roff.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warpmark {

[[nodiscard]] std::string man_page(const CLI::App& program);

}  // namespace warpmark
