# SPDX-License-Identifier: Apache-2.0
"""A GPU that goes wrong while it is measured: the right status for the case that it hit, and the others measured."""
import unittest

from simulated_case import SANITIZERS, SimulatedCase, scenario_of

TRIAD, COPY = "memory_triad_f32_plain", "memory_copy_f32_plain"


class Faults(SimulatedCase):
    def statuses(self, scenario, *words, code):
        document = self.measure(scenario, *words, "--repeats", 1, code=code)
        self.records = {r["benchmark"]: r for r in document["records"]}
        return {name: r["status"] for name, r in self.records.items()}

    def test_nothing_goes_wrong_by_itself(self):
        self.assertEqual(set(self.statuses(scenario_of("h200"), code=0).values()), {"ok"})

    def test_a_wrong_result_fails_its_case_alone(self):
        scenario = scenario_of("h200", faults=[{"kernel": TRIAD, "spoil": True}])
        statuses = self.statuses(scenario, code=4)
        self.assertEqual(statuses, {"memory/read": "ok", "memory/copy": "ok", "memory/triad": "failed"})
        self.assertIn("wrong result", self.records["memory/triad"]["why"])

    def test_an_error_that_lasts_costs_one_case(self):
        for code in (700, 719):
            with self.subTest(code):
                scenario = scenario_of("h200", faults=[{"kernel": COPY, "nth": 4, "code": code}])
                statuses = self.statuses(scenario, code=4)
                self.assertEqual(statuses, {"memory/read": "ok", "memory/copy": "failed", "memory/triad": "ok"})
                self.assertIn(f" {code})", self.records["memory/copy"]["why"])

    def test_a_kernel_that_never_ends_is_a_timeout(self):
        scenario = scenario_of("h200", faults=[{"kernel": TRIAD, "nth": 3, "hang": True}])
        statuses = self.statuses(scenario, "--case-timeout", 20, code=4)
        self.assertEqual(statuses, {"memory/read": "ok", "memory/copy": "ok", "memory/triad": "timeout"})

    def test_memory_that_is_taken_skips_and_says_how_much_there_is(self):
        scenario = scenario_of("h200", device={"memory_free_bytes": 20_000_000})
        statuses = self.statuses(scenario, code=0)
        self.assertEqual(set(statuses.values()), {"skipped"})
        self.assertRegex(self.records["memory/triad"]["why"], r"^needs .* more memory on cuda:0, .* is free$")

    def test_a_call_that_fails_once_fails_its_case(self):
        scenario = scenario_of("h200", faults=[{"call": "cuEventRecord", "nth": 1, "code": 304}])
        statuses = self.statuses(scenario, code=4)
        self.assertEqual(sorted(statuses.values()), ["failed", "ok", "ok"])

    @unittest.skipUnless("address" in SANITIZERS, "this build has no LeakSanitizer")
    def test_device_memory_that_is_not_freed_is_found(self):
        scenario = scenario_of("h200", faults=[{"call": "cuMemFree", "nth": 1, "code": 1}])
        with self.assertRaisesRegex(AssertionError, "LeakSanitizer: detected memory leaks"):
            self.statuses(scenario, code=0)


if __name__ == "__main__":
    unittest.main()
