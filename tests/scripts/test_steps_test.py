# SPDX-License-Identifier: Apache-2.0
import json
import shutil
import subprocess
import sys
import unittest

from script_case import ROOT, ScriptCase

PLANTED = "step_good() { echo good ran; }\nstep_bad() { return 1; }\nstep_later() { echo later ran; }\n"


class Steps(ScriptCase):
    pieces = ("test_steps",)

    def test_runs_the_steps_in_order_and_says_what_they_took(self):
        code, out, said = self.bash(PLANTED + "run_steps good later")
        self.assertEqual((code, out), (0, "good ran\nlater ran\n"))
        self.assertRegex(said, r"good +0 s  passed\nlater +0 s  passed\nevery step passed\n$")

    def test_stops_at_the_first_failure_and_names_it(self):
        code, out, said = self.bash(PLANTED + "run_steps good bad later")
        self.assertEqual((code, out), (1, "good ran\n"))
        self.assertRegex(said, r"bad +0 s  failed\n.*step 'bad' failed\. .*scripts/test --only bad\n$")

    def test_the_format_check_can_fail(self):
        for name in ("find", "sort", "xargs", "clang-format"):
            if not shutil.which(name):
                self.skipTest(f"{name} is not installed")
            (self.folder / "bin" / name).symlink_to(shutil.which(name))
        self.plant(".clang-format", (ROOT / ".clang-format").read_text())
        for folder in ("bench", "harness", "kernels", "reports", "scripts", "tests"):
            self.plant(f"{folder}/a.h", "int a;\n")
        self.assertEqual(self.bash("step_format")[0], 0)
        self.plant("kernels/a.h", "int   a ;\n")
        code, _, said = self.bash("step_format")
        self.assertNotEqual(code, 0)
        repair = said.splitlines()[-1].removeprefix("to repair: ")
        self.assertEqual(self.bash(repair)[0], 0)
        self.assertEqual((self.folder / "kernels/a.h").read_text(), "int a;\n")
        self.assertEqual(self.bash("step_format")[0], 0)


class Tidy(ScriptCase):
    def setUp(self):
        super().setUp()
        if not shutil.which("clang-tidy"):
            self.skipTest("clang-tidy is not installed")
        for path in (".clang-tidy", "scripts/ci/tidy.py", "scripts/lint/tree.py"):
            self.plant(path, (ROOT / path).read_text())
        self.plant("harness/core/a.h", "#pragma once\nint twice(int number);\n")
        source = self.plant("harness/core/a.cpp", '#include "harness/core/a.h"\nint twice(int n) { return 2 * n; }\n')
        entry = {"directory": str(self.folder), "file": str(source), "command": f"g++ -I{self.folder} -c {source}"}
        self.plant("build/ci/compile_commands.json", json.dumps([entry]))

    def tidy(self):
        command = [sys.executable, "-B", self.folder / "scripts/ci/tidy.py", self.folder / "build/ci"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_checks_a_clean_file_once(self):
        self.assertIn("1 of 1 files changed", self.tidy()[1])
        self.assertEqual(self.tidy(), (0, "clang-tidy: 0 of 1 files changed since their last clean pass\n"
                                          "clang-tidy: 0 files with findings\n"))

    def test_a_header_with_a_wrong_name_fails_until_it_is_right(self):
        self.assertEqual(self.tidy()[0], 0)
        self.plant("harness/core/a.h", "#pragma once\nint twice(int Number);\n")
        for _ in range(2):
            code, out = self.tidy()
            self.assertEqual(code, 1)
            self.assertIn("invalid case style for parameter 'Number'", out)


if __name__ == "__main__":
    unittest.main()
