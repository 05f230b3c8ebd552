# SPDX-License-Identifier: Apache-2.0
"""Standard streams that are closed, full, or whose reader left: the result is written all the same."""
import os
import signal
import subprocess

from fault_case import FaultCase, wait_until


class Streams(FaultCase):
    def check(self, *options, code=0, **process):
        done = self.run_suite("faults", "ok", *options, **process)
        self.assertEqual(done.code, code, done.err)
        document = self.document()
        self.assert_each_once(document.records, 3)
        for record in document.records:
            self.assert_complete(record)
        self.assertFalse(self.result_journal.exists())
        return done

    def closed(self, *streams):
        return {"preexec_fn": lambda: [os.close(stream) for stream in streams]}

    @staticmethod
    def without_reader():
        read, write = os.pipe()
        os.close(read)
        return write

    def test_twin_all_open(self):
        done = self.check()
        self.assertIn(str(self.result), done.out)
        self.assertIn("[3/3] fault/ok", done.err)

    def test_standard_input_closed(self):
        self.check(**self.closed(0))

    def test_standard_output_closed(self):
        """As where it is full: the summary is lost, the result is not."""
        self.assertIn("standard output cannot be written: it is closed", self.check(code=2, **self.closed(1)).err)

    def test_standard_error_closed(self):
        self.assertEqual(self.check(**self.closed(2)).err, "")

    def test_all_closed(self):
        self.check(code=2, **self.closed(0, 1, 2))

    def test_standard_input_that_never_ends(self):
        with open("/dev/zero", "rb") as zeros:
            self.check(stdin=zeros)

    def test_the_reader_of_standard_output_leaves(self):
        self.assertEqual(self.check(stdout=self.without_reader()).err.count("\n"), 3, "progress, and no complaint")

    def test_the_reader_of_the_document_leaves(self):
        self.check("--json", stdout=self.without_reader())

    def test_the_reader_of_standard_error_leaves(self):
        self.check(stderr=self.without_reader())

    def test_a_pipeline_that_takes_one_line(self):
        shell = self.start(["bash", "-c", '"$@" | head -1', "bash", *self.run_words("faults", "ok")])
        self.assertEqual(len(self.finish(shell).out.splitlines()), 1)
        wait_until(lambda: not self.processes(), "the run ends")
        self.assert_each_once(self.document().records, 3)
        self.assertFalse(self.result_journal.exists())

    def test_standard_output_full(self):
        with open("/dev/full", "wb") as full:
            self.assertIn("No space left on device", self.check(code=2, stdout=full).err)

    def test_standard_error_full(self):
        with open("/dev/full", "wb") as full:
            self.check(stderr=full)

    def test_interrupted_without_standard_error(self):
        for stream in (self.without_reader(), os.open("/dev/full", os.O_WRONLY)):
            with self.subTest(stream):
                self.result.unlink(missing_ok=True)
                self.result_journal.unlink(missing_ok=True)
                self.log.unlink(missing_ok=True)
                process = self.start(self.run_words("slow"), stderr=stream)
                wait_until(lambda: len(self.began()) > 1, "the second case begins")
                process.send_signal(signal.SIGINT)
                self.assertEqual(self.finish(process).code, 130)
                self.assertTrue(self.document().run["interrupted"])

    def test_errors_without_standard_error(self):
        for stream in (self.without_reader(), subprocess.DEVNULL):
            done = self.call(self.command("run", "--suite", "none"), stderr=stream)
            self.assertIn(done.code, (2, -signal.SIGPIPE))
