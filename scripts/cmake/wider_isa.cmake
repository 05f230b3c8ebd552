# warpmark_wider_isa(<target> <baseline|avx2|avx512|avx512_bf16|avx512_fp16|avx512_vnni|amx> <source>...): compiles loops for one instruction set (harness/backends/cpu/isa.h).
# -ffp-contract=fast makes multiply-adds of a * b + c; -O3 although the build type may be lower: an unoptimised loop measures the compiler.
function(warpmark_wider_isa target isa)
  set(flags_baseline "")
  set(flags_avx2 -mavx2 -mfma -mf16c)
  set(flags_avx512 -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)
  set(flags_avx512_bf16 ${flags_avx512} -mavx512bf16)
  set(flags_avx512_fp16 ${flags_avx512} -mavx512fp16)
  set(flags_avx512_vnni ${flags_avx512} -mavx512vnni)
  set(flags_amx ${flags_avx512} -mamx-tile -mamx-bf16 -mamx-int8)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS -O3 -ffp-contract=fast ${flags_${isa}})
endfunction()
