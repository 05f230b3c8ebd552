# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Runs the fuzzers of tests/fuzz that the preset fuzz has built.

# run_fuzzers SECONDS: each for so long, one after the other, until one finds something.
run_fuzzers() {
  local seconds=$1 program
  for program in build/fuzz/bin/*_fuzzer; do
    run_fuzzer "$program" "$seconds" || return 1
  done
}

# run_fuzzer PROGRAM SECONDS: begins with what it learned before, its seeds and what was found once.
run_fuzzer() {
  local program=$1 seconds=$2 kind folder=$PWD/build/fuzz inputs code=0
  kind=${program##*/} kind=${kind%_fuzzer}
  mkdir -p "$folder/corpus/$kind" "$folder/findings"
  inputs=("$folder/corpus/$kind" "$folder/tests/fuzz/seeds/$kind")
  [[ -d tests/fuzz/regressions/$kind ]] && inputs+=("tests/fuzz/regressions/$kind")
  # Files longer than that only take longer. One that takes 25 s, or a GiB, is a finding.
  "$program" -max_total_time="$seconds" -max_len=32768 -timeout=25 -rss_limit_mb=1024 \
    -dict="$folder/tests/fuzz/seeds/$kind.dict" -artifact_prefix="$folder/findings/$kind-" -print_final_stats=1 \
    "${inputs[@]}" >"$folder/$kind.log" 2>&1 || code=$?
  if ((code)); then
    sed -n '/^terminate\|^==[0-9]*==\|^ *#[0-9]* 0x\|runtime error\|what():\|Test unit written/p' "$folder/$kind.log" >&2
    say "the fuzzer of ${kind} files found something ($folder/$kind.log). Again, on the file it wrote: $program FILE
smaller: $program -minimize_crash=1 -runs=10000 FILE; once it is mended, FILE belongs in tests/fuzz/regressions/$kind"
    return 1
  fi
  sed -n "s/^#\([0-9]*\).*DONE *\(cov.*\) lim.*/$kind: \1 runs, \2/p" "$folder/$kind.log" >&2
}
