// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace warpmark {
namespace {

int first_error = 0;  // what errno said when the stream failed; it says something else by the end

void note_error() {
  if (first_error == 0) first_error = errno;
}

}  // namespace

void put(std::string_view text) {
  if (first_error == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note_error();
}

void flush_output() {
  if (std::fflush(stdout) != 0) note_error();
}

std::string output_problem() {
  flush_output();
  const int error = std::exchange(first_error, 0);
  if (error == 0 || error == EPIPE) return "";
  return fmt::format("standard output cannot be written: {}", error == EBADF ? "it is closed" : std::strerror(error));
}

}  // namespace warpmark
