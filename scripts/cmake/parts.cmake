# warpmark_kernel(<source> [<BASELINE|AVX2|AVX512|AVX512_BF16|AVX512_FP16|AVX512_VNNI|AMX> <file>...]... [LIBRARIES <target>...]): one kernel, and its loops by
# instruction set. Loops wider than the baseline are left out on other architectures than x86-64.
add_library(warpmark_kernels OBJECT)
target_link_libraries(warpmark_kernels PUBLIC warpmark_options warpmark_harness)
function(warpmark_kernel source)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "BASELINE;AVX2;AVX512;AVX512_BF16;AVX512_FP16;AVX512_VNNI;AMX;LIBRARIES")
  target_sources(warpmark_kernels PRIVATE ${source} ${arg_BASELINE})
  warpmark_wider_isa(warpmark_kernels baseline ${arg_BASELINE})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    foreach(isa avx2 avx512 avx512_bf16 avx512_fp16 avx512_vnni amx)
      string(TOUPPER ${isa} files)
      target_sources(warpmark_kernels PRIVATE ${arg_${files}})
      warpmark_wider_isa(warpmark_kernels ${isa} ${arg_${files}})
    endforeach()
  endif()
  target_link_libraries(warpmark_kernels PUBLIC ${arg_LIBRARIES})
endfunction()

# warpmark_benchmark(<source>): one benchmark.
add_library(warpmark_benchmarks OBJECT)
target_link_libraries(warpmark_benchmarks PUBLIC warpmark_options warpmark_harness)
function(warpmark_benchmark source)
  target_sources(warpmark_benchmarks PRIVATE ${source})
endfunction()
