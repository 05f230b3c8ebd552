# The CUDA toolkit: its compiler for device code, its headers for the functions that are opened at run time. Nothing of it is linked.
#
# WARPMARK_CUDA: AUTO takes a toolkit that is there, ON demands one, OFF leaves the cuda backend out.
set(WARPMARK_CUDA AUTO CACHE STRING "The cuda backend: AUTO (where there is a toolkit), ON or OFF")
set_property(CACHE WARPMARK_CUDA PROPERTY STRINGS AUTO ON OFF)
set(WARPMARK_CUDA_ARCHITECTURES "75;80;86;89;90;100;120" CACHE STRING
  "Compute capabilities to make machine code for, as far as the toolkit knows them")
set(WARPMARK_CUDA_PTX "75;80;90" CACHE STRING "Compute capabilities to embed PTX for, which drivers older than the toolkit take")

set(WARPMARK_HAS_CUDA OFF)
set(WARPMARK_CUDA_VERSION no)
set(found 0)
if(WARPMARK_CUDA)
  find_program(WARPMARK_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" /usr/local/cuda/bin DOC "NVIDIA's compiler for device code")
  find_path(WARPMARK_CUDA_INCLUDE_DIR cudaTypedefs.h
    HINTS "$ENV{CUDA_HOME}/include" "$ENV{CUDA_PATH}/include" /usr/local/cuda/include DOC "Folder that holds cuda.h and cudaTypedefs.h")
  if(WARPMARK_NVCC AND WARPMARK_CUDA_INCLUDE_DIR)
    file(STRINGS "${WARPMARK_CUDA_INCLUDE_DIR}/cuda.h" found REGEX "^#define CUDA_VERSION ")
    string(REGEX MATCH "[0-9]+" found "${found}")
  endif()
  if(found GREATER_EQUAL 12000)
    set(WARPMARK_HAS_CUDA ON)
  elseif(NOT WARPMARK_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "WARPMARK_CUDA is ${WARPMARK_CUDA}, and there is no CUDA toolkit 12.0 or later: install nvcc and cuda.h, or name them by WARPMARK_NVCC and WARPMARK_CUDA_INCLUDE_DIR")
  endif()
endif()
if(NOT WARPMARK_HAS_CUDA)
  message(STATUS "No CUDA toolkit 12.0 or later (found: ${found}): the cuda backend is left out (WARPMARK_CUDA=${WARPMARK_CUDA})")
  return()
endif()

execute_process(COMMAND "${WARPMARK_NVCC}" --list-gpu-arch OUTPUT_VARIABLE known OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[0-9]+" known "${known}")
set(WARPMARK_CUDA_TARGETS "")
foreach(capability IN LISTS WARPMARK_CUDA_ARCHITECTURES)
  if(capability IN_LIST known)
    list(APPEND WARPMARK_CUDA_TARGETS ${capability})
  endif()
endforeach()
math(EXPR major "${found} / 1000")
math(EXPR minor "${found} % 1000 / 10")
set(WARPMARK_CUDA_VERSION "${major}.${minor}")
string(REPLACE ";" " " targets "${WARPMARK_CUDA_TARGETS}")
message(STATUS "CUDA ${WARPMARK_CUDA_VERSION}: machine code for ${targets}")

# cuDNN comes apart from the toolkit; version 8 has another interface.
set(WARPMARK_HAS_CUDNN OFF)
set(cudnn "")
if(EXISTS "${WARPMARK_CUDA_INCLUDE_DIR}/cudnn_version.h")
  file(STRINGS "${WARPMARK_CUDA_INCLUDE_DIR}/cudnn_version.h" cudnn REGEX "^#define CUDNN_MAJOR ")
endif()
if(cudnn MATCHES "CUDNN_MAJOR 9")
  set(WARPMARK_HAS_CUDNN ON)
else()
  message(STATUS "No headers of cuDNN 9 in ${WARPMARK_CUDA_INCLUDE_DIR}: convolution is left out of the cuda backend")
endif()

# warpmark_device_code(<target> <file.cu> [ONLY_FOR <capability>]): compiles the kernels of one file and makes them part of the target. In C++:
# #include "embedded/<file>_code.h", then DeviceCode(embedded::<file>_code()).
# The PTX is brought down to the version that the oldest driver takes (R525: 8.0), and ptxas proves that it is valid there. What that
# version does not have a file may leave out where WARPMARK_PTX_FOR_OLD_DRIVERS is defined.
# ONLY_FOR: what one chip alone can do, such as 90a, whatever the build was told to make code for.
function(warpmark_device_code target source)
  cmake_parse_arguments(PARSE_ARGV 2 code "" "ONLY_FOR" "")
  set(targets ${WARPMARK_CUDA_TARGETS})
  set(ptx_targets ${WARPMARK_CUDA_PTX})
  if(code_ONLY_FOR)
    set(targets ${code_ONLY_FOR})
    set(ptx_targets ${code_ONLY_FOR})
  endif()
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  cmake_path(GET source STEM stem)
  set(folder "${PROJECT_BINARY_DIR}/device_code")
  file(MAKE_DIRECTORY "${folder}")
  set(flags -std=c++20 -O3 "-I${PROJECT_SOURCE_DIR}" --expt-relaxed-constexpr -Werror=all-warnings)
  set(codes "")
  foreach(capability IN LISTS targets)
    list(APPEND codes -gencode "arch=compute_${capability},code=sm_${capability}")
  endforeach()
  set(fatbin "${folder}/${stem}.fatbin")
  add_custom_command(OUTPUT "${fatbin}" DEPENDS "${source}" DEPFILE "${fatbin}.d" VERBATIM
    COMMENT "Compiling ${stem}.cu for the GPU"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${folder}/${stem}.ptxas.txt" -P "${PROJECT_SOURCE_DIR}/scripts/cmake/keep_output.cmake" --
      "${WARPMARK_NVCC}" ${flags} -fatbin -Xptxas -v ${codes} -MD -MF "${fatbin}.d" "${source}" -o "${fatbin}")
  set(images "${fatbin}")
  foreach(capability IN LISTS ptx_targets)
    set(ptx "${folder}/${stem}.${capability}.ptx")
    add_custom_command(OUTPUT "${ptx}" DEPENDS "${fatbin}" "${PROJECT_SOURCE_DIR}/scripts/cmake/lower_ptx.cmake" VERBATIM
      COMMENT "Compiling ${stem}.cu to PTX for ${capability}"
      COMMAND "${WARPMARK_NVCC}" ${flags} -DWARPMARK_PTX_FOR_OLD_DRIVERS -ptx -arch=compute_${capability} "${source}" -o "${ptx}.new"
      COMMAND "${CMAKE_COMMAND}" "-DPTX=${ptx}" -DVERSION=8.0 -DCAPABILITY=${capability} "-DNVCC=${WARPMARK_NVCC}"
        -P "${PROJECT_SOURCE_DIR}/scripts/cmake/lower_ptx.cmake")
    list(APPEND images "${ptx}")
  endforeach()
  warpmark_embed(${target} NAME ${stem}_code FILES ${images})
endfunction()
