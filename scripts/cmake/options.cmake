# Rebuilds across presets and checkouts are mostly the same files again.
find_program(WARPMARK_CCACHE ccache DOC "Compiler cache; used when it is there")
if(WARPMARK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${WARPMARK_CCACHE}")
endif()

# warpmark_options carries what every target of ours is compiled with; nothing is set globally.
add_library(warpmark_options INTERFACE)
target_compile_features(warpmark_options INTERFACE cxx_std_20)
target_include_directories(warpmark_options INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
target_compile_options(warpmark_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast>
  $<$<BOOL:${WARPMARK_WERROR}>:-Werror>)
# At -O3, g++ 12 sees overlapping copies in std::string::replace and operator+ that there are not (GCC bug 105651, mended
# in 13): 70 lines of warnings to whoever builds a release.
target_compile_options(warpmark_options INTERFACE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>,$<CONFIG:Release>>:-Wno-restrict>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(warpmark_options INTERFACE -march=x86-64-v2) # wider kernels are files of their own
endif()
if(WARPMARK_SANITIZE)
  # g++ sees uninitialised members in instrumented <regex>, as its manual says of -fsanitize.
  target_compile_options(warpmark_options INTERFACE -fsanitize=${WARPMARK_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(warpmark_options INTERFACE -fsanitize=${WARPMARK_SANITIZE})
endif()
