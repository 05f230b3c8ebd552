# SPDX-License-Identifier: Apache-2.0
"""`warpmark worker` is a complete Google Benchmark program."""
import json

from fault_case import FaultCase

OK = [f"fault/ok/cpu:0/plain/f64/n={n}" for n in (1, 2, 3)]


class ByHand(FaultCase):
    def worker(self, *flags, only="ok"):
        return self.call(self.command("worker", "--suite", self.suite("faults"), "--filter", f"^fault/({only})/", *flags))

    def runs(self, *flags, only="ok", code=0):
        """What it writes as JSON on standard output, which holds nothing else."""
        done = self.worker("--benchmark_format=json", *flags, only=only)
        self.assertEqual(done.code, code, done.err)
        return json.loads(done.out)["benchmarks"]

    def test_lists(self):
        done = self.worker("--benchmark_list_tests")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual([line.partition("/iterations:")[0] for line in done.out.splitlines()], OK)
        self.assertEqual(self.began(), [])

    def test_filters(self):
        self.assertEqual([r["name"].partition("/iterations:")[0] for r in self.runs("--benchmark_filter=n=[13]")],
                         [OK[0], OK[2]])
        self.assertEqual(self.began(), ["fault/ok/n=1", "fault/ok/n=3"])

    def test_measures(self):
        for run in self.runs():
            self.assertEqual((run["iterations"], run["real_time"], run["time_unit"]), (1, 1e6, "ns"))
            self.assertEqual(run["B/s"], 1e9)

    def test_repeats(self):
        runs = self.runs("--benchmark_repetitions=2", "--benchmark_filter=n=2")
        self.assertEqual([r["repetition_index"] for r in runs if r["run_type"] == "iteration"], [0, 1])
        self.assertIn("mean", [r.get("aggregate_name") for r in runs])
        self.assertEqual(self.began(), ["fault/ok/n=2"] * 2)

    def test_console(self):
        done = self.worker("--benchmark_color=false")
        self.assertEqual(done.code, 0, done.err)
        for name in OK:
            self.assertIn(name, done.out)
        self.assertRegex(done.out, r"B/s=(1000M|1G)")

    def test_writes_a_file(self):
        file = self.folder / "out.json"
        self.assertEqual(self.worker(f"--benchmark_out={file}", "--benchmark_out_format=json").code, 0)
        self.assertEqual(len(json.loads(file.read_text())["benchmarks"]), 3)

    def test_a_file_that_cannot_be_written_is_found_before(self):
        for file in ("/nonexist/out.json", "/dev/full"):
            self.assert_refused(self.worker(f"--benchmark_out={file}"), file)
        self.assertEqual(self.began(), [])

    def test_what_goes_wrong_is_an_error_of_its_run(self):
        runs = {r["name"].split("/")[1]: r for r in self.runs(only="ok|wrong|denied", code=4)}
        self.assertEqual(runs["wrong"]["error_message"],
                         "failed: wrong result before the samples: off by 3, 2 is allowed")
        self.assertEqual(runs["denied"]["error_message"], "denied: as it was asked to")
        self.assertNotIn("error_occurred", runs["ok"])

    def test_a_filter_that_matches_nothing(self):
        done = self.worker("--benchmark_filter=none")
        self.assertEqual((done.code, done.out), (2, ""), done.err)
        self.assertIn("none", done.err)
        self.assert_refused(self.worker(only="none"), "the nearest is")

    def test_a_flag_that_nobody_knows(self):
        self.assert_refused(self.worker("--benchmark_filtre=x"), "--benchmark_filtre")
        self.assert_refused(self.worker("--filtre=x"), "--filtre", "--filter")
