// SPDX-License-Identifier: Apache-2.0
// Hands libFuzzer's inputs to the fuzzer that is linked in. An exception that leaves it ends the process, which is what
// libFuzzer takes for a finding.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/fuzzer.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const void* const bytes = data;
  // -1 keeps what is no good file out of the corpus only where asked for; here near misses are worth keeping.
  warpmark::fuzz(std::string_view(static_cast<const char*>(bytes), size));
  return 0;
}
