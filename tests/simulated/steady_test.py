# SPDX-License-Identifier: Apache-2.0
"""Cases that run for a given time, on a card that is throttled in their middle, and the regimes, by the machine's own time."""
import json
import os
import signal
import subprocess
import time
import unittest

from simulated_case import PROGRAM, SimulatedCase, scenario_of
import valid

# Of few SMs: what one launch has to do goes by them, and the CPU does it all.
SMS = 24
WINDOW_SECONDS = 0.25
HEAT = "heat (the driver's thermal slowdown) held it down"
GEMM = ("--filter", "^steady/gemm/", "--seed", 1)


def card(throttle=None, **nvml):
    changes = {"sms": SMS} | ({"throttle": throttle} if throttle else {})
    scenario = scenario_of("h200", device=changes)
    scenario["devices"][0]["nvml"].update(nvml)
    return scenario


def metrics_of(record):
    return {m["name"]: m["value"] for m in record["metrics"]}


class Steady(SimulatedCase):
    @classmethod
    def setUpClass(cls):
        cls.documents = valid.Documents(cls)

    def setUp(self):
        super().setUp()
        self.simulate_clock()

    def run_steady(self, scenario, *words, **options):
        document = self.measure(scenario, *words, suite="steady", **options)
        self.documents.keep(self.folder / "result.json")
        return document

    def begun_at(self, document):
        """When the first sample of the product began, by the machine."""
        record = self.one(document, "steady/gemm")
        return record["telemetry"]["window"]["begin"] + record["warmup_seconds"]

    def test_a_card_that_is_throttled_is_said_to_be_with_the_moment_and_the_reason(self):
        untroubled = self.run_steady(card(), *GEMM)
        full = metrics_of(self.one(untroubled, "steady/gemm"))
        throttled_at = self.begun_at(untroubled) + 20
        self.simulate_clock()
        document = self.run_steady(card(throttle={"at_seconds": throttled_at, "factor": 0.6},
                                        held_down=[{"reason": "sw_thermal", "from_seconds": throttled_at}]), *GEMM)
        record = self.one(document, "steady/gemm")
        self.assertEqual(record["status"], "ok", record["why"])
        got = metrics_of(record)
        self.assertAlmostEqual(got["first_flop_rate"] / full["flop_rate"], 1, delta=0.01)
        self.assertAlmostEqual(got["flop_rate"] / full["flop_rate"], 0.6, delta=0.01)
        self.assertAlmostEqual(got["settling_time"], 20, delta=WINDOW_SECONDS)
        self.assertEqual(record["course"]["settled_at"], got["settling_time"])
        self.assertIn("steady (-40", self.run_output)
        self.assertIn(HEAT, self.run_output)
        self.assertEqual(full["settling_time"], 0, "and one that is not throttled has settled at once")

    def test_the_series_has_the_whole_minute(self):
        document = self.run_steady(card(held_down=[{"reason": "sw_power_cap", "from_seconds": 30}]), *GEMM)
        record = self.one(document, "steady/gemm")
        self.assertAlmostEqual(record["sampling_seconds"], 60, delta=1)
        samples = record["samples"]
        self.assertAlmostEqual(sum(samples["seconds"]) * samples["batch"], 60, delta=2)
        self.assertLess(record["warmup_seconds"], 0.05)
        series = record["telemetry"]["sampled"]["series"]
        self.assertGreater(len(series["at"]), 100)
        self.assertLess(series["at"][0], 1)
        self.assertGreater(series["at"][-1], 58)
        for name in ("clock_hz", "power_w", "temperature_c", "held_down"):
            self.assertEqual(len(series[name]), len(series["at"]), name)
        held = [at for at, reasons in zip(series["at"], series["held_down"]) if "sw_power_cap" in reasons]
        window = record["telemetry"]["window"]
        self.assertAlmostEqual(window["begin"] + held[0], 30, delta=0.5)
        watts = scenario_of("h200")["devices"][0]["nvml"]["power"]["load_w"]
        got = metrics_of(record)
        self.assertAlmostEqual(got["flop_rate_per_watt"] * watts / got["flop_rate"], 1, delta=0.02)

    def test_a_case_that_is_measured_once_has_one_record(self):
        document = self.run_steady(card(), "--seed", 1)
        repeats = {}
        for record in document["records"]:
            repeats.setdefault(record["benchmark"], []).append(record["repeat"])
        self.assertEqual({name: sorted(each) for name, each in repeats.items()},
                         {"steady/gemm": [0], "steady/triad": [0], "memory/triad": [0, 1]})
        self.assertEqual(sorted(document["run"]["once"]), sorted(r["id"] for r in document["records"]
                                                                 if r["benchmark"].startswith("steady/")))
        self.assertNotIn("repeats are there", self.run_output)
        triad = metrics_of(self.one(document, "steady/triad"))
        truth = scenario_of("h200")["devices"][0]["memory_bandwidth"]
        self.assertAlmostEqual(triad["bandwidth"] / truth, 1, delta=0.005)

    def test_the_steady_regime_warms_each_case_for_seconds(self):
        words = ("--filter", "^memory/triad", "--repeats", 1, "--seed", 1)
        burst = self.run_steady(card(), *words)
        self.simulate_clock()
        steady = self.run_steady(card(), *words, "--regime", "steady")
        self.assertEqual((burst["run"]["regime"], steady["run"]["regime"]), ("burst", "steady"))
        self.assertEqual({r["regime"] for r in steady["records"]}, {"steady"})
        self.assertEqual({r["id"] + "/regime=steady" for r in burst["records"]}, {r["id"] for r in steady["records"]})
        self.assertEqual(steady["run"]["protocol"]["min_warmup_seconds"], 5)
        self.assertLess(self.one(burst, "memory/triad")["warmup_seconds"], 1)
        self.assertTrue(5 <= self.one(steady, "memory/triad")["warmup_seconds"] < 6)

    def test_a_clock_that_nobody_fixed_denies_every_record(self):
        document = self.run_steady(card(), "--filter", "triad", "--regime", "locked", "--seed", 1)
        self.assertEqual({r["status"] for r in document["records"]}, {"denied"})
        for record in document["records"]:
            self.assertIn("nvidia-smi --lock-gpu-clocks", record["why"])
        self.assertEqual(len([r for r in document["records"] if r["samples"]["seconds"]]), 1, "one shows it for all")

    def test_a_fixed_clock_is_recorded(self):
        scenario = card(throttle={"at_seconds": 0, "factor": 0.5}, held_down=[{"reason": "application_clocks"}])
        document = self.run_steady(scenario, "--filter", "steady/triad", "--regime", "locked", "--seed", 1)
        record = self.one(document, "steady/triad")
        self.assertEqual((record["status"], record["regime"]), ("ok", "locked"), record["why"])
        hz = scenario["devices"][0]["sm_clock_hz"]
        self.assertAlmostEqual(record["about"]["locked_clock_hz"] / (0.5 * hz), 1, delta=0.02)

    def test_a_run_that_is_stopped_in_its_middle_goes_on_from_there(self):
        self.clock = None  # of the CPU, whose time is real
        document, suite = self.folder / "stopped.json", self.folder / "short.json"
        suite.write_text(json.dumps({"schema": "warpmark.suite/1", "name": "short", "repeats": 1, "select": [
            {"benchmarks": "^steady/triad$", "dtypes": ["f64"], "variants": ["plain"],
             "axes": {"footprint": [1048576], "seconds": [4]}, "once": True}]}))
        run = subprocess.Popen([PROGRAM, "run", "--device", "cpu:0", "--suite", str(suite), "--out", str(document)],
                               env={"PATH": os.environ["PATH"], "HOME": str(self.folder)}, cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        journal = document.with_suffix(".jsonl")
        while not journal.exists() and run.poll() is None:
            time.sleep(0.05)
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, err)
        stopped = json.loads(document.read_text())
        self.assertEqual([r["status"] for r in stopped["records"]], ["skipped"])
        done = self.warpmark(None, "run", "--resume", journal)
        self.assertEqual(done.code, 0, done.out + done.err)
        [record] = json.loads(document.read_text())["records"]
        self.assertEqual(record["benchmark"], "steady/triad")
        self.assertGreaterEqual(record["sampling_seconds"], 4)

    def test_a_case_that_does_not_fit_the_budget_is_left_out(self):
        document = self.run_steady(card(), "--time-budget", 30, "--seed", 1, "--repeats", 1)
        status = {r["benchmark"]: r["status"] for r in document["records"]}
        self.assertEqual(status["steady/gemm"], "skipped")
        self.assertEqual(status["memory/triad"], "ok")

    def test_the_plan_counts_its_seconds(self):
        done = self.warpmark(card(), "run", "--device", "cuda:0", "--suite", self.suite(), "--dry-run", "--json")
        self.assertEqual(done.code, 0, done.err)
        seconds = json.loads(done.out)["seconds"]
        self.assertTrue(75 < seconds["least"] < 90, seconds)
        steady = json.loads(self.warpmark(card(), "run", "--device", "cuda:0", "--suite", self.suite(), "--dry-run", "--json",
                                          "--regime", "steady").out)["seconds"]
        self.assertAlmostEqual(steady["least"] - seconds["least"], 2 * (5 - 0.05), delta=0.1)

    @staticmethod
    def suite():
        return os.path.join(os.path.dirname(os.path.abspath(__file__)), "suites", "steady.json")


if __name__ == "__main__":
    unittest.main()
