# SPDX-License-Identifier: Apache-2.0
"""Every simulated machine and every driver: what is reported is what the machine was made to do."""
import json
import pathlib
import shutil
import statistics
import unittest

from simulated_case import LIBRARIES, SimulatedCase, scenario_of

DRIVERS = {"R525": 12000, "R535": 12020, "R550": 12040, "R570": 12080, "R580": 13000}


class Machines(SimulatedCase):
    def check_bandwidth(self, record, truth):
        self.assertEqual(record["status"], "ok", record["why"])
        self.assertTrue(record["verification"]["ok"])
        value = record["metrics"][0]["value"]
        # A kernel's own overhead, a microsecond of more than 5 ms, and the median of at least 10 samples of jitter 0.3 %.
        self.assertAlmostEqual(value / truth, 1, delta=0.005, msg=f"{value:.4g} of {truth:.4g}")

    def test_every_machine_reports_its_own_bandwidth(self):
        for machine in ("h200", "rtx4090", "l4"):
            with self.subTest(machine):
                scenario = scenario_of(machine)
                device = scenario["devices"][0]
                document = self.measure(scenario)
                self.assertEqual(document["devices"][0]["name"], device["name"])
                self.assertEqual(document["devices"][0]["units"], device["sms"])
                for benchmark in ("memory/read", "memory/copy", "memory/triad"):
                    record = self.one(document, benchmark)
                    self.check_bandwidth(record, device["memory_bandwidth"])
                    peak = 2 * device["memory_clock_hz"] * device["memory_bus_bits"] / 8
                    self.assertAlmostEqual(record["metrics"][0]["ceiling"] / peak, 1, delta=1e-3)

    def test_a_machine_made_slower_reports_less(self):
        scenario = scenario_of("h200", device={"memory_bandwidth": 2e9})
        self.check_bandwidth(self.one(self.measure(scenario, "--repeats", 1), "memory/triad"), 2e9)

    def test_each_of_eight_gpus_is_a_device(self):
        scenario = scenario_of("h100x8")
        devices = json.loads(self.warpmark(scenario, "list", "devices", "--json").out)
        self.assertEqual([d["id"] for d in devices], [f"cuda:{i}" for i in range(8)] + ["cpu:0"])
        self.assertEqual(len({d["facts"]["uuid"] for d in devices if d["backend"] == "cuda"}), 8)
        scenario["devices"][7]["memory_bandwidth"] /= 2
        record = self.one(self.measure(scenario, "--repeats", 1, device="cuda:7"), "memory/copy")
        self.check_bandwidth(record, scenario["devices"][7]["memory_bandwidth"])

    def test_every_driver_measures_and_old_ones_compile(self):
        for release, version in DRIVERS.items():
            with self.subTest(release):
                scenario = scenario_of("h200", driver_version=version)
                document = self.measure(scenario, "--repeats", 1)
                record = self.one(document, "memory/triad")
                self.check_bandwidth(record, scenario["devices"][0]["memory_bandwidth"])
                self.assertEqual(record["about"]["jit"], version < 13000)
                self.assertEqual(document["devices"][0]["facts"]["cuda_driver"], f"{version // 1000}.{version % 1000 // 10}")

    def test_a_throttled_card_is_seen_by_its_clock(self):
        at_full_clock = self.one(self.measure(scenario_of("h200"), "--repeats", 1), "memory/triad")
        throttled = self.one(self.measure(scenario_of("h200_throttled"), "--repeats", 1), "memory/triad")
        full = scenario_of("h200")["devices"][0]["sm_clock_hz"]
        self.assertAlmostEqual(statistics.median(at_full_clock["samples"]["clock_hz"]) / full, 1, delta=0.01)
        self.assertAlmostEqual(throttled["samples"]["clock_hz"][-1] / full, 0.6, delta=0.01)
        self.assertRegex(self.run_output, r"The clock was below 65.0 % of the device's highest in 3 of 3 cases, at worst 1.19 MHz")


class Shapes(SimulatedCase):
    """The matrices of a language model's layers: tokens times weights, and one token at a time."""
    UNITS = {"f16": "f16_matrix", "f32": "f32_fma", "tf32": "tf32_matrix"}

    def measured(self, scenario, family):
        records = self.measure(scenario, "--filter", f"^{family}/", suite="shapes")["records"]
        for record in records:
            self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
            self.assertTrue(record["verification"]["ok"])
        return {record["id"].split("/", 3)[3]: record for record in records}

    def wide_h200(self, **units):
        """With four times the memory bandwidth, so that small products are for the units to decide."""
        scenario = scenario_of("h200", device={"memory_bandwidth": 17.6e9, "memory_clock_hz": 12500000})
        for name, share in units.items():
            scenario["devices"][0]["units"][name]["share"] = share
        return scenario

    def test_every_machine_decodes_at_its_own_bandwidth(self):
        for machine in ("h200", "rtx4090", "l4"):
            with self.subTest(machine):
                scenario = scenario_of(machine)
                records = self.measured(scenario, "gemv/decode/cuda:0/w[0-9]+")
                self.assertEqual([r["about"]["arithmetic"] for r in records.values()], [name.split("/")[0] for name in records])
                self.assertEqual(len(records), 3)
                for record in records.values():
                    # Of more than 0.4 ms a microsecond for starting it, and the median of jitter of 0.3 %.
                    truth = scenario["devices"][0]["memory_bandwidth"]
                    self.assertAlmostEqual(record["metrics"][0]["value"] / truth, 1, delta=0.01, msg=record["id"])

    def test_the_library_decodes_too(self):
        records = self.measured(scenario_of("h200"), "gemv/decode/cuda:0/w16-cublaslt")
        (record,) = records.values()
        self.assertRegex(record["about"]["library"], "^cublasLt 13")
        self.assertAlmostEqual(record["metrics"][0]["value"] / 4.416e9, 1, delta=0.01)

    def test_products_of_layers_are_at_the_rates_of_the_units(self):
        scenario = self.wide_h200()
        device = scenario["devices"][0]
        records = self.measured(scenario, "gemm/mlp")
        self.assertEqual(len(records), 3)
        for name, record in records.items():
            unit = device["units"][self.UNITS[record["about"].get("arithmetic", record["params"]["dtype"])]]
            truth = device["sms"] * device["sm_clock_hz"] * unit["flop_per_clock"] * unit["share"]
            self.assertAlmostEqual(record["metrics"][0]["value"] / truth, 1, delta=0.01, msg=name)
        self.assertRegex(" ".join(self.run_output.split()),
                         r"cuda:0: tensor cores: yes; f16 \S+ GFLOP/s at its best, 13 x f32 and (1\.9|2\.0) x TF32 \(gemm/mlp")

    def test_names_the_products_that_tensor_cores_gain_little_in(self):
        self.measured(self.wide_h200(), "gemm/(mlp/cuda:0/cublaslt/f16|projection)")
        self.assertIn("gemm/projection model=64 matrix=kv tokens=2: f16 at ", " ".join(self.run_output.split()))

    def test_says_where_tensor_cores_were_not_at_work(self):
        # A twentieth of their rate is less than what 256 FLOP/clock of f32 are twice over.
        self.measured(self.wide_h200(f16_matrix=0.05), "gemm/mlp/cuda:0/cublaslt/f16")
        self.assertIn("cuda:0: tensor cores: no; f16 is no faster than multiply-add units are", " ".join(self.run_output.split()))


class Latency(SimulatedCase):
    TRUTH = {"256": 30e-9, "32768": 200e-9, "memory": 700e-9}  # in L1, in L2, in neither

    def latencies(self, scenario):
        records = self.measure(scenario, suite="latency")["records"]
        for record in records:
            self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
            (metric,) = record["metrics"]
            self.assertEqual((metric["name"], metric["unit"], metric["better"]), ("latency", "s", "lower"))
        return {r["id"].rsplit("=", 1)[1]: r["metrics"][0]["value"] for r in records}

    def test_each_level_is_what_the_machine_was_made_with(self):
        truth = {"l1_bytes": 256, "l1_seconds": 30e-9, "l2_seconds": 200e-9, "memory_seconds": 700e-9}
        found = self.latencies(scenario_of("h200", device={"load_latency": truth}))
        self.assertEqual(found.keys(), self.TRUTH.keys())
        for footprint, seconds in self.TRUTH.items():
            self.assertAlmostEqual(found[footprint] / seconds, 1, delta=0.005, msg=footprint)

    def test_twin_a_machine_with_others(self):
        found = self.latencies(scenario_of("l4"))
        for footprint, seconds in {"256": 20e-9, "32768": 140e-9, "memory": 600e-9}.items():
            self.assertAlmostEqual(found[footprint] / seconds, 1, delta=0.005, msg=footprint)


class Compute(SimulatedCase):
    UNITS = {"fma/f64": "f64_fma", "fma/f32": "f32_fma", "fma/f16": "f16_fma", "fma/bf16": "bf16_fma", "fma/i32": "i32_mad",
             "mma/f64": "f64_matrix", "mma-tf32/f32": "tf32_matrix", "mma/f16": "f16_matrix", "mma-acc16/f16": "f16_acc16_matrix",
             "mma/bf16": "bf16_matrix", "mma/e4m3": "fp8_matrix", "mma/i8": "i8_matrix",
             "wgmma-tf32/f32": "tf32_matrix", "wgmma/f16": "f16_matrix", "wgmma/bf16": "bf16_matrix", "wgmma/e4m3": "fp8_matrix",
             "wgmma/i8": "i8_matrix"}

    def check_rates(self, machine, **device):
        """On few SMs, whose work the CPU does in a moment."""
        scenario = scenario_of(machine, device={"sms": 2, **device})
        truth = scenario["devices"][0]
        found = {"/".join(r["id"].split("/")[3:5]): r for r in self.measure(scenario, suite="compute")["records"]}
        self.assertEqual(found.keys(), self.UNITS.keys())
        for name, record in found.items():
            if name == "mma/e4m3" and truth["compute_capability"] == "9.0":
                self.assertEqual(record["status"], "unsupported")
                self.assertRegex(record["why"], r"^only compute capability 8\.9 and 12\.x have an mma of fp8, and this GPU has 9\.0$")
                continue
            if name.startswith("wgmma") and truth["compute_capability"] != "9.0":
                self.assertEqual(record["status"], "unsupported")
                self.assertRegex(record["why"], r"^only compute capability 9\.0 has wgmma, and this GPU has ")
                continue
            self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
            self.assertEqual("unproven" in record["about"], name.startswith("wgmma"), record["id"])
            (metric,) = record["metrics"]
            self.assertEqual(metric["unit"], "OP/s" if "/i" in name else "FLOP/s")
            unit = truth["units"][self.UNITS[name]]
            reached = truth["sms"] * unit["flop_per_clock"] * truth["sm_clock_hz"] * unit["share"]
            self.assertAlmostEqual(metric["value"] / reached, 1, delta=0.005, msg=record["id"])
            self.assertIsNotNone(metric["ceiling"], record["id"])

    def test_every_unit_does_what_the_machine_was_made_with(self):
        self.check_rates("h200")
        self.check_rates("rtx4090")

    def test_an_old_driver_compiles_all_but_fp8(self):
        found = {"/".join(r["id"].split("/")[3:5]): r
                 for r in self.measure(scenario_of("rtx4090", device={"sms": 1}, driver_version=12000), suite="compute")["records"]}
        self.assertEqual(found.keys(), self.UNITS.keys())
        for name, record in found.items():
            if name == "mma/e4m3":
                self.assertEqual(record["status"], "unsupported")
                self.assertRegex(record["why"], "^the driver is older than this program's machine code.*install a newer driver$")
            elif name.startswith("wgmma"):
                self.assertEqual(record["status"], "unsupported")
            else:
                self.assertEqual((record["status"], record["about"]["jit"]), ("ok", True), record["why"])

    def test_an_old_driver_compiles_the_products_of_warpgroups(self):
        found = {"/".join(r["id"].split("/")[3:5]): r
                 for r in self.measure(scenario_of("h200", device={"sms": 1}, driver_version=12000), suite="compute")["records"]}
        for name in (name for name in self.UNITS if name.startswith("wgmma")):
            self.assertEqual((found[name]["status"], found[name]["about"]["jit"]), ("ok", True), found[name]["why"])

    def test_what_a_chip_does_not_have_is_said(self):
        units = {**scenario_of("rtx4090")["devices"][0]["units"], "f32_fma": {"flop_per_clock": 128, "share": 0.9}}
        device = {"sms": 1, "name": "NVIDIA TITAN RTX", "compute_capability": "7.5", "units": units}
        statuses = {"/".join(r["id"].split("/")[3:5]): r for r in self.measure(scenario_of("rtx4090", device=device), suite="compute")["records"]}
        for name in self.UNITS:
            if name.startswith(("mma", "wgmma")) or name == "fma/bf16":
                self.assertEqual(statuses[name]["status"], "unsupported", name)
                self.assertRegex(statuses[name]["why"], r"(needs compute capability 8\.0|^only compute capability (8\.9 and 12\.x|9\.0) .*), and this GPU has 7\.5$")
            else:
                self.assertEqual(statuses[name]["status"], "ok", statuses[name]["why"])

    def test_twin_a_machine_whose_units_do_less(self):
        units = scenario_of("h200")["devices"][0]["units"]
        self.check_rates("h200", units={name: {**unit, "share": unit["share"] / 2} for name, unit in units.items()})


class Screens(SimulatedCase):
    def test_auto_is_the_gpu(self):
        document = self.measure(scenario_of("h200"), "--repeats", 1, device="auto")
        self.assertEqual(document["devices"][0]["id"], "cuda:0")

    def test_info_shows_the_card(self):
        done = self.warpmark(scenario_of("h200"), "info")
        self.assertEqual(done.code, 0, done.err)
        words = " ".join(done.out.split())  # wherever the lines break
        for text in ("NVIDIA H200", "132 SMs", "compute capability 9.0", "bf16_matrix", "dense, by compute capability"):
            self.assertIn(text, words)
        self.assertIn("NVIDIA GPU 1 x NVIDIA H200", words)

    def test_info_shows_a_card_that_nvml_and_the_system_do_not(self):
        done = self.warpmark(scenario_of("h200"), "info", libraries=self.libraries_without("nvidia-ml"))
        self.assertEqual(done.code, 0, done.err)
        words = " ".join(done.out.split())
        if not any(pathlib.Path("/dev").glob("nvidia[0-9]*")):  # a simulated GPU is in no file of the system
            self.assertRegex(words, r"NVIDIA GPU cuda:0 by the driver's library, (none|unknown) by the system's files")

    def test_a_driver_below_the_home_folder_tells_nobodys_name(self):
        def libcuda(libraries):
            devices = json.loads(self.warpmark(scenario_of("h200"), "list", "devices", "--json", libraries=libraries).out)
            return devices[0]["facts"]["libcuda"]
        at_home = self.folder / "lib"
        shutil.copytree(LIBRARIES, at_home)
        self.assertEqual(libcuda(at_home), "~/lib/libcuda.so.1")
        self.assertEqual(libcuda(LIBRARIES), f"{LIBRARIES}/libcuda.so.1")

    def test_list_names_every_device(self):
        done = self.warpmark(scenario_of("rtx4090"), "list", "devices")
        self.assertRegex(done.out, r"cuda:0 +NVIDIA GeForce RTX 4090, 128 SMs")
        self.assertIn("cpu:0", done.out)

    def test_the_report_has_the_card(self):
        self.measure(scenario_of("h200"), "--repeats", 1)
        done = self.warpmark(None, "report", self.folder / "result.json", "--format", "md", "-o", self.folder / "r.md")
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("NVIDIA H200", (self.folder / "r.md").read_text())


if __name__ == "__main__":
    unittest.main()
