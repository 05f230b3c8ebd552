# SPDX-License-Identifier: Apache-2.0
"""A layer in every pass and type on simulated GPUs: the rate is that of the unit that the machine was given, and f32 is not TF32."""
import pathlib
import unittest

from simulated_case import LIBRARIES, SimulatedCase, scenario_of

UNITS = {("cudnn", "f32"): "f32_fma", ("cudnn-first", "f32"): "f32_fma", ("cudnn-tf32", "f32"): "tf32_matrix",
         ("cudnn", "f16"): "f16_matrix", ("cudnn-first", "f16"): "f16_matrix",
         ("cudnn", "bf16"): "bf16_matrix", ("cudnn-first", "bf16"): "bf16_matrix"}
FLOPS = 2 * 1 * 2048 * 7 * 7 * 512  # of suites/convolution.json: 2 n k p q c r s


@unittest.skipUnless((pathlib.Path(LIBRARIES) / "libcudnn.so.9").exists(), "no cuDNN is installed, whose graphs and plans the simulated one has")
class Convolution(SimulatedCase):
    def truth_of(self, device, unit, work):
        """As the machine times a launch: the unit or the memory, whichever takes longer."""
        rate = device["units"][unit]
        by_unit = FLOPS / (device["sms"] * rate["flop_per_clock"] * rate["share"] * device["sm_clock_hz"])
        by_memory = (work["bytes_read"] + work["bytes_written"]) / device["memory_bandwidth"]
        return FLOPS / (device["kernel_overhead_seconds"] + max(by_unit, by_memory))

    def check_machine(self, machine):
        # Memory is a thousandth of the card's; the workspaces of the real library's engines are not.
        scenario = scenario_of(machine, device={"memory_bytes": 400_000_000, "memory_free_bytes": 390_000_000})
        device = scenario["devices"][0]
        records = self.measure(scenario, "--seed", 1, suite="convolution")["records"]
        self.assertEqual(len(records), 3 * len(UNITS))
        for record in records:
            variant, dtype = record["id"].split("/")[3:5]
            with self.subTest(record["id"]):
                self.assertEqual(record["status"], "ok", record["why"])
                self.assertTrue(record["verification"]["ok"])
                self.assertEqual(record["work"]["flops"], FLOPS)
                truth = self.truth_of(device, UNITS[variant, dtype], record["work"])
                metric = record["metrics"][0]
                if variant != "cudnn-first":  # whose engine is slower, as the heuristics' first may be
                    # The median of 10 samples of jitter 0.3 %, and the clock's own step.
                    self.assertAlmostEqual(metric["value"] / truth, 1, delta=0.005)
                self.assertLess(metric["value"], 1.01 * truth)
                self.assertLess(metric["of_ceiling"], 1)
                self.assertEqual("tensor_core" in record["about"]["engine"]["notes"], dtype != "f32" or variant == "cudnn-tf32")
        return records

    def test_every_rate_is_the_units(self):
        for machine in ("h200", "rtx4090"):
            with self.subTest(machine):
                self.check_machine(machine)

    def test_a_driver_older_than_the_library_has_none_and_says_so(self):
        document = self.measure(scenario_of("h200", driver_version=12040), suite="convolution")
        for record in document["records"]:
            self.assertEqual(record["status"], "unsupported")
            self.assertRegex(record["why"], r"^cuDNN 9\.\d+\.\d+ \(.*\) is for CUDA 13, and the driver serves CUDA 12: update the driver, or install cuDNN 9 for CUDA 12")


if __name__ == "__main__":
    unittest.main()
