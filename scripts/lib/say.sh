# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the commands in scripts/ say: progress and errors on stderr, so that stdout keeps the results.

say() {
  printf '%s\n' "$*" >&2
}

# die CODE TEXT...: ends the command; the first line says what happened, to what, and what to do next.
die() {
  local code=$1
  shift
  printf 'scripts/%s: %s\n' "${0##*/}" "$*" >&2
  exit "$code"
}
