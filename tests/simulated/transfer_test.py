# SPDX-License-Identifier: Apache-2.0
"""Copies between the host and a simulated GPU: each kind of memory is what the machine was made with."""
import re
import unittest

from simulated_case import SimulatedCase, scenario_of

# Seconds of a copy of nothing, and bytes per second.
COPIES = {
    "pageable": {"latency_seconds": 12e-6, "bandwidth": 11e6},
    "pinned": {"latency_seconds": 9e-6, "bandwidth": 55e6},
    "write_combined": {"latency_seconds": 8e-6, "bandwidth": 57e6},
    "registered": {"latency_seconds": 9.5e-6, "bandwidth": 53e6},
}


class Copies(SimulatedCase):
    def setUp(self):
        super().setUp()
        self.simulate_clock()  # a pageable copy is timed by the host

    def machine(self, copies=COPIES, **changes):
        return scenario_of("h200", device={"host_memory": {"copies": copies}, **changes})

    def seconds(self, scenario, cases=""):
        """Of a copy, by direction, kind and bytes."""
        found = {}
        for record in self.measure(scenario, "--filter", "transfer/copy/.*" + cases, suite="transfer")["records"]:
            _, _, _, kind, _, direction, _, size = record["id"].split("/")
            if record["status"] == "unsupported":
                continue
            self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
            self.assertTrue(record["verification"]["ok"], record["id"])
            found[direction.split("=")[1], kind, int(size.split("=")[1])] = record["stats"]["median"]
        return found

    def check(self, found, copies):
        for (direction, kind, size), seconds in found.items():
            truth = copies[kind.replace("-", "_")]
            expected = truth["latency_seconds"] + size / truth["bandwidth"]  # both directions have an engine each
            # Calls of the driver and looks at the clock are a microsecond each, which the host's clock sees.
            self.assertAlmostEqual(seconds / expected, 1, delta=0.01 + (3e-6 / expected if kind == "pageable" else 0),
                                   msg=f"{direction} {kind} {size}")

    def test_each_kind_is_what_the_machine_was_made_with(self):
        found = self.seconds(self.machine())
        self.assertEqual(len(found), (2 + 3 + 1 + 3) * 4)
        self.check(found, COPIES)

    def test_twin_another_machine(self):
        others = {kind: {"latency_seconds": 2 * copy["latency_seconds"], "bandwidth": copy["bandwidth"] / 3} for kind, copy in COPIES.items()}
        found = self.seconds(self.machine(others), "direction=h2d")
        self.check(found, others)
        with self.assertRaises(AssertionError):
            self.check(found, COPIES)

    def test_a_pageable_copy_is_never_timed_by_the_devices_clock_alone(self):
        # That sees a tenth of it (tests/fakes): ten times the bandwidth.
        found = self.seconds(self.machine(), "pageable.*bytes=1048576")
        self.assertEqual(len(found), 2)
        self.check(found, COPIES)
        for seconds in found.values():
            self.assertGreater(seconds, 0.9 * 1048576 / COPIES["pageable"]["bandwidth"])

    def test_what_cannot_be_is_said(self):
        document = self.measure(self.machine(), "--filter", "transfer/copy.*bytes=4$", suite="transfer")
        why = {"/".join(r["id"].split("/")[3:6]): r["why"] for r in document["records"] if r["status"] == "unsupported"}
        self.assertEqual(set(why), {"pageable/u8/direction=both", "write-combined/u8/direction=d2h", "write-combined/u8/direction=both"})
        self.assertIn("reads write-combined memory back at a small part of its speed", why["write-combined/u8/direction=d2h"])
        self.assertIn("pin the memory", why["pageable/u8/direction=both"])

    def test_a_registration_that_fails_is_a_record(self):
        for code, status, text in ((2, "skipped", "out of memory"), (801, "unsupported", "cannot pin memory that it did not allocate"),
                                   (800, "denied", "operation not permitted"), (1, "failed", "invalid argument")):
            with self.subTest(code):
                self.simulate_clock()
                scenario = self.machine()
                scenario["faults"] = [{"call": "cuMemHostRegister", "code": code}]
                document = self.measure(scenario, "--filter", "copy.*registered.*h2d.*bytes=4$", suite="transfer",
                                        code=4 if status == "failed" else 0)
                (record,) = document["records"]
                self.assertEqual(record["status"], status)
                self.assertIn("cuMemHostRegister", record["why"])
                self.assertIn(text, record["why"])

    def test_a_link_that_falls_to_generation_1_under_load_is_said(self):
        scenario = self.machine()
        scenario["devices"][0]["nvml"]["link"] = {"generation": 1, "width": 16, "max_generation": 5, "gpu_max_generation": 5}
        self.seconds(scenario, "pinned.*h2d.*bytes=1048576")
        self.assertIn("The link of cuda:0 ran at PCIe 1 x16 under load, where card and slot can do PCIe 5 x16",
                      " ".join(self.run_output.split()))

    def test_twin_one_that_is_slow_at_rest_is_not(self):
        scenario = self.machine()
        scenario["devices"][0]["nvml"]["link"] = {"idle_generation": 1, "generation": 5, "width": 16}
        self.seconds(scenario, "pinned.*h2d.*bytes=1048576")
        self.assertNotIn("The link of", self.run_output)

    def test_the_fit_finds_what_the_machine_was_made_with(self):
        self.seconds(self.machine(), "direction=h2d")
        said = " ".join(self.run_output.split())
        for kind, rate, latency in (("pinned", 55.0, 9.0), ("write-combined", 57.0, 8.0), ("registered", 53.0, 9.5), ("pageable", 11.0, 12.0)):
            found = re.search(rf"cuda:0 h2d, near: {kind} ([0-9.]+) MB/s, ([0-9.]+) µs for a copy of nothing, half of the rate from ([0-9.]+) B on", said)
            self.assertIsNotNone(found, f"{kind}: {said}")
            self.assertAlmostEqual(float(found[1]) / rate, 1, delta=0.01, msg=kind)
            # What the host's clock sees of the calls beside the copy is within two microseconds.
            self.assertAlmostEqual(float(found[2]), latency, delta=3.2 if kind == "pageable" else 0.02 * latency, msg=kind)
            self.assertAlmostEqual(float(found[3]) / (float(found[1]) * float(found[2])), 1, delta=0.02, msg=kind)
        self.assertRegex(said, r"cuda:0 h2d, near: pinned is 5\.0 x pageable")


class Pinning(SimulatedCase):
    TRUTH = {"pinned": {"latency_seconds": 30e-6, "bandwidth": 4e9}, "registered": {"latency_seconds": 60e-6, "bandwidth": 2e9}}

    def seconds(self, making):
        self.simulate_clock()
        document = self.measure(scenario_of("h200", device={"host_memory": {"making": making}}), "--filter", "transfer/pin", suite="transfer")
        found = {}
        for record in document["records"]:
            self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
            self.assertTrue(record["verification"]["ok"])
            (metric,) = record["metrics"]
            self.assertEqual((metric["name"], metric["unit"]), ("latency", "s"))
            found[record["id"].split("/")[3], int(record["id"].rsplit("=", 1)[1])] = metric["value"]
        return found

    def check(self, found, truth):
        self.assertEqual(len(found), 4)
        for (kind, size), seconds in found.items():
            # The call itself takes a microsecond.
            self.assertAlmostEqual(seconds, truth[kind]["latency_seconds"] + size / truth[kind]["bandwidth"], delta=1.2e-6, msg=f"{kind} {size}")

    def test_memory_costs_what_the_machine_was_made_with(self):
        self.check(self.seconds(self.TRUTH), self.TRUTH)

    def test_twin_a_machine_that_gives_it_at_once(self):
        found = self.seconds({})
        with self.assertRaises(AssertionError):
            self.check(found, self.TRUTH)


class Overlap(SimulatedCase):
    def test_the_copy_engine_works_beside_the_multiprocessors(self):
        self.simulate_clock()
        document = self.measure(scenario_of("h200", device={"host_memory": {"copies": COPIES}}), "--filter", "transfer/overlap", suite="transfer")
        self.assertEqual(len(document["records"]), 2)
        for record in document["records"]:
            self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
            self.assertTrue(record["verification"]["ok"])
            rate, share = record["metrics"]
            self.assertEqual((rate["name"], share["name"]), ("bandwidth", "overlap"))
            self.assertGreater(share["value"], 0.9)
            truth = COPIES[record["id"].split("/")[3]]
            # The computing was made as long as the copy, to within what it is cut into.
            alone = 65536 / (truth["latency_seconds"] + 65536 / truth["bandwidth"])
            self.assertAlmostEqual(rate["value"] / alone, 1, delta=0.05)
            self.assertAlmostEqual(record["about"]["compute_alone_seconds"] / record["about"]["copy_alone_seconds"], 1, delta=0.05)


if __name__ == "__main__":
    unittest.main()
