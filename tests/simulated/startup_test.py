# SPDX-License-Identifier: Apache-2.0
"""Drivers that do not start: the right exit, the reason and the next step in words, and no GPU hidden behind the CPU."""
import json
import unittest

from simulated_case import HERE, SimulatedCase, scenario_of

NEXT_STEP = {34: "LD_LIBRARY_PATH", 36: "install a newer driver", 46: "nvidia-smi", 100: "--gpus all", 101: "CUDA_VISIBLE_DEVICES",
             802: "nvidia-fabricmanager", 803: "restart", 804: "LD_LIBRARY_PATH", 999: "dmesg"}


class Startup(SimulatedCase):
    def test_a_gpu_that_was_asked_for_and_does_not_start_ends_the_run(self):
        for code, next_step in NEXT_STEP.items():
            with self.subTest(code):
                done = self.warpmark(scenario_of("h200", init_code=code), "run", "--device", "cuda:0")
                self.assertEqual(done.code, 3, done.out + done.err)
                self.assertEqual(len(done.err.splitlines()), 1, done.err)
                self.assertRegex(done.err, rf"^warpmark: cuda:0 cannot be measured: .*\(CUDA_ERROR_\w+ {code}\)$")
                self.assertIn(next_step, done.err)
                self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["scenario.json"])

    def test_auto_measures_the_cpu_and_says_first_what_is_wrong(self):
        cpu = HERE / "suites" / "cpu.json"
        for code in NEXT_STEP:
            with self.subTest(code):
                path = self.folder / f"{code}.json"
                done = self.warpmark(scenario_of("h200", init_code=code), "run", "--suite", cpu, "--out", path)
                self.assertEqual(done.code, 3, done.out + done.err)
                self.assertIn("The GPU cannot be used: ", done.err)
                self.assertIn(f" {code})", done.err)
                document = json.loads(path.read_text())
                self.assertEqual(document["devices"][0]["id"], "cpu:0")
                self.assertIn(f" {code})", document["run"]["device_problem"])

    def test_a_listing_names_what_works_and_ends_as_a_run_would(self):
        for code in (46, 802, 999):
            for words in (["list", "devices"], ["list", "devices", "--json"], ["info"]):
                with self.subTest(code=code, words=words):
                    done = self.warpmark(scenario_of("h200", init_code=code), *words)
                    self.assertEqual(done.code, 3, done.out + done.err)
                    self.assertIn("cpu:0", done.out)
                    self.assertRegex(done.err, rf"^warpmark: cuda cannot be used: .*\(CUDA_ERROR_\w+ {code}\)\n$")
        for words in (["list", "devices"], ["info"]):
            done = self.warpmark(scenario_of("h200"), *words)
            self.assertEqual((done.code, done.err), (0, ""), "a driver that works")

    def test_a_driver_that_is_too_old_is_named(self):
        done = self.warpmark(scenario_of("h200", driver_version=11080), "run", "--device", "cuda:0")
        self.assertEqual(done.code, 3, done.out + done.err)
        self.assertIn("serves CUDA 11.8 at most and 12.0 is needed: install driver R525 or later", done.err)

    def test_a_machine_without_a_driver_says_so(self):
        done = self.warpmark(None, "run", "--device", "cuda:0")
        self.assertEqual(done.code, 3, done.out + done.err)
        self.assertIn("no libcuda.so.1 was found: install NVIDIA's driver", done.err)

    def test_a_driver_that_starts_is_no_problem(self):
        done = self.warpmark(scenario_of("h200"), "run", "--device", "cuda:0", "--dry-run", "--suite",
                             self.folder.parent / "nowhere.json")
        self.assertEqual(done.code, 2, "only the suite is wrong here: " + done.err)


if __name__ == "__main__":
    unittest.main()
