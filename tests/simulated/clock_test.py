# SPDX-License-Identifier: Apache-2.0
"""Runs whose workers go by the simulated machine's time: what they say of time is as exact as what they say of the card."""
import unittest

from simulated_case import SimulatedCase, scenario_of

PARTS = ("setup_seconds", "warmup_seconds", "sampling_seconds", "verification_seconds")
WARMUP_SECONDS = 0.5  # of suites/clock.json
WINDOW_SECONDS = 0.02  # more than what is launched there between two looks at the clock
# Of few SMs: what one launch has to do goes by them, and the CPU does it all.
CARD = {"sms": 24}


class Clock(SimulatedCase):
    def run_clocked(self, scenario, *words, code=0):
        return self.measure(scenario, "--seed", 1, *words, suite="clock", code=code)

    def test_figures_are_the_cards_and_times_are_the_machines(self):
        scenario = scenario_of("h200", device=CARD)
        self.simulate_clock()
        records = self.run_clocked(scenario)["records"]
        self.assertEqual(len(records), 4)
        for record in records:
            with self.subTest(record["id"], repeat=record["repeat"]):
                self.assertEqual(record["status"], "ok", record["why"])
                truth = scenario["devices"][0]["memory_bandwidth"]
                self.assertAlmostEqual(record["metrics"][0]["value"] / truth, 1, delta=0.005)
                samples = record["samples"]
                sampled = sum(samples["seconds"]) * samples["batch"]
                self.assertTrue(sampled <= record["sampling_seconds"] <= 1.05 * sampled,
                                f"{record['sampling_seconds']} s for samples of {sampled} s")
                self.assertTrue(WARMUP_SECONDS <= record["warmup_seconds"] <= WARMUP_SECONDS + WINDOW_SECONDS,
                                record["warmup_seconds"])
        spent = sum(record[part] for record in records for part in PARTS)
        self.assertTrue(spent <= self.machine_seconds() <= 1.01 * spent, f"{spent} of {self.machine_seconds()} s")

    def test_the_same_run_takes_the_same_time_to_the_nanosecond(self):
        def times():
            records = self.run_clocked(scenario_of("h200", device=CARD))["records"]
            return [(r["id"], r["repeat"], r["samples"]["at"], [r[part] for part in PARTS]) for r in records]

        self.simulate_clock()
        first, ended = times(), self.machine_seconds()
        self.simulate_clock()
        self.assertEqual(times(), first)
        self.assertEqual(self.machine_seconds(), ended)
        self.clock = None
        self.assertNotEqual(times(), times(), "by the real clock no run is like another")

    def test_a_card_stays_throttled_in_later_processes(self):
        self.simulate_clock()
        self.run_clocked(scenario_of("h200", device=CARD), "--repeats", 1)
        in_between = self.machine_seconds() * 0.6  # a process has two cases: the second, before its samples
        scenario = scenario_of("h200", device=CARD | {"throttle": {"at_seconds": in_between, "factor": 0.6}})
        self.simulate_clock()
        first, second, *later_process = self.run_clocked(scenario)["records"]
        self.assert_clock(first, scenario, 1)
        for record in (second, *later_process):
            self.assert_clock(record, scenario, 0.6)
        later_run = self.run_clocked(scenario, "--repeats", 1)["records"]
        self.assert_clock(later_run[0], scenario, 0.6)
        self.simulate_clock()
        another_machine = self.run_clocked(scenario, "--repeats", 1)["records"]
        self.assert_clock(another_machine[0], scenario, 1)

    def assert_clock(self, record, scenario, share):
        readings = record["samples"]["clock_hz"]
        self.assertTrue(readings)
        for hz in readings:
            self.assertAlmostEqual(hz / scenario["devices"][0]["sm_clock_hz"], share, delta=0.01, msg=record["id"])

    def test_a_worker_without_its_page_ends_and_says_why(self):
        self.clock = self.folder / "missing" / "clock"
        self.run_clocked(scenario_of("h200", device=CARD), "--repeats", 1, code=4)
        self.assertIn(f"libvclock.so: {self.clock}: No such file or directory", self.run_output)


if __name__ == "__main__":
    unittest.main()
