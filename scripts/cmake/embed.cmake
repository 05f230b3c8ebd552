# warpmark_embed(<target> NAME <identifier> FILES <file>...): makes text assets part of the program, so that it needs no data folder.
# In C++: #include "embedded/<identifier>.h", then embedded::<identifier>() is a span of {name, text}, name being the file's name.
function(warpmark_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME" "FILES")
  set(folder "${PROJECT_BINARY_DIR}/generated/embedded")
  set(header "${folder}/${arg_NAME}.h")
  set(source "${folder}/${arg_NAME}.cpp")
  set(declarations "")
  set(assembly "")
  set(rows "")
  set(index 0)
  list(LENGTH arg_FILES count)
  foreach(file IN LISTS arg_FILES)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    cmake_path(GET file FILENAME name)
    set(symbol "warpmark_embedded_${arg_NAME}_${index}")
    string(APPEND assembly "asm(\".section .rodata\\n.balign 16\\n.global ${symbol}\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n.global ${symbol}_end\\n${symbol}_end:\\n.byte 0\\n.previous\");\n")
    string(APPEND declarations "extern \"C\" const char ${symbol}[];\nextern \"C\" const char ${symbol}_end[];\n")
    string(APPEND rows "      File{\"${name}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} APPEND PROPERTY OBJECT_DEPENDS "${file}")
    math(EXPR index "${index} + 1")
  endforeach()
  file(CONFIGURE OUTPUT "${header}" CONTENT [[
#pragma once
#include <span>

#include "harness/core/embedded_file.h"

namespace warpmark::embedded {
std::span<const File> @arg_NAME@();
}
]] @ONLY)
  file(CONFIGURE OUTPUT "${source}" CONTENT [[
#include "embedded/@arg_NAME@.h"

#include <array>
#include <cstddef>

@assembly@
@declarations@
namespace warpmark::embedded {
std::span<const File> @arg_NAME@() {
  static const std::array<File, @count@> files{
@rows@  };
  return files;
}
}
]] @ONLY)
  target_sources(${target} PRIVATE "${source}")
endfunction()
