#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Google Benchmark's tools/compare.py reads the report: a 10 % slower run shows as +0.1, the same run as 0, spoiled text as an error."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

WARPMARK = sys.argv.pop()
COMPARE = pathlib.Path("/usr/share/benchmark/compare.py")
FIXTURE = pathlib.Path(__file__).parent.parent / "fixtures" / "result.json"
TIMES = ("median", "min", "max", "p5", "p25", "p75", "p95", "p99")


def slower(document, factor):
    for record in document["records"]:
        for name in TIMES if record["stats"] else ():
            record["stats"][name] *= factor
    return document


def rendered(folder, name, document):
    result, report = folder / f"{name}.json", folder / f"{name}.gbench.json"
    result.write_text(json.dumps(document))
    subprocess.run([WARPMARK, "report", result, "-o", report], check=True, capture_output=True)
    return report


def compared(a, b):
    return subprocess.run([sys.executable, COMPARE, "--no-color", "benchmarks", a, b], text=True, capture_output=True)


class ComparePy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not COMPARE.exists():
            raise RuntimeError(f"{COMPARE} is missing: apt-get install libbenchmark-tools python3-scipy")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder, document = pathlib.Path(cls.folder.name), json.loads(FIXTURE.read_text())
        cls.old = rendered(folder, "old", document)
        cls.new = rendered(folder, "new", slower(document, 1.1))

    def lines(self, a, b):
        done = compared(a, b)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line for line in done.stdout.splitlines() if "footprint=memory" in line and "avx512" in line]

    def test_sees_what_is_slower(self):
        *repeats, test = self.lines(self.old, self.new)
        self.assertEqual(len(repeats), 3)
        for line in repeats:
            self.assertRegex(line, r"\+0\.1000 +\+0\.1000")
        self.assertIn("U Test, Repetitions: 3 vs 3", test)

    def test_sees_what_is_the_same(self):
        for line in self.lines(self.old, self.old)[:-1]:
            self.assertRegex(line, r"\+0\.0000 +\+0\.0000")

    def test_would_not_read_just_anything(self):
        spoiled = self.old.with_name("spoiled.json")
        spoiled.write_text(self.old.read_text()[:-10])
        self.assertNotEqual(compared(spoiled, self.new).returncode, 0)


if __name__ == "__main__":
    unittest.main()
