# SPDX-License-Identifier: Apache-2.0
"""libvclock.so: processes that have a role in a simulated machine share one time, and all others keep the real one."""
import os
import pathlib
import struct
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["TEST_PROGRAM"]
LIBRARY = os.environ["TEST_LIBRARY"]
SECOND = 1_000_000_000
READING = 25  # what a worker's look at the clock takes, as clock/vclock.cpp says
LONGEST = 60  # seconds of real time that a program may take: less than it sleeps


class SimulatedClock(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.page = self.folder / "clock"

    def start(self, *words, page=None, preload=LIBRARY):
        environment = {"SIMULATED_CLOCK": str(self.page if page is None else page), "LD_PRELOAD": preload}
        return subprocess.Popen([PROGRAM, *words], env={k: v for k, v in environment.items() if v}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_program(self, *words, **how):
        process = self.start(*words, **how)
        try:
            out, err = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail(f"{words} sleeps in real time")
        return process.returncode, out, err

    def seen(self, *words, **how):
        """What the program printed: nanoseconds."""
        code, out, err = self.run_program(*words, **how)
        self.assertEqual((code, err), (0, ""), out)
        return [int(line) for line in out.split()]

    def assert_real(self, moment, before):
        self.assertTrue(before <= moment <= time.monotonic_ns(), f"{moment} is not the machine's own time")


class Worker(SimulatedClock):
    def test_a_hundred_seconds_are_slept_at_once_and_have_passed_to_the_nanosecond(self):
        before, after = self.seen("worker", "now", f"sleep={100 * SECOND}", "now")
        self.assertEqual(after - before, 100 * SECOND + READING)
        self.assertEqual(self.seen("worker", "sleep=1", "now"), [after + 1 + 2 * READING])

    def test_it_sleeps_until_a_moment_and_never_goes_back(self):
        later = self.seen("worker", f"until={500 * SECOND}", "now", f"until={SECOND}", "now")
        self.assertEqual(later, [500 * SECOND + READING, 500 * SECOND + 2 * READING])

    def test_the_second_process_begins_where_the_first_ended(self):
        first = self.seen("worker", "sleep=12345", "now")
        self.assertEqual(first, [12345 + 2 * READING], "the program reads it once before it starts")
        self.assertEqual(self.seen("worker", "now"), [first[0] + 2 * READING])
        elsewhere = self.seen("worker", "now", page=self.folder / "another")
        self.assertEqual(elsewhere, [2 * READING], "another machine has another time")

    def test_it_obeys_before_any_constructor_has_run(self):
        self.assertEqual(self.seen("worker", "preinit"), [READING])

    def test_all_monotonic_clocks_are_one_and_the_others_are_real(self):
        steady, raw, coarse = self.seen("worker", f"sleep={7 * SECOND}", "now", "raw", "coarse")
        self.assertEqual([raw - steady, coarse - raw], [READING, READING])
        before = time.time_ns()
        date, cpu = self.seen("worker", f"sleep={10**6 * SECOND}", "date", "cpu")
        self.assertTrue(before <= date <= time.time_ns())
        self.assertLess(cpu, LONGEST * SECOND)

    def test_who_spins_on_the_clock_comes_to_an_end(self):
        before, after = self.seen("worker", "now", f"spin={SECOND // 1000}", "now")
        self.assertEqual(after - before, SECOND // 1000 + 2 * READING)

    def test_no_reading_of_any_thread_is_lost(self):
        before, after = self.seen("worker", "now", "crowd=4", "now")
        self.assertEqual(after - before, (4 * 1000 + 1) * READING)

    def test_a_time_that_is_none_is_refused(self):
        self.assertEqual(self.seen("worker", "wrong"), [22, 22])


class Follower(SimulatedClock):
    def test_it_sees_the_workers_time_and_does_not_move_it(self):
        (worked,) = self.seen("worker", f"sleep={9 * SECOND}", "now")
        self.assertEqual(self.seen("sampler", "now", "sleep=20000000", "now"), [worked, worked])

    def test_its_sleep_ends_when_the_workers_have_come_so_far(self):
        sampler = self.start("sampler", "now", f"until={1000 * SECOND}", "now")
        self.addCleanup(sampler.communicate)
        self.addCleanup(sampler.kill)
        before = int(sampler.stdout.readline())
        self.await_sleep(1000 * SECOND)
        self.seen("worker", f"sleep={2000 * SECOND}", "now")
        self.assertEqual((before, int(sampler.communicate(timeout=LONGEST)[0])), (0, 1000 * SECOND))

    def test_the_time_does_not_pass_its_waking_by(self):
        moments = [k * SECOND for k in range(1, 10)]
        follower = self.start("sampler", *(word for at in moments for word in (f"until={at}", "now")))
        self.addCleanup(follower.kill)
        self.await_sleep(SECOND)
        self.seen("worker", f"sleep={20 * SECOND}")
        out, _ = follower.communicate(timeout=LONGEST)
        self.assertEqual([int(line) for line in out.split()], moments)

    def await_sleep(self, until):
        deadline = time.monotonic() + LONGEST
        while self.follower_wakes_at() != until:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)

    def follower_wakes_at(self):
        page = self.page.read_bytes() if self.page.exists() else b""
        return struct.unpack_from("=q", page.ljust(24, b"\0"), 16)[0]

    def test_one_that_is_gone_holds_nobody(self):
        follower = self.start("sampler", f"until={30 * SECOND}")
        time.sleep(0.1)
        follower.kill()
        follower.communicate()
        self.assertGreater(self.seen("worker", f"sleep={100 * SECOND}", "now")[0], 100 * SECOND)


class Stranger(SimulatedClock):
    def check_real(self, *words, **how):
        start = time.monotonic_ns()
        before, after = self.seen(*words, "now", f"sleep={SECOND // 100}", "now", **how)
        self.assert_real(before, start)
        self.assert_real(after, before + SECOND // 100)
        self.assertFalse(self.page.exists())

    def test_another_role_keeps_the_real_time(self):
        for role in ("run", "probe", "workers", "--worker"):
            with self.subTest(role):
                self.check_real(role)
        self.check_real("run", page="")

    def test_without_the_library_all_do(self):
        self.check_real("worker", preload="")


class Refused(SimulatedClock):
    def check_refused(self, why, **how):
        for role in ("worker", "sampler"):
            with self.subTest(role):
                code, out, err = self.run_program(role, "now", **how)
                self.assertEqual((code, out), (125, ""))
                self.assertRegex(err, rf"^libvclock\.so: .*{why}\n$")

    def test_a_page_that_is_not_named(self):
        self.check_refused("SIMULATED_CLOCK is not set: name the file that keeps the simulated machine's time", page="")

    def test_a_page_that_cannot_be_made(self):
        self.check_refused("/missing/clock: No such file or directory", page=self.folder / "missing" / "clock")
        self.check_refused("Is a directory", page=self.folder)

    def test_a_file_of_somebody_elses(self):
        for content in (b"short", b"x" * 4096):
            self.page.write_bytes(content)
            self.check_refused("this is no page of a simulated clock; .*")
            self.assertEqual(self.page.read_bytes(), content, "and it is left as it was")
        self.page.write_bytes(b"")
        self.assertEqual(self.seen("worker", "now"), [2 * READING], "an empty file becomes a page")


if __name__ == "__main__":
    unittest.main()
