# SPDX-License-Identifier: Apache-2.0
"""A case that goes wrong costs itself and nothing else."""
import json
import signal

from fault_case import FaultCase, is_running, wait_until

# benchmark: status, exit code, and what the reason says
FAULTS = {
    "sigsegv": ("crashed", 4, "its worker died: killed by SIGSEGV (Segmentation fault)"),
    "abort": ("crashed", 4, "its worker died: killed by SIGABRT (Aborted)"),
    "throws_odd": ("crashed", 4, "its worker died: killed by SIGABRT"),
    "orphan": ("crashed", 4, "its worker died: killed by SIGKILL (Killed)"),
    "close": ("crashed", 4, "its worker died: exit code 1"),
    "babble": ("crashed", 4, "no message"),
    "exit": ("crashed", 4, "its worker left without a record of it"),
    "hang": ("timeout", 4, "its worker said nothing for 2.00 s and was killed"),
    "stubborn": ("timeout", 4, "its worker said nothing for 2.00 s and was killed"),
    "wrong": ("failed", 4, "wrong result before the samples: off by 3, 2 is allowed"),
    "wrong_later": ("failed", 4, "wrong result after the samples: off by 3, 2 is allowed"),
    "nan": ("failed", 4, "wrong result before the samples: off by nan, 1 is allowed"),
    "throws": ("failed", 4, "it\nsays \x1b[31m�<b>\"}"),
    "nan_time": ("failed", 4, "gave no number"),
    "no_time": ("invalid", 5, "the clock did not advance"),
    "unsettled": ("not_converged", 0, "the median is known to"),
    "huge": ("skipped", 0, "needs "),
    "skipped": ("skipped", 0, "as it was asked to"),
    "unsupported": ("unsupported", 0, "as it was asked to"),
    "denied": ("denied", 0, "as it was asked to"),
}


class Faults(FaultCase):
    def check(self, fault):
        status, code, why = FAULTS[fault]
        done = self.run_suite("faults", f"ok|{fault}", "--case-timeout", 2)
        self.assertEqual(done.code, code, done.err)
        document = self.document()
        (hit,) = document.of(fault)
        self.assertEqual(hit["status"], status, hit["why"])
        self.assertIn(why, hit["why"])
        self.assertEqual(hit["metrics"] != [], status in ("not_converged", "invalid"))
        self.assertEqual(document.run["exit_code"], code)
        self.assertFalse(document.run["interrupted"])
        self.assert_each_once(document.records, 4)
        for record in document.of("ok"):
            self.assert_complete(record)
        began = self.began()
        self.assertEqual(sorted(b for b in began if b.startswith("fault/ok/")),
                         [f"fault/ok/n={n}" for n in (1, 2, 3)], "measured once each")
        if f"fault/{fault}" in began:  # the others refuse before they begin
            self.assertNotEqual(began[-1], f"fault/{fault}", "something comes after it")
        self.assertFalse(self.result_journal.exists())

    def test_without_a_fault(self):
        done = self.run_suite("faults", "ok", "--case-timeout", 2)
        self.assertEqual(done.code, 0, done.err)
        document = self.document()
        self.assert_each_once(document.records, 3)
        for record in document.records:
            self.assert_complete(record)
        self.assertEqual(len(self.began()), 3)
        self.assertFalse(self.result_journal.exists())

    def test_prints_garbage(self):
        done = self.run_suite("faults", "ok|noisy")
        self.assertEqual(done.code, 0, done.err)
        for record in self.document().records:
            self.assert_complete(record)
        self.assertIn('{"begin":"x"}', done.err)  # its standard error is the user's
        self.assertNotIn('{"begin":"x"}', done.out)  # our standard output is not its

    def test_variables_of_google_benchmark(self):
        for variable in ("BENCHMARK_REPETITIONS", "BENCHMARK_LIST_TESTS", "BENCHMARK_FILTER"):
            with self.subTest(variable):
                self.result.unlink(missing_ok=True)
                done = self.run_suite("faults", "ok", env={variable: "2"})
                self.assertEqual(done.code, 0, done.err)
                self.assert_each_once(self.document().records, 3)

    def test_a_parent_that_ignores_the_end_of_children(self):
        done = self.run_suite("faults", "ok|abort", preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(done.code, 4, done.err)
        self.assertIn("SIGABRT", self.document().of("abort")[0]["why"])

    def test_the_document_on_standard_output_is_nothing_else(self):
        done = self.run_suite("faults", "ok|noisy", "--json")
        self.assertEqual(json.loads(done.out), self.document().whole)

    def test_says_how_much_memory_is_missing(self):
        self.check("huge")
        (hit,) = self.document().of("huge")
        self.assertRegex(hit["why"], r"^needs [\d.]+ [KMGT]iB more memory, [\d.]+ [KMG]iB is free$")

    def test_all_at_once(self):
        done = self.run_suite("faults", "|".join(["ok", *FAULTS]), "--case-timeout", 2)
        self.assertEqual(done.code, 5, done.err)
        document = self.document()
        self.assert_each_once(document.records, 3 + len(FAULTS))
        for fault, (status, _, why) in FAULTS.items():
            (hit,) = document.of(fault)
            self.assertEqual(hit["status"], status, hit["why"])
            self.assertIn(why, hit["why"])
        for record in document.of("ok"):
            self.assert_complete(record)

    def test_a_worker_that_ends_between_two_cases(self):
        process = self.start(self.run_words("faults", "ok|exit_later"))
        worker = self.worker_in(process, "exit_later")
        process.send_signal(signal.SIGSTOP)  # nobody acknowledges the record until the worker is gone
        wait_until(lambda: not is_running(worker), "the worker ends")
        process.send_signal(signal.SIGCONT)
        self.finish(process)
        document = self.document()
        self.assert_each_once(document.records, 4)
        self.assert_complete(document.of("exit_later")[0])


for each in FAULTS:
    if each != "huge":
        setattr(Faults, f"test_{each}", lambda self, fault=each: self.check(fault))
