# SPDX-License-Identifier: Apache-2.0
"""Pieces of scripts/lib, run by bash in a folder of the test's own with other programs than the machine's."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
# What the pieces may call of the real machine; everything else has to be planted.
REAL = ("awk", "bash", "cat", "env", "grep", "mkdir", "nproc", "sed", "sha256sum", "touch", "tr", "uname")


class ScriptCase(unittest.TestCase):
    pieces = ()  # files of scripts/lib, without .sh

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "bin").mkdir()
        for name in REAL:
            (self.folder / "bin" / name).symlink_to(shutil.which(name))

    def plant(self, path, text=""):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)  # a link to a program of the machine is replaced, never written through
        target.write_text(text)
        return target

    def program(self, name, body):
        """A program on the PATH that notes how it was called in the file `calls`, then does what body says."""
        self.plant(f"bin/{name}", f'#!/bin/bash\necho "{name} $*" >>calls\n{body}\n').chmod(0o755)

    def bash(self, script, **environment):
        """Runs the script with the pieces; returns (exit code, stdout, stderr)."""
        sources = "".join(f"source '{ROOT}/scripts/lib/{piece}.sh'\n" for piece in ("say", *self.pieces))
        environment = {"PATH": str(self.folder / "bin"), "HOME": os.devnull, **environment}
        done = subprocess.run([shutil.which("bash"), "-c", f"set -euo pipefail\n{sources}{script}", "quickstart"],
                              cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def calls(self):
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []
