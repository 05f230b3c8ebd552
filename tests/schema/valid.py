# SPDX-License-Identifier: Apache-2.0
"""Keeps every document and journal that the tests of a class read, and has ajv validate them all when the class ends."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
VALIDATE = ROOT / "tests/harness/store/validate.mjs"
HAS_AJV = shutil.which("node") is not None and (ROOT / "node_modules/ajv").is_dir()


class Documents:
    def __init__(self, test_class):
        self.folder = pathlib.Path(test_class.enterClassContext(tempfile.TemporaryDirectory()))
        test_class.addClassCleanup(self.validate)

    def keep(self, path):
        """Its text, of which there is a copy from now on."""
        copy = self.folder / f"{len(list(self.folder.iterdir()))}{path.suffix}"
        copy.write_bytes(path.read_bytes())
        return copy.read_text()

    def read(self, path):
        return json.loads(self.keep(path))

    def validate(self):
        if not HAS_AJV:
            print("not validated by ajv: node or node_modules is missing", file=sys.stderr)
            return
        for kind, ending in (("result", ".json"), ("journal", ".jsonl")):
            files = sorted(str(f) for f in self.folder.glob(f"*{ending}"))
            done = subprocess.run(["node", VALIDATE, kind, *files], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise AssertionError(done.stdout + done.stderr)
