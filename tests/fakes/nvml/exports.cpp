// SPDX-License-Identifier: Apache-2.0
// The functions as the library exports them. Each is looked for through a resolver, which the loader asks when the
// program does: so a scenario's driver can lack any of them, and the program finds none of that name.
#include <string_view>
#include <type_traits>

#include "harness/telemetry/nvml/library.h"
#include "tests/fakes/nvml/calls.h"
#include "tests/fakes/nvml/entry.h"

namespace warpmark::fakes {
namespace {

template <class Of>
void run() {
  // The only one that is called before the library is started.
  Cards& cards = Of::name == std::string_view("nvmlInit_v2") ? simulated_cards() : started_cards();
  check_call(cards, Of::name);
  Of::body(cards);
}

template <class Of, class First, class... Rest>
void run(First first, Rest... rest) {
  Cards& cards = started_cards();
  if constexpr (std::is_same_v<First, nvml::Device>)
    check_call(cards, Of::name, first);
  else
    check_call(cards, Of::name);
  Of::body(cards, first, rest...);
}

template <class Of, class... Parameters>
nvml::Return exported(Parameters... parameters) {
  return enter_nvml([&] { run<Of>(parameters...); });
}

}  // namespace
}  // namespace warpmark::fakes

using namespace warpmark::fakes::calls;  // the functions themselves are C's

#define WARPMARK_EXPORT(symbol, ...)                                                                          \
  namespace {                                                                                                 \
  struct Of##symbol {                                                                                         \
    static constexpr const char* name = "nvml" #symbol;                                                       \
    static constexpr auto body = &warpmark::fakes::calls::symbol;                                             \
  };                                                                                                          \
  }                                                                                                           \
  extern "C" warpmark::nvml::Return (*resolve_nvml##symbol())(__VA_ARGS__) {                                  \
    if (warpmark::fakes::lacks_function("nvml" #symbol)) return nullptr;                                      \
    return &warpmark::fakes::exported<Of##symbol __VA_OPT__(, ) __VA_ARGS__>;                                 \
  }                                                                                                           \
  extern "C" warpmark::nvml::Return nvml##symbol(__VA_ARGS__) __attribute__((ifunc("resolve_nvml" #symbol))); \
  static_assert(std::is_same_v<decltype(&nvml##symbol), decltype(warpmark::nvml::Functions{}.symbol.call)>);
WARPMARK_NVML_FUNCTIONS(WARPMARK_EXPORT)
