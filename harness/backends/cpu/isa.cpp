// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cpu/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace warpmark::cpu {
#if defined(__x86_64__)
namespace {

/// Leaf 7 of cpuid, by sub-leaf (Intel SDM volume 2, CPUID).
struct Leaf7 {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  explicit Leaf7(unsigned subleaf) { (void)__get_cpuid_count(7, subleaf, &eax, &ebx, &ecx, &edx); }
};

bool bit(unsigned word, unsigned index) { return ((word >> index) & 1U) != 0; }

/// Leaf 1 of cpuid; not every compiler's __builtin_cpu_supports knows it.
bool has_f16c() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && bit(ecx, 29);
}

/// Whether the kernel lets programs use tiles: ARCH_REQ_XCOMP_PERM for state component 18 (Linux, x86/xstate).
bool tiles_permitted() {
  constexpr long request_permission = 0x1023;
  constexpr unsigned long tile_data = 18;
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

}  // namespace
#endif

std::string_view name_of(Isa isa) {
  switch (isa) {
    case Isa::avx2: return "avx2";
    case Isa::avx512: return "avx512";
    case Isa::avx512_bf16: return "avx512_bf16";
    case Isa::avx512_fp16: return "avx512_fp16";
    case Isa::avx512_vnni: return "avx512_vnni";
    case Isa::avx_vnni: return "avx_vnni";
    case Isa::amx_bf16: return "amx_bf16";
    case Isa::amx_int8: return "amx_int8";
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
    case Isa::avx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
    case Isa::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    case Isa::avx512_bf16: return supported(Isa::avx512) && bit(Leaf7(1).eax, 5);
    case Isa::avx512_fp16: return supported(Isa::avx512) && bit(Leaf7(0).edx, 23);
    case Isa::avx512_vnni: return supported(Isa::avx512) && bit(Leaf7(0).ecx, 11);
    case Isa::avx_vnni: return supported(Isa::avx2) && bit(Leaf7(1).eax, 4);
    // Their loops use vectors beside the tiles.
    case Isa::amx_bf16: return supported(Isa::avx512) && bit(Leaf7(0).edx, 22) && tiles_permitted();
    case Isa::amx_int8: return supported(Isa::avx512) && bit(Leaf7(0).edx, 25) && tiles_permitted();
  }
#endif
  return isa == Isa::baseline;
}

}  // namespace warpmark::cpu
