#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the harness itself costs in a run: wall time outside set-up, warm-up, sampling and verification.

  scripts/perf/harness_cost.py RESULT.json

Prints the seconds of each part over all records, what is left of the run's wall time, and its share. The run's ends
are known to the second. Exit code 0 when the rest is under 10 %, 1 when not, 2 when the document does not tell.
"""
import datetime
import json
import sys

MOST = 0.10
PARTS = ("setup_seconds", "warmup_seconds", "sampling_seconds", "verification_seconds")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    run, records = document["run"], document["records"]
    if not all(part in record for record in records for part in PARTS):
        print(f"harness_cost.py: {sys.argv[1]} is from a version that did not write {', '.join(PARTS[1:])}; measure again")
        return 2
    start, end = (datetime.datetime.fromisoformat(run[key].replace("Z", "+00:00")) for key in ("started_at", "ended_at"))
    wall = (end - start).total_seconds()
    if wall <= 0:
        print(f"harness_cost.py: the run of {sys.argv[1]} has no length")
        return 2
    spent = {part: sum(record[part] or 0 for record in records) for part in PARTS}
    for part, seconds in spent.items():
        print(f"{part.removesuffix('_seconds'):13} {seconds:8.1f} s  {seconds / wall:6.1%}")
    rest = wall - sum(spent.values())
    reached = rest / wall < MOST
    print(f"{'harness':13} {rest:8.1f} s  {rest / wall:6.1%} of {wall:.0f} s, {len(records)} records: "
          f"{'reached' if reached else 'NOT reached'} (under {MOST:.0%})")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
