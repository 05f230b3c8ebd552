// SPDX-License-Identifier: Apache-2.0
// What the cells that call oneDNN share: its threads, its version for a record, its errors as ours.
#pragma once

#include <omp.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>

#include "harness/core/error.h"

namespace warpmark::cpu {

[[nodiscard]] inline std::string onednn_version() {
  const dnnl_version_t* const v = dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

/// OpenMP counts the CPUs when it is loaded, hardware threads of one core and what a quota forbids included.
inline void use_onednn_threads(std::size_t count) {
  if (std::getenv("OMP_NUM_THREADS") == nullptr) omp_set_num_threads(static_cast<int>(count));
}

[[nodiscard]] inline nlohmann::json about_onednn(const std::string& implementation) {
  return {{"library", "oneDNN " + onednn_version()},
          {"implementation", implementation},
          {"threads", omp_get_max_threads()}};
}

/// What `make` returns. Throws Unsupported for what the library does not have, "such a product", else Error.
template <class Make>
[[nodiscard]] auto by_onednn(const std::string& what, const Make& make) {
  try {
    return make();
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_unimplemented)
      throw Unsupported("oneDNN " + onednn_version() + " has no such " + what + " on this CPU: " + error.what());
    throw Error(std::string("oneDNN: ") + error.what());
  }
}

/// The library emulates bf16 where the CPU has no instructions for it; the product of f32 under another name is no
/// answer.
inline constexpr const char* lacks_bf16_instructions = "this CPU has no bf16 instructions (avx512_bf16 or amx_bf16)";

}  // namespace warpmark::cpu
