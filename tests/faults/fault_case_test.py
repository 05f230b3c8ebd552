# SPDX-License-Identifier: Apache-2.0
"""The test's own means can fail: what a test keeps is validated, what it leaves running is seen."""
import json
import unittest

from fault_case import FaultCase, valid, wait_until


class Means(FaultCase):
    @unittest.skipUnless(valid.HAS_AJV, "node or node_modules is missing")
    def test_what_is_kept_is_validated(self):
        self.run_suite("faults", "ok")
        self.document()
        self.documents.validate()
        whole = self.document().whole
        del whole["records"][0]["why"]
        self.result.write_text(json.dumps(whole))
        self.documents.keep(self.result)
        with self.assertRaisesRegex(AssertionError, "must have required property 'why'"):
            self.documents.validate()
        for file in self.documents.folder.iterdir():
            file.unlink()

    def test_what_is_left_running_is_seen(self):
        self.assertEqual(self.processes(), [])
        process = self.start(["sleep", "100"])
        # Popen returns when exec has closed its pipe; the kernel shows the new environment a moment later.
        wait_until(lambda: self.processes() == [process.pid], "the process and its environment are seen")
        process.kill()
        process.wait()

    def test_a_record_that_is_there_twice_is_seen(self):
        self.run_suite("faults", "ok")
        records = self.document().records
        self.assert_each_once(records, 3)
        for wrong in (records[:2], [*records, records[0]]):
            with self.assertRaises(AssertionError):
                self.assert_each_once(wrong, 3)
