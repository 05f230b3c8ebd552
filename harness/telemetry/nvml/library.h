// SPDX-License-Identifier: Apache-2.0
// The driver's NVML library, opened at need, and how to ask it: any function may be missing, refuse, or not be
// supported by one GPU, and an answer that is not to be had says why. It may also hang for ever, so only the sampler
// process opens it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/telemetry/nvml/abi.h"

namespace warpmark::nvml {

/// A function of the library; `call` is null where it has none of that name.
template <class... Parameters>
struct Function {
  const char* name = nullptr;
  Return (*call)(Parameters...) = nullptr;
};

struct Functions {
#define WARPMARK_DECLARE(name, ...) Function<__VA_ARGS__> name{"nvml" #name, nullptr};
  WARPMARK_NVML_FUNCTIONS(WARPMARK_DECLARE)
#undef WARPMARK_DECLARE
};

struct Opened {
  Functions functions{};
  std::string path{};     // the file that was loaded
  Return code = success;  // of its start
  std::string problem{};  // what happened and what to do; empty: it can be asked
  bool present = false;   // the library is there
};

/// Opens and starts it. Takes seconds on a machine with many GPUs that no process holds.
[[nodiscard]] Opened open_library();

/// An answer, or why there is none.
template <class T>
struct Answer {
  std::optional<T> value{};
  std::string why{};
  Return code = success;
};

/// "NVML: not supported by this GPU (nvmlDeviceGetEccMode 3)"
[[nodiscard]] std::string why_not(Return code, std::string_view function);

/// Calls `function(before..., &value)`.
template <class T, class... Parameters, class... Before>
[[nodiscard]] Answer<T> ask(const Function<Parameters...>& function, Before... before) {
  T value{};
  const Return code = function.call == nullptr ? Return{function_not_found} : function.call(before..., &value);
  if (code == success) return {.value = value};
  return {.value = std::nullopt, .why = why_not(code, function.name), .code = code};
}

/// Two results of one call.
template <class T>
struct Pair {
  T first{}, second{};
};

/// Calls `function(before..., &first, &second)`.
template <class T, class... Parameters, class... Before>
[[nodiscard]] Answer<Pair<T>> ask_pair(const Function<Parameters...>& function, Before... before) {
  Pair<T> pair;
  const Return code =
      function.call == nullptr ? Return{function_not_found} : function.call(before..., &pair.first, &pair.second);
  if (code == success) return {.value = pair};
  return {.value = std::nullopt, .why = why_not(code, function.name), .code = code};
}

/// A text of at most `bytes`, whether or not it is ended by a zero.
[[nodiscard]] Answer<std::string> ask_text(const Function<Device, char*, unsigned>& function, Device device,
                                           unsigned bytes);
[[nodiscard]] Answer<std::string> ask_text(const Function<char*, unsigned>& function, unsigned bytes);

/// The number in a field's value; empty for a type that we do not know.
[[nodiscard]] std::optional<double> number_of(const FieldValue& field);

}  // namespace warpmark::nvml
