# warpmark_simulated_test(<name> <sources>... MACHINE <machine> [LIBRARIES <target>...]): a test program that opens the simulated driver as
# users' programs open NVIDIA's, on machines/<machine>.json.
function(warpmark_simulated_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MACHINE" "LIBRARIES")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} warpmark_harness GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE WARPMARK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_dependencies(${name} warpmark_libcuda warpmark_libnvml)
  warpmark_discover_simulated(${name} ${arg_MACHINE})
endfunction()

# The same program may be run on several machines.
function(warpmark_discover_simulated name machine)
  set(scenario "${PROJECT_SOURCE_DIR}/tests/fakes/machines/${machine}.json")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${machine}." TEST_LIST ${name}_${machine}
    PROPERTIES TIMEOUT 300 LABELS fakes
    ENVIRONMENT "SIMULATED_MACHINE=${scenario}" ENVIRONMENT_MODIFICATION "LD_LIBRARY_PATH=path_list_prepend:${PROJECT_BINARY_DIR}/fakes")
endfunction()
