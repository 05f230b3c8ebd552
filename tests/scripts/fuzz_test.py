# SPDX-License-Identifier: Apache-2.0
import unittest

from script_case import ScriptCase

DONE = "#12\tINITED cov: 1 ft: 2 corp: 3/4b\n#345\tDONE   cov: 6 ft: 7 corp: 8/9b lim: 4 exec/s: 1 rss: 2Mb\n"
FOUND = "terminate called\n  what():  broken: planted\nunsaid\nTest unit written to findings/bad-crash-1\n"


class Fuzzers(ScriptCase):
    pieces = ("fuzz",)

    def fuzzer(self, kind, prints, code=0):
        body = f'#!/bin/bash\necho "{kind} $*" >>calls\nprintf %s "{prints}"\nexit {code}\n'
        self.plant(f"build/fuzz/bin/{kind}_fuzzer", body).chmod(0o755)

    def test_each_runs_for_so_long_and_says_what_it_saw(self):
        self.fuzzer("bold", DONE)
        self.fuzzer("calm", DONE)
        code, _, said = self.bash("run_fuzzers 20")
        self.assertEqual((code, said), (0, "bold: 345 runs, cov: 6 ft: 7 corp: 8/9b\ncalm: 345 runs, cov: 6 ft: 7 corp: 8/9b\n"))
        self.assertEqual([call.split()[:2] for call in self.calls()],
                         [["bold", "-max_total_time=20"], ["calm", "-max_total_time=20"]])

    def test_begins_with_what_was_found_once(self):
        self.fuzzer("bold", DONE)
        self.assertEqual(self.bash("run_fuzzers 1")[0], 0)
        self.assertNotIn("regressions", self.calls()[-1])
        self.plant("tests/fuzz/regressions/bold/one")
        self.assertEqual(self.bash("run_fuzzers 1")[0], 0)
        self.assertTrue(self.calls()[-1].endswith("build/fuzz/tests/fuzz/seeds/bold tests/fuzz/regressions/bold"))

    def test_the_first_finding_ends_it_and_is_told(self):
        self.fuzzer("bad", FOUND, code=77)
        self.fuzzer("calm", DONE)
        code, _, said = self.bash("run_fuzzers 1")
        self.assertEqual((code, len(self.calls())), (1, 1))
        self.assertIn("broken: planted\nTest unit written to findings/bad-crash-1\nthe fuzzer of bad files found something", said)

    def test_no_fuzzer_is_no_pass(self):
        self.assertNotEqual(self.bash("run_fuzzers 1")[0], 0)


if __name__ == "__main__":
    unittest.main()
