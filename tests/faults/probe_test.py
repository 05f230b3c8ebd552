# SPDX-License-Identifier: Apache-2.0
"""The process that opens the devices is the first that a bad driver takes with it."""
import os
import signal

from fault_case import FaultCase, children_of


class ProbeCase(FaultCase):
    def probe_of(self, process):
        """The probe, or None when it was there for too short a time to be seen."""
        while process.poll() is None and not self.began():
            for child, command in children_of(process.pid).items():
                if "probe" in command:
                    return child
        return None

    def run_without(self, number):
        """A run whose probe gets the signal."""
        for _ in range(20):
            process = self.start(self.run_words("faults", "ok"))
            probe = self.probe_of(process)
            if probe is not None:
                os.kill(probe, number)
                return process
            self.finish(process)
            self.result.unlink()
            self.log.unlink()
        raise AssertionError("the probe was never seen")

    def assert_no_device(self, done, *parts):
        self.assertEqual((done.code, done.out), (3, ""), done.err)
        (line,) = done.err.splitlines()
        for part in ("cpu:0 cannot be measured: the process that opens its devices ", *parts):
            self.assertIn(part, line)
        self.assertEqual(self.began(), [])
        self.assertEqual(list(self.folder.iterdir()), [])


class Probe(ProbeCase):
    def test_it_crashes(self):
        self.assert_no_device(self.finish(self.run_without(signal.SIGABRT)), "killed by SIGABRT")

    def test_it_is_killed(self):
        self.assert_no_device(self.finish(self.run_without(signal.SIGKILL)), "killed by SIGKILL")

    def test_twin_it_is_left_alone(self):
        self.assertEqual(self.finish(self.run_without(0)).code, 0)
