# The portable build: one archive that runs where nothing can be installed. Beside the program lies every library that it links, but for
# glibc, libstdc++ and libgcc_s, which every machine has: cpack of the preset `portable` makes it.
option(WARPMARK_PORTABLE "Install libraries beside the program, and the contract suite" OFF)

# warpmark_portable(<target>...): the programs of the archive, and their libraries.
function(warpmark_portable)
  if(NOT WARPMARK_PORTABLE)
    return()
  endif()
  install(TARGETS ${ARGN} RUNTIME_DEPENDENCIES
      PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|gcc_s)\\.so" "^libstdc\\+\\+\\.so"
      POST_EXCLUDE_REGEXES "/ld-linux[^/]*$" "/lib(c|m|dl|rt|pthread|gcc_s)\\.so[^/]*$" "/libstdc\\+\\+\\.so[^/]*$"
    RUNTIME DESTINATION bin COMPONENT portable
    LIBRARY DESTINATION lib COMPONENT portable)
  install(PROGRAMS "${PROJECT_SOURCE_DIR}/scripts/gpu-check" DESTINATION . COMPONENT portable)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION . COMPONENT portable)
endfunction()

if(NOT WARPMARK_PORTABLE)
  return()
endif()
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
# The older kind of path serves what a library beside the program needs itself, too.
add_link_options(-Wl,--disable-new-dtags)
set(CPACK_GENERATOR TXZ)
set(CPACK_PACKAGE_FILE_NAME "warpmark-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}")
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_COMPONENTS_ALL portable)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
include(CPack)
