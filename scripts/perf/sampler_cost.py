#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What sampling costs the numbers: one case with the sampler beside it and without, alternately, and the sampler's own CPU time.

  scripts/perf/sampler_cost.py --case '^memory/triad/cpu:0/nt/f64/footprint=memory$'

Each pair measures once with `warpmark sampler` running and once without, in an order that alternates. The ratio is with
over without: 1 costs nothing. Reached: the median ratio is at least 0.995, or its 95 % interval contains 1; and the sampler of a
whole run took less than 0.5 % of the time of all CPUs. Exit code 0 when reached, 1 when not, 2 when something could not run.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import paired

LEAST = 0.995
MOST_SHARE = 0.005


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", default="^memory/triad/cpu:0/nt/f64/footprint=memory$",
                        help="regular expression that one case of the suite matches")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--suite", default=str(pathlib.Path(__file__).with_name("paired.json")))
    parser.add_argument("--warpmark", default="build/release/bin/warpmark")
    return parser.parse_args()


def sampled_rate(options):
    sampler = subprocess.Popen([options.warpmark, "sampler"], stdout=subprocess.PIPE, text=True)
    try:
        if not sampler.stdout.readline():  # from the first line on it samples
            sys.exit("sampler_cost.py: the sampler said nothing")
        return paired.our_rate(options)
    finally:
        sampler.kill()
        sampler.wait()


def share_of_a_run(options):
    """The CPU time of the sampler over the time of all CPUs while it sampled, of one run."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "result.json"
        paired.run([options.warpmark, "run", "--device", "cpu:0", "--suite", "quick", "--repeats", "1", "--out", str(out)])
        used = json.loads(out.read_text())["run"]["sampler"]
    return used["cpu_seconds"] / (used["seconds"] * os.cpu_count()), used


def main():
    options = arguments()
    if options.pairs < 6:
        sys.exit("sampler_cost.py: an interval of the median needs at least 6 pairs")
    print(f"{paired.cpu_name()}; {paired.run([options.warpmark, '--version']).strip()}")
    share, used = share_of_a_run(options)
    print(f"of a run: {used['cpu_seconds']:.3f} s of CPU time in {used['seconds']:.1f} s on {os.cpu_count()} CPUs: {100 * share:.3f} %")
    ratios = []
    for pair in range(options.pairs):
        with_first = sampled_rate(options) if pair % 2 == 0 else None
        without = paired.our_rate(options)
        sampled = with_first if with_first is not None else sampled_rate(options)
        ratios.append(sampled / without)
        print(f"{pair + 1:3}  {sampled:.4g}  {without:.4g}  {ratios[-1]:.4f}", flush=True)
    low, high = paired.median_interval(ratios)
    middle = statistics.median(ratios)
    reached = (middle >= LEAST or low <= 1 <= high) and share < MOST_SHARE
    print(f"ratio {middle:.4f}, 95 % interval {low:.4f} to {high:.4f}, {len(ratios)} pairs; {100 * share:.3f} % of the CPUs: "
          f"{'reached' if reached else 'NOT reached'} ({LEAST} or 1 inside; less than {100 * MOST_SHARE} %)")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
