# SPDX-License-Identifier: Apache-2.0
"""A lint run on a small tree that the test plants: what it says of clean files, and that it can fail."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

LINTS = pathlib.Path(__file__).parents[2] / "scripts" / "lint"


class LintCase(unittest.TestCase):
    lint = ""  # the script under test, without its folder

    def complaints(self, planted):
        """Runs the lint on {path: text}; returns its lines of complaint, none when it exits 0."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in planted.items():
                target = pathlib.Path(root, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text)
            command = [sys.executable, "-B", LINTS / self.lint, root]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        self.assertIn(done.returncode, (0, 1))
        return done.stdout.splitlines() if done.returncode else []

    def assert_clean(self, planted):
        self.assertEqual(self.complaints(planted), [])

    def assert_complains(self, planted, *parts):
        """The lint says exactly one line for this tree, and it holds all the parts."""
        complaints = self.complaints(planted)
        self.assertEqual(len(complaints), 1, complaints)
        for part in parts:
            self.assertIn(part, complaints[0])
