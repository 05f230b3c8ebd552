# SPDX-License-Identifier: Apache-2.0
"""What takes its time to go wrong."""
import contextlib
import os
import random
import signal
import time

import small_disk
from disk_test import MANY, OwnDisk
from fault_case import LONGEST, FaultCase, children_of, wait_until
from probe_test import ProbeCase

SLOW = 3 * 2  # measurements of the suite `slow`


class HungProbe(ProbeCase):
    def test_it_hangs(self):
        process = self.run_without(signal.SIGSTOP)
        out, err = process.communicate(timeout=60 + LONGEST)
        self.assertEqual((process.returncode, out), (3, ""))
        self.assertIn("did not answer within 60.0 s and was killed", err)


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
    """Each at fifty moments of a run that takes about two seconds."""
    MOMENTS = 50

    def resume_to_the_end(self):
        """Whatever the journal had is in the document as it was, and was not measured again."""
        _, kept = self.journal()
        before = len(self.began())
        done = self.resume()
        self.assertIn(done.code, (0, 4), done.err)
        document = self.document()
        for record in kept:
            self.assertIn(record, document.records)
        self.assertEqual(len(self.began()) - before, SLOW - len(kept))
        return document

    def check(self, document):
        self.assert_each_once(document.records, SLOW)
        crashed = [r for r in document.records if r["status"] == "crashed"]
        self.assertLessEqual(len(crashed), 1)
        for record in document.records:
            if record not in crashed:
                self.assert_complete(record)
        self.assertFalse(self.result_journal.exists())
        return len(crashed)

    def at_every_moment(self, one_run):
        """How often something was hit."""
        first = random.SystemRandom().randrange(1 << 32)
        hits = 0
        for seed in range(first, first + self.MOMENTS):
            with self.subTest(seed=seed):
                hits += one_run(random.Random(seed))
            for left in (self.result, self.result_journal, self.log):
                left.unlink(missing_ok=True)
        return hits

    def kill_the_worker(self, chance):
        process = self.start(self.run_words("slow"))
        moment = time.monotonic() + chance.uniform(0, 1.6)
        worker = None
        while process.poll() is None and (worker is None or time.monotonic() < moment):
            worker = next((p for p, c in children_of(process.pid).items() if "worker" in c), None)
            time.sleep(0.002)
        if worker is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        self.assertIn(self.finish(process).code, (0, 4))
        return self.check(self.document())

    def kill_the_supervisor(self, chance):
        process = self.start(self.run_words("slow"))
        if chance.random() < 0.9:  # looking at the devices takes longer than the run
            wait_until(lambda: self.result_journal.exists() or process.poll() is not None, "the run begins")
        time.sleep(chance.uniform(0, 1.2))
        process.kill()
        process.communicate(timeout=LONGEST)
        wait_until(lambda: not self.processes(), "no process is left behind")
        if self.result.exists():  # it had ended, but for its journal maybe
            self.result_journal.unlink(missing_ok=True)
            self.check(self.document())
            return 0
        if not self.result_journal.exists() or b"\n" not in self.result_journal.read_bytes():
            return 0  # nothing was measured yet
        self.check(self.resume_to_the_end())
        return 1

    def test_of_the_worker(self):
        self.assertGreater(self.at_every_moment(self.kill_the_worker), self.MOMENTS // 4, "cases were hit")

    def test_of_the_supervisor(self):
        self.assertGreater(self.at_every_moment(self.kill_the_supervisor), self.MOMENTS // 4, "runs were hit")


class RandomlyFullDisk(OwnDisk):
    """Somebody else fills the disk at twenty moments of a run."""
    def one_run(self, chance):
        process = self.start(self.run_words("many"))
        wait_until(lambda: len(self.began()) >= chance.randrange(1, MANY) or process.poll() is not None, "it is under way")
        ballast = small_disk.fill(self.disk)
        done = self.finish(process)
        if done.code == 0:  # it was faster
            ballast.unlink()
            return 0
        self.assertEqual(done.code, 2, done.err)
        self.assertRegex(done.err.splitlines()[-1], r"No space left on device; .*free space.*--resume")
        _, kept = self.journal()
        ballast.unlink()
        before = len(self.began())
        done = self.resume()
        self.assertEqual(done.code, 0, done.err)
        document = self.document()
        self.assert_each_once(document.records, MANY)
        for record in document.records:
            self.assert_complete(record)
        for record in kept:
            self.assertIn(record, document.records)
        self.assertEqual(len(self.began()) - before, MANY - len(kept), "what was flushed is not measured again")
        return 1

    def test_at_twenty_moments(self):
        first = random.SystemRandom().randrange(1 << 32)
        full = 0
        for seed in range(first, first + 20):
            with self.subTest(seed=seed):
                full += self.one_run(random.Random(seed))
            for left in (self.result, self.result_journal, self.log):
                left.unlink(missing_ok=True)
        self.assertGreater(full, 10, "the disk was full in the middle of a run")
