# SPDX-License-Identifier: Apache-2.0
"""Several reasons for an exit code: the first of 130, 2, 3, 1, 5, 4, 0. faults_test.py has each alone. (1, judged bad, is
for commands that compare.)"""
import signal
import unittest

import small_disk
from fault_case import FaultCase


class Codes(FaultCase):
    def words(self, *faults):
        return self.run_words("faults", "|".join(["ok", *faults]), "--case-timeout", 2)

    def check(self, code, *faults):
        done = self.call(self.words(*faults))
        self.assertEqual(done.code, code, done.err)
        document = self.document()
        self.assertEqual(document.run["exit_code"], code)
        self.assert_each_once(document.records, 3 + len(faults))
        return done

    def end_badly(self, code, *faults, how):
        """Does `how` to the run while a case hangs."""
        process = self.start(self.words("hang", *faults))
        self.worker_in(process, "hang")
        how(process)
        done = self.finish(process)
        self.assertEqual(done.code, code, done.err)
        return done

    def interrupt(self, process):
        process.send_signal(signal.SIGINT)

    def take_place(self, _):
        """The document cannot be written: an error of I/O."""
        self.result.mkdir()


class ExitCodes(Codes):
    def test_0(self):
        self.check(0, "unsettled", "skipped", "unsupported", "denied", "huge", "noisy")

    def test_4_before_0(self):
        self.check(4, "unsettled", "skipped", "denied", "sigsegv")

    def test_5_before_4(self):
        self.check(5, "wrong", "sigsegv", "no_time")

    def test_2_before_5(self):
        done = self.end_badly(2, "wrong", "no_time", how=self.take_place)
        self.assertRegex(done.err.splitlines()[-1], f"{self.result}: is a folder; .*--resume {self.result_journal}")
        self.assertIn("fault/no_time", done.out)
        self.result.rmdir()
        self.assertEqual(self.resume().code, 5)
        self.assertEqual(self.document().run["exit_code"], 5)

    def test_130_before_5(self):
        self.end_badly(130, "wrong", "no_time", how=self.interrupt)
        self.assertEqual(self.document().run["exit_code"], 130)
        self.assertGreater(len(self.journal()[1]), 0)

    def test_130_before_2(self):
        def both(process):
            self.take_place(process)
            self.interrupt(process)
        self.assertIn("--resume", self.end_badly(130, "wrong", how=both).err)


class UnusableGpu(Codes):
    """For this process and its children alone there is /dev/nvidia0, for which this build has no backend."""

    device = "auto"

    @classmethod
    def setUpClass(cls):
        if (reason := small_disk.why_none()):
            raise unittest.SkipTest(reason)
        super().setUpClass()

    def setUp(self):
        super().setUp()
        devices = self.folder / "dev"
        small_disk.mount_small(devices, 64)
        self.addCleanup(small_disk.unmount, devices)
        for name in ("null", "zero", "full", "random", "urandom"):
            (devices / name).touch()
            small_disk.bind(f"/dev/{name}", devices / name)
        (devices / "nvidia0").touch()
        small_disk.bind(devices, "/dev")
        self.addCleanup(small_disk.unmount, "/dev")

    def test_3(self):
        done = self.check(3)
        self.assertRegex(done.out.splitlines()[0], "^device: .*/dev/nvidia0")
        self.assertIn("/dev/nvidia0", self.document().run["device_problem"])

    def test_twin_the_cpu_was_asked_for(self):
        self.device = "cpu:0"
        self.check(0)

    def test_3_before_5(self):
        self.check(3, "wrong", "no_time")

    def test_2_before_3(self):
        self.end_badly(2, how=self.take_place)

    def test_130_before_3(self):
        self.end_badly(130, how=self.interrupt)
