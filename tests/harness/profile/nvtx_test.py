# SPDX-License-Identifier: Apache-2.0
"""The NVTX ranges of a worker, as an injection library sees them: suite > benchmark > case > phase."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

WARPMARK = os.environ["TEST_WARPMARK"]
INJECTION = os.environ["TEST_INJECTION"]
PHASES = ["setup", "verify", "warm-up", "timed", "verify"]
PROTOCOL = {"min_samples": 6, "max_samples": 6, "min_seconds": 0, "max_seconds": 1, "interval": 1,
            "min_warmup_seconds": 0, "max_warmup_seconds": 0.1, "batch_seconds": 0.0001}
SUITE = {"schema": "warpmark.suite/1", "name": "ranges of a test", "repeats": 1, "protocol": PROTOCOL,
         "select": [{"benchmarks": "^memory/triad$", "dtypes": ["f64"], "variants": ["plain"], "axes": {"footprint": [16384, 65536]}},
                    {"benchmarks": "^gemm/square$", "variants": ["blocked"], "modes": ["batch"], "axes": {"n": [64]}}]}
IDS = {"memory/triad": ["memory/triad/cpu:0/plain/f64/footprint=16384", "memory/triad/cpu:0/plain/f64/footprint=65536"],
       "gemm/square": ["gemm/square/cpu:0/blocked/f32/n=64/mode=batch"]}


def run_worker(inject, folder):
    """The lines that the injection library wrote; None where it wrote no file."""
    suite, log = folder / "suite.json", folder / "log.txt"
    suite.write_text(json.dumps(SUITE))
    environment = {**os.environ, "TEST_NVTX_LOG": str(log), "XDG_CONFIG_HOME": str(folder)}
    environment.pop("NVTX_INJECTION64_PATH", None)
    if inject:
        environment["NVTX_INJECTION64_PATH"] = INJECTION
    done = subprocess.run([WARPMARK, "worker", "--suite", str(suite)], cwd=folder, env=environment, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.split("\t") for line in log.read_text().splitlines()] if log.exists() else None


def tree_of(events):
    """Ranges as [name, ranges within]; fails for a pop without a push and for a push that is never popped."""
    root = ["", []]
    path = [root]
    for _, event, domain, *rest in events:
        assert domain == "warpmark", f"a range in domain {domain}"
        if event == "push":
            kind, name = rest
            assert kind == "registered", f"{name} is no registered string"
            path[-1][1].append([name, []])
            path.append(path[-1][1][-1])
        elif event == "pop":
            assert len(path) > 1, "a pop too many"
            path.pop()
    assert len(path) == 1, f"{path[-1][0]} is never popped"
    return root[1]


class Ranges(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.events = run_worker(True, pathlib.Path(folder))

    def test_nest_suite_benchmark_case_and_phase(self):
        (suite, benchmarks), = tree_of(self.events)
        self.assertEqual(suite, SUITE["name"])
        found = {}
        for benchmark, cases in benchmarks:
            for case, phases in cases:
                found.setdefault(benchmark, []).append(case)
                self.assertEqual([name for name, _ in phases], PHASES, case)
                self.assertEqual([within for _, within in phases], [[]] * len(PHASES), case)
        self.assertEqual({benchmark: sorted(cases) for benchmark, cases in found.items()}, IDS)

    def test_are_on_one_thread(self):
        self.assertEqual(len({tid for tid, event, *_ in self.events if event in ("push", "pop")}), 1)

    def test_register_every_string_once(self):
        names = [rest[0] for _, event, _, *rest in self.events if event == "register"]
        self.assertEqual(len(names), len(set(names)))
        self.assertLess(set(PHASES), set(names))

    def test_are_not_seen_without_an_injection(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(run_worker(False, pathlib.Path(folder)))


class TheCheckItself(unittest.TestCase):
    PUSH, POP = ["1", "push", "warpmark", "registered", "a"], ["1", "pop", "warpmark"]

    def test_takes_what_is_balanced(self):
        self.assertEqual(tree_of([self.PUSH, self.PUSH, self.POP, self.POP]), [["a", [["a", []]]]])

    def test_finds_what_is_not(self):
        for events in ([self.PUSH], [self.PUSH, self.POP, self.POP], [["1", "push", "warpmark", "other", "a"], self.POP],
                       [["1", "push", "", "registered", "a"], self.POP]):
            with self.assertRaises(AssertionError):
                tree_of(events)


if __name__ == "__main__":
    unittest.main()
