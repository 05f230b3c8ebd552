#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds one case of warpmark against a peer program, alternately, so that both see the same machine.

  scripts/perf/paired.py --case '^memory/triad/cpu:0/nt/f64/footprint=memory$' --value 'median ([0-9.e+]+) B/s' \\
      --peer 'build/peers/nontemporal_stream triad 1073741824'

Each pair runs both once, in an order that alternates. The ratio is warpmark over peer, of times (a latency, whose
unit is s) peer over warpmark: 1 is equal, more is faster.
Reached: the median ratio is at least 0.98 (or what --least says), or its 95 % interval (order statistics of the pairs) contains 1.
The peer is never built here: give a program. Exit code 0 when reached, 1 when not, 2 when something could not run.
"""
import argparse
import json
import math
import pathlib
import re
import shlex
import statistics
import subprocess
import sys

LEAST = 0.98


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", required=True, help="regular expression that one case of the suite matches")
    parser.add_argument("--peer", required=True, help="command line of the peer")
    parser.add_argument("--value", required=True, help="regular expression whose group is the peer's rate")
    parser.add_argument("--scale", type=float, default=1, help="what one of the peer's rate is in B/s, FLOP/s, OP/s or s")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--least", type=float, default=LEAST, help="the median ratio that is enough")
    parser.add_argument("--suite", default=str(pathlib.Path(__file__).with_name("paired.json")))
    parser.add_argument("--warpmark", default="build/release/bin/warpmark")
    return parser.parse_args()


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"paired.py: {shlex.join(command)} ended with {done.returncode}:\n{done.stderr or done.stdout}")
    return done.stdout


def our_rate(options):
    """Of the one case that matches, and its unit: by hand, a worker is a Google Benchmark program."""
    out = run([options.warpmark, "worker", "--suite", options.suite, "--filter", options.case, "--benchmark_format=json"])
    cases = json.loads(out[out.index("{"):])["benchmarks"]
    if len(cases) != 1:
        sys.exit(f"paired.py: {options.case} matches {len(cases)} cases, one is needed")
    if cases[0].get("error_occurred"):
        sys.exit(f"paired.py: {cases[0]['name']}: {cases[0]['error_message']}")
    return next((cases[0][unit], unit) for unit in ("B/s", "FLOP/s", "OP/s", "s") if unit in cases[0])


def ratio_of(ours, theirs, unit):
    """More than 1 where ours is better: of times that is the shorter."""
    return theirs / ours if unit == "s" else ours / theirs


def peer_rate(options):
    out = run(shlex.split(options.peer))
    found = re.search(options.value, out)
    if not found:
        sys.exit(f"paired.py: nothing in the peer's output matches {options.value}:\n{out}")
    return float(found[1]) * options.scale, out.splitlines()[0]


def median_interval(values, confidence=0.95):
    """From order statistics: [x(k), x(n+1-k)] with the largest k that still covers."""
    ordered, n = sorted(values), len(values)
    for k in range(n // 2, 0, -1):
        if 1 - 2 * sum(math.comb(n, i) for i in range(k)) / 2**n >= confidence:
            return ordered[k - 1], ordered[n - k]
    return ordered[0], ordered[-1]


def cpu_name():
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return found[1] if found else "unknown CPU"


def main():
    options = arguments()
    if options.pairs < 6:
        sys.exit("paired.py: an interval of the median needs at least 6 pairs")
    print(f"{cpu_name()}; {run([options.warpmark, '--version']).strip()}; peer: {options.peer}")
    ratios, ours, peers = [], [], []
    for pair in range(options.pairs):
        first_ours = our_rate(options) if pair % 2 == 0 else None
        theirs, version = peer_rate(options)
        mine, unit = first_ours if first_ours is not None else our_rate(options)
        ours.append(mine)
        peers.append(theirs)
        ratios.append(ratio_of(mine, theirs, unit))
        print(f"{pair + 1:3}  {mine:.4g}  {theirs:.4g}  {ratios[-1]:.4f}" + (f"  {version}" if pair == 0 else ""), flush=True)
    low, high = median_interval(ratios)
    middle = statistics.median(ratios)
    reached = middle >= options.least or low <= 1 <= high
    print(f"median {statistics.median(ours):.4g} against {statistics.median(peers):.4g}; ratio {middle:.4f}, 95 % interval "
          f"{low:.4f} to {high:.4f}, {len(ratios)} pairs: {'reached' if reached else 'NOT reached'} ({options.least} or 1 inside)")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
