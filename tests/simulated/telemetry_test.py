# SPDX-License-Identifier: Apache-2.0
"""What the sampler saw is what the simulated card did; and whatever NVML does, the run goes on and says why a figure is missing."""
import json
import os
import subprocess
import time
import unittest

from simulated_case import PROGRAM, SimulatedCase, scenario_of
import valid

# Of few SMs: what one launch has to do goes by them, and the CPU does it all.
CARD = {"sms": 24}
READ_OF_ONE = ("--filter", "^memory/read/", "--repeats", 1, "--seed", 1)

# What the sampler asks for while a case runs, and the member of the record that comes of it.
ASKED = {"nvmlDeviceGetClockInfo": "clock_hz", "nvmlDeviceGetUtilizationRates": "utilization",
         "nvmlDeviceGetMemoryInfo": "memory_used_bytes", "nvmlDeviceGetCurrPcieLinkGeneration": "pcie/generation",
         "nvmlDeviceGetCurrPcieLinkWidth": "pcie/width", "nvmlDeviceGetCurrentClocksEventReasons": "held_down",
         "nvmlDeviceGetTotalEccErrors": "ecc", "nvmlDeviceGetRemappedRows": "remapped_rows",
         "nvmlDeviceGetFieldValues": "energy_j", "nvmlDeviceGetMaxPcieLinkWidth": "pcie/max_width",
         "nvmlDeviceGetComputeRunningProcesses_v3": "foreign_processes", "nvmlEventSetCreate": "xids"}


def h200(**card):
    """One whose "nvml" object has these members too."""
    scenario = scenario_of("h200", device=CARD)
    scenario["devices"][0].setdefault("nvml", {}).update(card)
    return scenario


def member(sampled, path):
    for name in path.split("/"):
        sampled = sampled.get(name) if isinstance(sampled, dict) else None
    return sampled


class Telemetry(SimulatedCase):
    @classmethod
    def setUpClass(cls):
        cls.documents = valid.Documents(cls)

    def setUp(self):
        super().setUp()
        self.simulate_clock()

    def run_one(self, scenario, *words, **options):
        document = self.measure(scenario, *READ_OF_ONE, *words, suite="clock", **options)
        self.documents.keep(self.folder / "result.json")
        self.document = document
        return self.one(document, "memory/read")["telemetry"]["sampled"]

    def test_a_healthy_card_is_seen_as_it_is(self):
        sampled = self.run_one(h200(power={"load_w": 512.0}, temperature={"load_c": 66, "memory_idle_c": 40, "memory_load_c": 70}))
        self.assertEqual(sampled["denied"], [])
        self.assertGreater(sampled["readings"], 5)
        self.assertFalse(sampled["off"])
        self.assertEqual(sampled["clock_hz"]["median"], 1.98e9)
        self.assertEqual(sampled["power_w"]["max"], 512)
        self.assertEqual(sampled["temperature_c"]["max"], 66)
        self.assertEqual(sampled["utilization"]["max"], 1)
        self.assertEqual([h for h in sampled["held_down"] if h["kind"] == "flagged"], [])
        self.assertEqual((sampled["ecc"], sampled["remapped_rows"], sampled["xids"], sampled["foreign_processes"]),
                         ({"corrected": 0, "uncorrected": 0}, 0, [], 0))
        points = len(sampled["series"]["at"])
        self.assertTrue(1 <= points <= 240)
        for name in ("clock_hz", "power_w", "temperature_c"):
            self.assertEqual(len(sampled["series"][name]), points)
        window = self.one(self.document, "memory/read")["telemetry"]["window"]
        self.assertGreater(window["end"], window["begin"] + 0.5)

    def test_the_link_is_read_under_load(self):
        idle = {"link": {"idle_generation": 1, "generation": 5, "max_generation": 5, "width": 16, "max_width": 16}}
        pcie = self.run_one(h200(**idle))["pcie"]
        self.assertEqual(pcie["generation"]["max"], 5, "1 is what it has while it is idle")
        self.assertEqual((pcie["max_generation"], pcie["width"]["max"], pcie["max_width"]), (5, 16, 16))

    def test_heat_is_flagged_and_the_power_cap_is_normal(self):
        hot = self.run_one(h200(held_down=[{"reason": "hw_thermal"}, {"reason": "sw_power_cap"}]))
        kinds = {h["reason"]: h["kind"] for h in hot["held_down"]}
        self.assertEqual(kinds["hw_thermal"], "flagged")
        self.assertEqual(kinds["sw_power_cap"], "expected")
        shares = {h["reason"]: h["share"] for h in hot["held_down"]}
        self.assertGreater(shares["hw_thermal"], 0.5)

    def test_old_counters_are_no_news(self):
        sampled = self.run_one(h200(held_down_before_seconds={"sw_power_cap": 5451, "sw_thermal": 200.7},
                                    ecc={"corrected": 9, "uncorrected": 2, "corrected_ever": 900, "uncorrected_ever": 70}))
        self.assertEqual([h for h in sampled["held_down"] if h["kind"] != "benign"], [])
        self.assertEqual(sampled["ecc"], {"corrected": 0, "uncorrected": 0})

    def test_an_xid_and_processes_of_others_are_news(self):
        sampled = self.run_one(h200(xids=[{"at_seconds": 0.3, "number": 63}], processes=[{"pid": 4711, "used_bytes": 1000}]))
        self.assertEqual(sampled["xids"], [63])
        self.assertEqual(sampled["foreign_processes"], 1)

    def test_each_function_may_refuse_and_takes_nothing_else_along(self):
        whole = self.run_one(h200())
        for call, path in ASKED.items():
            for code in (3, 15, 999):
                with self.subTest(call, code=code):
                    self.assertIsNotNone(member(whole, path))
                    scenario = h200()
                    scenario["faults"] = [{"call": call, "code": code}]
                    self.simulate_clock()
                    sampled = self.run_one(scenario)
                    self.assertIsNone(member(sampled, path))
                    others = [p for c, p in ASKED.items() if c != call]
                    self.assertEqual([p for p in others if member(sampled, p) is None], [])
                    why = {d["what"]: d["why"] for d in sampled["denied"]}
                    self.assertIn(f"({call} {code})", why[path.replace("/", ".")])

    def test_without_nvml_the_run_goes_on(self):
        sampled = self.run_one(h200(), libraries=self.libraries_without("nvidia-ml"))
        self.assertEqual(sampled["readings"], 0)
        self.assertRegex(sampled["denied"][0]["why"], "no libnvidia-ml.so.1 was found: it comes with NVIDIA's driver")
        self.assertIn("no libnvidia-ml.so.1", self.document["machine"]["nvidia"]["nvml"]["why"])

    def test_a_driver_that_holds_the_sampler_costs_nothing_but_the_readings(self):
        scenario = h200()
        scenario["faults"] = [{"call": "nvmlDeviceGetUtilizationRates", "nth": 3, "hang": True}]
        self.clock = None  # that it hangs is told by real time
        records = self.measure(scenario, "--filter", "^memory/", "--repeats", 2, "--seed", 1, suite="clock")["records"]
        self.assertEqual({r["status"] for r in records}, {"ok"})
        last = records[-1]["telemetry"]["sampled"]
        self.assertEqual((last["readings"], last["denied"][0]["what"]), (0, "sampled"))
        self.assertIn("does not answer", last["denied"][0]["why"])

    def test_a_driver_that_holds_the_sampler_for_ever_is_asked_no_more(self):
        scenario = h200()
        scenario["faults"] = [{"call": "nvmlDeviceGetTotalEccErrors", "nth": 7, "hang": True}]
        records = self.measure(scenario, "--filter", "^memory/", "--repeats", 2, "--seed", 1, suite="clock")["records"]
        self.assertEqual({r["status"] for r in records}, {"ok"})
        self.assertIn("did not answer: a driver may hang", records[-1]["telemetry"]["sampled"]["denied"][0]["why"])

    def test_a_sampler_that_dies_is_started_again_and_at_last_left_alone(self):
        scenario = h200()
        scenario["faults"] = [{"call": "nvmlDeviceGetUtilizationRates", "nth": 2, "crash": True}]
        document = self.measure(scenario, "--filter", "^memory/", "--repeats", 3, "--seed", 1, suite="clock")
        whys = [r["telemetry"]["sampled"]["denied"][0]["why"] for r in document["records"]]
        self.assertEqual(len(whys), 6)
        for why in whys:
            self.assertIn("died: killed by SIGSEGV", why)
        self.assertEqual({r["status"] for r in document["records"]}, {"ok"})

    def test_only_the_sampler_opens_nvml(self):
        scenario = h200()
        self.measure(scenario, *READ_OF_ONE, suite="clock",
                     environment={"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(self.folder / "opened")})
        opened = [log.read_text(errors="replace") for log in self.folder.glob("opened.*")]
        self.assertEqual(sum("libnvidia-ml.so.1" in log for log in opened), 1)
        self.assertGreaterEqual(sum("libcuda.so.1" in log for log in opened), 2, "the probe and the worker")
        self.assertEqual(sum("libnvidia-ml.so.1" in log and "libcuda.so.1" in log for log in opened), 0)


class Sampler(SimulatedCase):
    """The process by its own lines, as the supervisor speaks to it."""

    def start(self):
        lines, end = os.pipe()
        process = subprocess.Popen([PROGRAM, "sampler", "--order"], stdin=subprocess.PIPE, text=True, bufsize=1,
                                   preexec_fn=lambda: os.dup2(end, 3), close_fds=False)
        os.close(end)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdin.close)
        self.to, self.lines = process.stdin, self.enterContext(os.fdopen(lines))
        self.to.write("{}\n")
        self.count = 0
        self.process = process
        return json.loads(self.lines.readline())

    def ask(self, **command):
        self.count += 1
        self.to.write(json.dumps({"n": self.count, **command}) + "\n")
        answer = json.loads(self.lines.readline())
        self.assertEqual(answer["n"], self.count)
        return answer

    def window(self, begin, end):
        return self.ask(window={"begin": begin, "end": end, "gpu": ""})["telemetry"]

    def monotonic(self, seconds=0.0):
        time.sleep(seconds)
        return time.monotonic()

    def test_reads_nothing_while_a_case_is_quiet(self):
        self.assertIn("card", self.start())
        self.ask(sample={"gpus": [], "cpus": [], "period_seconds": 0.02})
        begin = self.monotonic()
        loud = self.window(begin, self.monotonic(0.5))
        self.assertGreater(loud["readings"], 5)
        self.assertFalse(loud["off"])
        self.ask(pause=True)
        begin = self.monotonic()
        quiet = self.window(begin, self.monotonic(0.5))
        self.assertEqual((quiet["readings"], quiet["off"]), (0, True))
        self.ask(pause=False)
        begin = self.monotonic()
        after = self.window(begin, self.monotonic(0.5))
        self.assertGreater(after["readings"], 5)
        self.assertFalse(after["off"])

    def test_ends_with_who_asks(self):
        self.start()
        self.ask(sample={"gpus": [], "cpus": [], "period_seconds": 0.02})
        self.to.close()
        self.assertEqual(self.process.wait(timeout=20), 0)

    def test_tells_what_it_has_cost(self):
        self.start()
        self.ask(sample={"gpus": [], "cpus": [], "period_seconds": 0.02})
        usage = self.ask(usage=True)["usage"]
        self.assertGreater(usage["cpu_seconds"], 0)
        self.assertEqual(usage["period_seconds"], 0.02)


if __name__ == "__main__":
    unittest.main()
