# SPDX-License-Identifier: Apache-2.0
"""What takes its time to go wrong."""
import os
import random
import signal
import time

from fault_case import LONGEST, FaultCase, children_of, wait_until
from probe_test import ProbeCase

SLOW = 3 * 2  # measurements of the suite `slow`


class HungProbe(ProbeCase):
    def test_it_hangs(self):
        process = self.run_without(signal.SIGSTOP)
        out, err = process.communicate(timeout=60 + LONGEST)
        self.assertEqual((process.returncode, out), (3, ""))
        self.assertIn("it did not answer within 60 s", err)


class HangAtExit(FaultCase):
    def test_a_worker_that_does_not_leave(self):
        """It costs time and no record: everything was measured."""
        done = self.run_suite("faults", "ok|hang_at_exit")
        self.assertEqual(done.code, 0, done.err)
        document = self.document()
        self.assert_each_once(document.records, 4)
        for record in document.records:
            self.assert_complete(record)


class RandomKills(FaultCase):
    def kill_somebody(self, process, chance):
        """Ends the supervisor or its child at any moment; says whether it was the supervisor."""
        time.sleep(chance.uniform(0, 2))
        children = list(children_of(process.pid))
        victim = chance.choice([process.pid, *children])
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:  # it ended meanwhile
            pass
        return victim == process.pid

    def one_run(self, seed):
        chance = random.Random(seed)
        process = self.start(self.run_words("slow"))
        self.kill_somebody(process, chance)
        process.communicate(timeout=LONGEST)
        wait_until(lambda: not self.processes(), "no process is left behind")
        if self.result_journal.exists() and b"\n" in self.result_journal.read_bytes():
            _, kept = self.journal()
            self.assertIn(self.resume().code, (0, 4))
            for record in kept:
                self.assertIn(record, self.document().records)
        if not self.result.exists():  # killed before there was a journal with a head
            self.result_journal.unlink(missing_ok=True)
            return
        document = self.document()
        self.assert_each_once(document.records, SLOW)
        self.assertLessEqual(sum(r["status"] == "crashed" for r in document.records), 1)
        self.assertTrue({r["status"] for r in document.records} <= {"ok", "crashed"})
        self.assertFalse(self.result_journal.exists())
        self.result.unlink()

    def test_at_twenty_moments(self):
        first = random.SystemRandom().randrange(1 << 32)
        for seed in range(first, first + 20):
            with self.subTest(seed=seed):
                self.one_run(seed)
