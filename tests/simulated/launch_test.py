# SPDX-License-Identifier: Apache-2.0
"""What launches cost: each number is what the machine was made with, is verified, and fails by itself."""
import unittest

from simulated_case import SimulatedCase, scenario_of

LAUNCH = {"submit_seconds": 2.2e-6, "argument_byte_seconds": 0.4e-9, "block_seconds": 3e-9, "start_seconds": 1.1e-6,
          "notice_seconds": 1.7e-6, "sleep_after_seconds": 0.05, "wake_seconds": 40e-6}
GRAPH = {"node_seconds": 1.3e-6, "launch_seconds": 6e-6, "instantiate_seconds": 0.9e-6, "upload_seconds": 0.2e-6}
OVERHEAD = 2.5e-6  # between two kernels
COMPLETION = "launch/(round_trip|submit|after_idle)"


def value_of(record, name="latency"):
    (value,) = [metric["value"] for metric in record["metrics"] if metric["name"] == name]
    return value


class Launches(SimulatedCase):
    def setUp(self):
        super().setUp()
        self.simulate_clock()

    def scenario(self, **changes):
        return scenario_of("h200", device={"launch": LAUNCH, "graph": GRAPH, "kernel_overhead_seconds": OVERHEAD}, **changes)

    def measured(self, scenario, filtered="", **options):
        words = ("--filter", filtered) if filtered else ()
        records = self.measure(scenario, *words, suite="launch", **options)["records"]
        return {record["id"].removeprefix("launch/").replace("cuda:0/empty/u8/", ""): record for record in records}

    def assert_truth(self, record, seconds):
        self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
        self.assertTrue(record["verification"]["ok"])
        # Medians of jitter of 0.3 %, which a host that waits sees of a part only.
        self.assertAlmostEqual(value_of(record) / seconds, 1, delta=0.003, msg=record["id"])

    def test_each_number_is_the_machines_own(self):
        scenario = self.scenario()
        self.assert_all(self.measured(scenario), scenario)

    def test_twin_a_machine_with_others(self):
        scenario = self.scenario()
        device = scenario["devices"][0]
        device["launch"] = {key: 2 * value for key, value in LAUNCH.items()}
        device["graph"] = {key: 3 * value for key, value in GRAPH.items()}
        self.assert_all(self.measured(scenario), scenario)

    def assert_all(self, found, scenario):
        launch, graph = scenario["devices"][0]["launch"], scenario["devices"][0]["graph"]
        self.assertEqual(len(found), 3 * 4 + 2 + 4 * 2)
        for arguments in (0, 1024):
            for blocks in (1, 128):
                of_case = f"arguments={arguments}/blocks={blocks}"
                call = launch["submit_seconds"] + arguments * launch["argument_byte_seconds"]
                on_device = OVERHEAD + blocks * launch["block_seconds"]
                self.assert_truth(found[f"submit/{of_case}"], call)
                self.assert_truth(found[f"back_to_back/{of_case}"], on_device)
                self.assert_truth(found[f"round_trip/{of_case}"], call + launch["start_seconds"] + on_device + launch["notice_seconds"])
        awake = launch["submit_seconds"] + launch["start_seconds"] + OVERHEAD + launch["block_seconds"] + launch["notice_seconds"]
        self.assert_truth(found["after_idle/idle_ms=1"], awake)
        if launch["sleep_after_seconds"] < 0.1:
            self.assert_truth(found["after_idle/idle_ms=100"], awake + launch["wake_seconds"])
        for nodes in (16, 128):
            self.assert_truth(found[f"graph/step=node/nodes={nodes}"], graph["node_seconds"] + launch["block_seconds"])
            self.assert_truth(found[f"graph/step=launch/nodes={nodes}"], graph["launch_seconds"])
            self.assert_truth(found[f"graph/step=instantiate/nodes={nodes}"], nodes * graph["instantiate_seconds"])
            call_and_wait = 2 * 1e-6  # host_call_seconds: upload, wait
            self.assert_truth(found[f"graph/step=upload/nodes={nodes}"], max(nodes * graph["upload_seconds"], 1e-6) + call_and_wait - 1e-6)

    def test_slow_launches_are_told_beside_the_median(self):
        record = self.measured(self.scenario(jitter={"sigma": 0.1, "seed": 1}), "launch/submit/.*/arguments=0/blocks=1$")
        (record,) = record.values()
        self.assertEqual(len(record["samples"]["seconds"]), 2000)
        self.assertEqual(record["samples"]["batch"], 1)
        self.assertEqual(record["samples"]["clock_hz"], [], "nothing between samples")
        median = LAUNCH["submit_seconds"]
        # Quantiles of exp(0.1 z) at z = 2.326 and 3.090; the second is one of two samples.
        self.assertAlmostEqual(value_of(record, "latency_p99") / median, 1.262, delta=0.04)
        self.assertAlmostEqual(value_of(record, "latency_p999") / median, 1.362, delta=0.12)
        self.assertEqual(record["stats"]["p999"], value_of(record, "latency_p999"))

    def test_nothing_holds_the_stream_where_the_host_waits(self):
        held = {"kernel": "stream_hold", "code": 700}
        for record in self.measured(self.scenario(faults=[held]), COMPLETION).values():
            self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])

    def test_twin_what_the_device_times_is_held(self):
        held = {"kernel": "stream_hold", "code": 700}
        for record in self.measured(self.scenario(faults=[held]), "launch/back_to_back/.*/arguments=0/blocks=1$", code=4).values():
            self.assertEqual(record["status"], "failed", record["id"])

    def test_a_spoiled_launch_is_caught(self):
        # Of a graph the first launch of its chain: two would undo each other.
        for fault, cases in (({"kernel": "launch_empty_0"}, "launch/submit/.*/arguments=0/blocks=1$"), ({"kernel": "launch_tell"}, COMPLETION),
                             ({"kernel": "launch_empty_64", "nth": 2}, "launch/graph/.*/step=launch/nodes=16$")):
            with self.subTest(fault["kernel"]):
                for record in self.measured(self.scenario(faults=[fault | {"spoil": True}]), cases, code=4).values():
                    self.assertEqual(record["status"], "failed", record["id"])
                    self.assertIn("wrong result", record["why"])

    def test_a_refused_call_is_a_record_with_its_reason(self):
        for call in ("cuGraphCreate", "cuGraphAddKernelNode", "cuGraphInstantiateWithFlags", "cuGraphUpload", "cuGraphLaunch"):
            with self.subTest(call):
                refused = {"call": call, "nth": 1, "code": 801}
                (record,) = self.measured(self.scenario(faults=[refused]), "launch/graph/.*/step=upload/nodes=16$", code=4).values()
                self.assertEqual(record["status"], "failed")
                self.assertIn(f"{call}: operation not supported", record["why"])

    def test_the_summary_says_from_what_size_on_work_pays(self):
        self.measured(self.scenario(), "launch/(submit|back_to_back|round_trip)")
        self.assertRegex(" ".join(self.run_output.split()),
                         r"cuda:0: a launch costs 2\.50 µs where others follow it, and 7\.50 µs where its end is waited for")

    def test_arguments_that_no_kernel_takes_are_said(self):
        (self.folder / "odd.json").write_text('{"schema": "warpmark.suite/1", "name": "odd", "about": "odd", "select": '
                                              '[{"benchmarks": "^launch/submit$", "axes": {"arguments": [48], "blocks": [1]}}]}')
        (record,) = self.measure(self.scenario(), "--repeats", 1, suite=self.folder / "odd")["records"]
        self.assertEqual(record["status"], "unsupported")
        self.assertEqual(record["why"], "there are empty kernels with 0, 64, 1024 and 4096 bytes of arguments, and none with 48")


if __name__ == "__main__":
    unittest.main()
