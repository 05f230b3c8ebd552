# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Configures and builds a preset; does neither where nothing changed.

# configure PRESET: ninja itself sees changed CMakeLists.txt; changed presets and a moved tree are ours to see.
configure() {
  local preset=$1 folder="build/$1" fresh=()
  local stamp="$folder/.configured"
  [[ -e $folder/build.ninja && $stamp -nt CMakePresets.json && $(cat "$stamp") == "$PWD" ]] && return 0
  [[ -e $folder/CMakeCache.txt && $(cat "$stamp" 2>/dev/null) != "$PWD" ]] && fresh=(--fresh)
  cmake "${fresh[@]}" --preset "$preset" && printf '%s' "$PWD" >"$stamp"
}

# build PRESET: fails where configuring or building fails.
build() {
  configure "$1" && cmake --build --preset "$1"
}
