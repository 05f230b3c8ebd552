# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C and its relatives, and processes that are killed: everything measured is kept, and --resume goes on."""
import os
import signal

from fault_case import FaultCase, is_running, wait_until
from pseudo_terminal import Terminal

SLOW = 3 * 2  # measurements of the suite `slow`


class Stop(FaultCase):
    def start_slow(self, **process):
        """The suite `slow`, in the middle of its second case or a later one, so that there is something to keep."""
        self.process = self.start(self.run_words("slow"), **process)
        wait_until(lambda: len(self.began()) > 1, "the second case begins")
        return self.process

    def assert_resumed(self, kept):
        """Resuming measures what the records `kept` lack, and nothing else."""
        before = len(self.began())
        done = self.resume()
        self.assertEqual(done.code, 0, done.err)
        document = self.document()
        self.assert_each_once(document.records, SLOW)
        for record in document.records:
            self.assert_complete(record)
        for record in kept:
            self.assertIn(record, document.records)
        self.assertEqual(len(self.began()) - before, SLOW - len(kept))
        self.assertFalse(document.run["interrupted"])
        self.assertFalse(self.result_journal.exists())

    def check_interrupted(self, done):
        """The document and the journal of a run that ended early; returns the records that are kept."""
        self.assertEqual(done.code, 130, done.err)
        document = self.document()
        self.assertTrue(document.run["interrupted"])
        self.assertEqual(document.run["exit_code"], 130)
        self.assert_each_once(document.records, SLOW)
        _, kept = self.journal()
        self.assertGreater(len(kept), 0)
        self.assertLess(len(kept), SLOW)
        for record in document.records:
            if record in kept:
                self.assert_complete(record)
            else:
                self.assertEqual((record["status"], record["started_at"], record["samples"]["seconds"]),
                                 ("skipped", "", []))
                self.assertIn("--resume", record["why"])
        return kept

    def test_twin_nobody_stops_it(self):
        done = self.run_suite("slow")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(set(self.document().statuses().values()), {"ok"})
        self.assertEqual(len(self.began()), SLOW)

    def check_signal(self, number):
        self.start_slow().send_signal(number)
        done = self.finish(self.process)
        self.assertIn(f"warpmark run --resume {self.result_journal}", done.err)
        self.assert_resumed(self.check_interrupted(done))

    def test_sigint(self):
        self.check_signal(signal.SIGINT)

    def test_sigterm(self):
        self.check_signal(signal.SIGTERM)

    def test_sighup(self):
        self.check_signal(signal.SIGHUP)

    def test_before_anything_is_measured(self):
        process = self.start(self.run_words("slow"))
        wait_until(self.result_journal.exists, "the journal is created")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)
        self.assertTrue(self.document().run["interrupted"])
        self.assert_resumed(self.journal()[1])

    def test_ignored_hangup_stays_ignored(self):
        process = self.start(["nohup", *self.run_words("slow")])
        wait_until(lambda: len(self.began()) > 1, "the second case begins")
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.finish(process).code, 0)
        self.assertEqual(set(self.document().statuses().values()), {"ok"})

    def test_a_second_signal_ends_it_at_once(self):
        process = self.start_slow()
        process.send_signal(signal.SIGSTOP)  # so that both are there before it can do anything
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        self.assertEqual(self.finish(process).code, 130)
        self.assertFalse(self.result.exists())
        self.assert_resumed(self.journal()[1])

    def test_in_a_terminal(self):
        """Where the whole foreground group gets Ctrl-C: the worker is not in it, its record is not lost."""
        with Terminal() as terminal:
            self.start_slow(**terminal.of_child(), env={"TERM": "xterm"})
            terminal.type("\x03")
            done = self.finish(self.process)
        self.assertIn("fault/slow/", terminal.shown())
        self.assertNotIn("crashed", terminal.shown())
        self.assert_resumed(self.check_interrupted(done))

    def test_worker_killed(self):
        process = self.start(self.run_words("faults", "ok|slow"))
        os.kill(self.worker_in(process, "slow"), signal.SIGKILL)
        self.assertEqual(self.finish(process).code, 4)
        document = self.document()
        (hit,) = document.of("slow")
        self.assertEqual((hit["status"], hit["why"]), ("crashed", "its worker died: killed by SIGKILL (Killed)"))
        self.assert_each_once(document.records, 4)
        for record in document.of("ok"):
            self.assert_complete(record)
        self.assertFalse(self.result_journal.exists())

    def test_supervisor_killed(self):
        process = self.start_slow()
        process.kill()
        process.wait()
        wait_until(lambda: not self.processes(), "the worker leaves")
        self.assertFalse(self.result.exists())
        _, kept = self.journal()
        self.assertGreater(len(kept), 0)
        self.assert_resumed(kept)

    def test_supervisor_killed_in_the_middle_of_a_line(self):
        process = self.start_slow()
        process.kill()
        process.wait()
        wait_until(lambda: not self.processes(), "the worker leaves")
        _, kept = self.journal()
        with self.result_journal.open("a") as journal:
            journal.write('{"id": "fault/slow/cpu:0/pla')
        self.assert_resumed(kept)

    def test_supervisor_killed_while_a_worker_hangs(self):
        process = self.start(self.run_words("faults", "ok|stubborn", "--case-timeout", 2))
        worker = self.worker_in(process, "stubborn")
        process.kill()
        process.wait()
        wait_until(lambda: not is_running(worker), "the worker leaves although its case never ends")
        self.journal()
        done = self.resume()  # the timeout is the journal's
        self.assertEqual(done.code, 4, done.err)
        document = self.document()
        self.assertEqual([r["status"] for r in document.of("stubborn")], ["timeout"])
        self.assert_each_once(document.records, 4)

    def test_resume_in_another_folder(self):
        process = self.start(self.command("run", "--device", "cpu:0", "--suite", self.suite("slow"), "--out", "here.json"))
        wait_until(lambda: len(self.began()) > 1, "the second case begins")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        done = self.resume(self.folder / "here.jsonl", cwd=elsewhere)
        self.assertEqual(done.code, 0, done.err)
        self.assertFalse(self.document(self.folder / "here.json").run["interrupted"])
        self.assertEqual(list(elsewhere.iterdir()), [])
