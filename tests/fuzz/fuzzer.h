// SPDX-License-Identifier: Apache-2.0
// A fuzzer is one function that takes bytes for one kind of file. libFuzzer calls it with mutated files
// (libfuzzer.cpp), the replay with seeds and with what once went wrong (replay.h). Each <kind>_fuzzer.cpp defines it
// for its kind.
#pragma once

#include <string_view>

namespace warpmark {

/// Reads the input and does all that the product does with such a file. Throws where a property does not hold; what the
/// product itself throws, but for its refusals, passes through. Returns whether the input was taken for a good file.
bool fuzz(std::string_view input);

}  // namespace warpmark
