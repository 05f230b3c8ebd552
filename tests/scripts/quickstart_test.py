# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
import unittest

from script_case import ROOT, ScriptCase

# Stands for the built program: notes how it is called, writes what it is told to, and ends as the test wants.
WARPMARK = """#!/bin/bash
echo "warpmark $*" >>calls
[[ $1 == run ]] && echo table || CODE=0
while (($#)); do
  case $1 in --out | -o) [[ ${NOTHING_MEASURED:-} ]] || { echo x >"$2" && echo "path  $2"; } ;; esac
  shift
done
exit "${CODE:-0}"
"""


class Quickstart(ScriptCase):
    def setUp(self):
        super().setUp()
        shutil.copytree(ROOT / "scripts", self.folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        self.plant("scripts/packages.txt", "[run]\ncmake\n")
        self.plant("CMakePresets.json", "{}")
        self.plant("package-lock.json", "{}")
        self.plant("built", WARPMARK).chmod(0o755)
        for name in ("date", "dirname", "cp"):
            (self.folder / "bin" / name).symlink_to(shutil.which(name))
        self.program("dpkg-query", "printf 'cmake:installed '")
        self.program("node", "echo v18.20.4")
        self.program("npm", "mkdir -p node_modules")
        self.program("cmake", "mkdir -p build/release/bin\ntouch build/release/build.ninja\n"
                              "cp built build/release/bin/warpmark")

    def quickstart(self, *options, **environment):
        environment = {"PATH": str(self.folder / "bin"), "HOME": os.devnull, **environment}
        done = subprocess.run([self.folder / "scripts/quickstart", *options], cwd="/", env=environment,
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def warpmark_calls(self):
        return [call for call in self.calls() if call.startswith("warpmark")]

    def test_measures_reports_and_ends_with_the_two_paths(self):
        code, out, said = self.quickstart("--cpu")
        self.assertEqual(code, 0)
        self.assertRegex(said, r"building build/release/bin/warpmark: the first time takes minutes")
        self.assertRegex(said, r"measuring with build/release/bin/warpmark; to put it on PATH: cmake --install")
        self.assertRegex(out, r"^table\npath  build/quickstart/\d{8}T\d{6}Z\.json\n"
                              r"path  build/quickstart/\d{8}T\d{6}Z\.html\n$")
        result, report = (self.folder / line.split("  ")[1] for line in out.splitlines()[-2:])
        self.assertTrue(result.exists() and report.exists())
        self.assertEqual(result.stem, report.stem)
        run, page = self.warpmark_calls()
        self.assertRegex(run, r"^warpmark run --suite quick --device cpu:0 --out build/quickstart/\w+\.json$")
        self.assertRegex(page, r"^warpmark report build/quickstart/\w+\.json --format html "
                               r"-o build/quickstart/\w+\.html$")

    def test_a_second_time_it_only_measures(self):
        self.quickstart("--cpu")
        before = len(self.calls())
        self.quickstart("--cpu")
        self.assertEqual([call.split()[0] for call in self.calls()[before:]],
                         ["dpkg-query", "node", "cmake", "warpmark", "warpmark"])
        self.assertIn("cmake --build --preset release", self.calls()[before:])

    def test_what_follows_two_dashes_goes_to_the_run(self):
        self.quickstart("--cpu", "--", "--label", "rack=7")
        self.assertRegex(self.warpmark_calls()[0], r"\.json --label rack=7$")

    def test_the_exit_code_is_that_of_the_run(self):
        for code in (4, 5, 130):
            done, out, _ = self.quickstart("--cpu", CODE=str(code))
            self.assertEqual(done, code)
            self.assertIn(".html\n", out)

    def test_no_result_no_report(self):
        code, out, _ = self.quickstart("--cpu", CODE="3", NOTHING_MEASURED="yes")
        self.assertEqual((code, out, len(self.warpmark_calls())), (3, "table\n", 1))

    def test_a_build_that_fails(self):
        self.program("cmake", "exit 1")
        code, out, said = self.quickstart("--cpu")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("the build failed", said)

    def test_an_unknown_option(self):
        code, _, said = self.quickstart("--gpu")
        self.assertEqual((code, self.calls()), (2, []))
        self.assertIn("unknown option --gpu", said)


if __name__ == "__main__":
    unittest.main()
