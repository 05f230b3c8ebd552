# SPDX-License-Identifier: Apache-2.0
"""What workers do to a simulated card is what the simulated NVML tells of it in another process, by the machine's time."""
import json
import os
import unittest

from simulated_case import SimulatedCase, scenario_of

READER = os.environ["TEST_NVML_PROGRAM"]
CARD = {"sms": 24}  # few: the CPU does what they have to do


def lasting_load(machine, seconds):
    """The machine, whose card looks busy for so long after its work."""
    scenario = scenario_of(machine, device=CARD)
    scenario["devices"][0]["nvml"]["idle_after_seconds"] = seconds
    return scenario


class Nvml(SimulatedCase):
    def reading(self, scenario):
        """What the program that reads NVML prints; it takes no notice of the words that follow its own."""
        done = self.warpmark(scenario, within=(READER, "sampler", "1"))
        self.assertEqual(done.code, 0, done.err)
        return json.loads(done.out)

    def before_and_after(self, scenario):
        before = self.reading(scenario)
        self.measure(scenario, "--seed", 1, "--repeats", 1, suite="clock")
        return before, self.reading(scenario)

    def test_energy_and_bytes_are_those_of_the_work(self):
        self.simulate_clock()
        scenario = lasting_load("h200", 1e6)
        before, after = self.before_and_after(scenario)
        self.assertEqual((before["seconds"], before["mhz"], before["reasons"]), (0, 345, 1))
        self.assertEqual((after["seconds"], after["mhz"], after["reasons"]), (self.machine_seconds(), 1980, 0))
        power = scenario["devices"][0]["nvml"]["power"]
        joules = (after["energy_mj"] - before["energy_mj"]) / 1e3
        # Nearly all of the time is warm-up and samples, in which the card works without a break.
        self.assertTrue(0.9 * power["load_w"] < joules / after["seconds"] <= power["load_w"], joules / after["seconds"])
        for direction in ("sent_bytes", "received_bytes"):
            self.assertGreater(after[direction], before[direction])
        self.assertEqual(after["thermal_ns"], before["thermal_ns"])
        self.assertEqual((after["processes"], after["used_bytes"]), (0, before["used_bytes"]), "the worker has ended")

    def test_a_card_rests_when_the_work_is_done(self):
        self.simulate_clock()
        before, after = self.before_and_after(lasting_load("h200", 0))
        self.assertEqual((after["mhz"], after["mw"], after["reasons"]), (before["mhz"], before["mw"], 1))
        self.assertGreater(after["energy_mj"], before["energy_mj"])

    def test_the_time_of_a_thermal_limit_is_counted(self):
        self.simulate_clock()
        before, after = self.before_and_after(lasting_load("h200_throttled", 1e6))
        held = (after["thermal_ns"] - before["thermal_ns"]) / 1e9
        self.assertTrue(0.9 * after["seconds"] < held <= after["seconds"] - 0.02, f"{held} of {after['seconds']} s")
        self.assertEqual((after["mhz"], after["reasons"]), (1188, 0x48))

    def test_without_the_machines_time_the_card_is_idle(self):
        before, after = self.before_and_after(lasting_load("h200", 1e6))
        self.assertEqual((after["mhz"], after["reasons"]), (345, 1))
        self.assertEqual(after["received_bytes"], before["received_bytes"])


if __name__ == "__main__":
    unittest.main()
