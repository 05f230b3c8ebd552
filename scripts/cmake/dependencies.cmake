# Everything that is not ours, in one place. scripts/packages.txt names the same things as Debian packages.
find_package(Threads REQUIRED)
find_package(benchmark REQUIRED)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(valijson REQUIRED)
find_package(Boost REQUIRED) # headers of Boost.Math
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)

if(WARPMARK_ONEDNN)
  find_package(OpenMP REQUIRED) # the runtime that oneDNN's threads are of
  # Not find_package(dnnl): Debian's config file asks for OpenCL's headers, which nothing here includes.
  find_path(WARPMARK_DNNL_INCLUDE_DIR dnnl.h REQUIRED)
  find_library(WARPMARK_DNNL_LIBRARY dnnl REQUIRED)
  add_library(DNNL::dnnl UNKNOWN IMPORTED)
  set_target_properties(DNNL::dnnl PROPERTIES
    IMPORTED_LOCATION "${WARPMARK_DNNL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${WARPMARK_DNNL_INCLUDE_DIR}")
endif()

# NVTX is header-only and comes with the CUDA toolkit. Without it warpmark has no ranges, and `warpmark --version` says so.
find_path(WARPMARK_NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
  HINTS "$ENV{CUDA_HOME}/include" "$ENV{CUDA_PATH}/include" /usr/local/cuda/include
  DOC "Folder that holds nvtx3/nvToolsExt.h")

# Header-only, with no package file of its own.
find_path(WARPMARK_MUSTACHE_INCLUDE_DIR kainjow/mustache.hpp REQUIRED DOC "Folder that holds kainjow/mustache.hpp (libkainjow-mustache-dev)")
# Header-only in use (Debian's package has a library too, which the program would have to find where it runs).
find_path(WARPMARK_TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED DOC "Folder that holds toml++/toml.h (libtomlplusplus-dev)")
