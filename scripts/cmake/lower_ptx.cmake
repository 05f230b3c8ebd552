# cmake -DPTX=<file> -DVERSION=<x.y> -DCAPABILITY=<nn> -DNVCC=<nvcc> -P lower_ptx.cmake: <file>.new as an older driver takes it, if ptxas agrees.
file(READ "${PTX}.new" text)
string(REGEX REPLACE "\n\\.version [0-9.]+" "\n.version ${VERSION}" text "${text}")
file(WRITE "${PTX}.lowered" "${text}")
cmake_path(GET NVCC PARENT_PATH folder)
execute_process(COMMAND "${folder}/ptxas" -arch=sm_${CAPABILITY} "${PTX}.lowered" -o "${PTX}.cubin"
  ERROR_VARIABLE printed RESULT_VARIABLE code)
file(REMOVE "${PTX}.cubin" "${PTX}.new")
if(NOT code EQUAL 0)
  message(FATAL_ERROR "PTX of ${PTX} is not valid as version ${VERSION}: ${printed}")
endif()
file(RENAME "${PTX}.lowered" "${PTX}")
