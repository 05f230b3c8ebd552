# SPDX-License-Identifier: Apache-2.0
"""A disk that is full or read-only. Each test has one of its own, which takes a mount."""
import unittest

import small_disk
from fault_case import FaultCase

MANY = 50  # measurements of the suite `many`
ROOMY_KIB = 8192


class OwnDisk(FaultCase):
    @classmethod
    def setUpClass(cls):
        if (reason := small_disk.why_none()):
            raise unittest.SkipTest(reason)
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        small_disk.mount_small(self.disk, ROOMY_KIB)
        self.addCleanup(small_disk.unmount, self.disk)
        self.result = self.disk / "result.json"
        self.result_journal = self.disk / "result.jsonl"


class FullDisk(OwnDisk):
    def assert_says_what_to_do(self, done, path):
        self.assertEqual(done.code, 2, done.err)
        *progress, last = done.err.splitlines()
        self.assertRegex(last, rf"^warpmark: {path}: .*: No space left on device; .*free space.* and continue with: "
                               rf"warpmark run --resume {self.result_journal}$")
        for line in progress:
            self.assertRegex(line, r"^\[\d+/50\] .*: ok, 1\.00 GB/s$|^\d+ of 50 measurements are in the journal$")

    def assert_resumed(self, kept):
        done = self.resume()
        self.assertEqual(done.code, 0, done.err)
        document = self.document()
        self.assert_each_once(document.records, MANY)
        for record in document.records:
            self.assert_complete(record)
        for record in kept:
            self.assertIn(record, document.records)
        self.assertEqual([f.name for f in self.disk.iterdir()], ["result.json"])

    def test_twin_with_space(self):
        done = self.run_suite("many")
        self.assertEqual(done.code, 0, done.err)
        self.assert_each_once(self.document().records, MANY)
        self.assertEqual(len(self.began()), MANY)

    def test_full_in_the_middle(self):
        small_disk.resize(self.disk, 32)
        self.assert_says_what_to_do(self.run_suite("many"), self.result_journal)
        self.assertEqual([f.name for f in self.disk.iterdir()], ["result.jsonl"])
        self.assertTrue(self.result_journal.read_bytes().endswith(b"\n"))
        _, kept = self.journal()
        self.assertGreater(len(kept), 0)
        self.assertEqual(len(self.began()), len(kept) + 1, "one record found no space, and nothing was measured after")
        self.assert_says_what_to_do(self.resume(), self.result_journal)  # still full
        self.assertEqual(self.journal()[1], kept)
        small_disk.resize(self.disk, ROOMY_KIB)
        before = len(self.began())
        self.assert_resumed(kept)
        self.assertEqual(len(self.began()) - before, MANY - len(kept))

    def test_full_at_the_document(self):
        self.run_suite("many")
        bytes_needed = self.result.stat().st_size
        self.result.unlink()
        self.log.unlink()
        small_disk.resize(self.disk, bytes_needed * 3 // 2 // 1024)  # for the journal, and half of the document
        self.assert_says_what_to_do(self.run_suite("many"), self.result)
        self.assertEqual([f.name for f in self.disk.iterdir()], ["result.jsonl"])
        _, kept = self.journal()
        self.assert_each_once(kept, MANY)
        small_disk.resize(self.disk, ROOMY_KIB)
        self.assert_resumed(kept)
        self.assertEqual(len(self.began()), MANY, "nothing is measured again")

    def test_full_at_the_start(self):
        ballast = small_disk.fill(self.disk)
        self.assert_refused(self.run_suite("many"), str(self.result_journal), "No space left on device",
                            "nothing was measured: free space, or choose another --out")
        self.assertEqual(self.began(), [])
        self.assertEqual([f.name for f in self.disk.iterdir()], ["ballast"])
        ballast.unlink()
        self.assertEqual(self.run_suite("faults", "ok").code, 0)


class ReadOnlyDisk(OwnDisk):
    def test_is_found_before_measuring(self):
        small_disk.make_read_only(self.disk)
        self.assert_refused(self.run_suite("faults", "ok"), str(self.disk), "Read-only file system")
        self.assertEqual(self.began(), [])

    def test_twin_writable(self):
        self.assertEqual(self.run_suite("faults", "ok").code, 0)
        self.assertEqual(len(self.began()), 3)
