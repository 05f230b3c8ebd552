# warpmark_documentation(<target>): the man page and the completions, printed by the program itself after it is built, and installed where
# man and the shells look for them.
function(warpmark_documentation target)
  if(CMAKE_CROSSCOMPILING) # the program does not run here
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/share")
  set(pages
    "man|man/man1/warpmark.1"
    "completion bash|bash-completion/completions/warpmark"
    "completion zsh|zsh/site-functions/_warpmark"
    "completion fish|fish/vendor_completions.d/warpmark.fish")
  set(outputs "")
  foreach(page IN LISTS pages)
    string(REGEX MATCH "^(.*)\\|(.*)$" _ "${page}")
    set(words "${CMAKE_MATCH_1}")
    set(output "${folder}/${CMAKE_MATCH_2}")
    cmake_path(GET CMAKE_MATCH_2 PARENT_PATH place)
    add_custom_command(OUTPUT "${output}" DEPENDS ${target} "${PROJECT_SOURCE_DIR}/scripts/cmake/print_to_file.cmake" VERBATIM
      COMMENT "Printing ${CMAKE_MATCH_2}"
      COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DWORDS=${words}" "-DOUTPUT=${output}"
        -P "${PROJECT_SOURCE_DIR}/scripts/cmake/print_to_file.cmake")
    install(FILES "${output}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${place}" COMPONENT tool)
    list(APPEND outputs "${output}")
  endforeach()
  add_custom_target(${target}_documentation ALL DEPENDS ${outputs})
endfunction()
