# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The steps of scripts/test, one function each, and what runs them. `pattern` (option -k) narrows the tests of ctest.

pattern=''
steps=(format lint shell build unit tidy fuzz)
# Each sanitizer is one more build of everything: with them, and with tidy over the tests, CI would not end within its hour.
long_steps=(tidy_tests asan tsan fuzz_long long)
jobs=$(nproc)

# sources PATTERN...: our files with such names.
sources() {
  local names=()
  for one in "$@"; do names+=(-o -name "$one"); done
  find bench harness kernels reports scripts tests \( "${names[@]:1}" \) -type f | sort
}

step_format() {
  sources '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -r clang-format --dry-run -Werror && return 0
  say "to repair: find bench harness kernels reports scripts tests -regex '.*\.\(h\|cpp\|cu\|cuh\)' | xargs clang-format -i"
  return 1
}

step_lint() {
  local lint code=0
  for lint in layers names parts sizes words; do
    python3 -B "scripts/lint/$lint.py" || code=1
  done
  return "$code"
}

step_shell() {
  grep -rlIE '^#!(/usr/bin/env bash|/bin/(ba)?sh)' .ci scripts tests |
    xargs shellcheck --external-sources --check-sourced # which brings scripts/lib in, too
}

step_build() {
  build ci
}

# run_ctest PRESET OPTION...
run_ctest() {
  local preset=$1 by=()
  shift
  # g++ 12's ThreadSanitizer cannot start where the kernel places memory too freely (vm.mmap_rnd_bits above 28).
  [[ $preset == tsan ]] && by=(setarch --addr-no-randomize)
  "${by[@]}" ctest --preset "$preset" --parallel "$jobs" "$@" ${pattern:+-R "$pattern"}
}

step_unit() {
  build ci && run_ctest ci -LE '^long$'
}

step_tidy() {
  build ci && python3 -B scripts/ci/tidy.py build/ci '^(?!.*/tests/)'
}

step_tidy_tests() {
  build ci && python3 -B scripts/ci/tidy.py build/ci '/tests/'
}

step_fuzz() {
  build fuzz && run_fuzzers 20
}

step_fuzz_long() {
  build fuzz && run_fuzzers 600
}

# No sanitizer finds anything in what looks at text, runs scripts or takes a bare machine.
step_asan() {
  build asan && run_ctest asan -LE '^(long|lint|scripts)$'
}

step_tsan() {
  build tsan && run_ctest tsan -LE '^(long|lint|scripts)$'
}

step_long() {
  build ci && run_ctest ci -L '^long$'
}

# run_steps STEP...: announces each, ends at the first that fails, and prints a table of what they took.
run_steps() {
  local step table='' started code=0
  for step in "$@"; do
    say "==> $step"
    started=$SECONDS
    "step_$step" || code=$?
    table+=$(printf '%-10s %5d s  %s' "$step" $((SECONDS - started)) "$( ((code)) && echo failed || echo passed)")$'\n'
    ((code)) && break
  done
  printf '\n%s' "$table" >&2
  ((code)) && die 1 "step '$step' failed. Rerun only it: ./scripts/test --only $step"
  say "every step passed"
}
