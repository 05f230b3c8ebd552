// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/isa.h"

namespace warpmark::cpu {

std::string_view name_of(Isa isa) {
  switch (isa) {
    case Isa::avx2: return "avx2";
    case Isa::avx512: return "avx512";
    case Isa::baseline: break;
  }
#if defined(__x86_64__)
  return "x86-64-v2";
#else
  return "baseline";
#endif
}

bool supported(Isa isa) {
#if defined(__x86_64__)
  switch (isa) {
    case Isa::baseline: return true;
    case Isa::avx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case Isa::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  }
#endif
  return isa == Isa::baseline;
}

}  // namespace warpmark::cpu
