# SPDX-License-Identifier: Apache-2.0
"""The program on a simulated machine (tests/fakes): a scenario, changed as the test asks, and what came out."""
import collections
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["TEST_PROGRAM"]
LIBRARIES = os.environ["TEST_LIBRARIES"]
HERE = pathlib.Path(__file__).parent
MACHINES = HERE.parent / "fakes" / "machines"

Done = collections.namedtuple("Done", "code out err")


def scenario_of(machine, **changes):
    """The machine of that name; `changes` replace what the scenario has at its top, `device` what its devices have."""
    scenario = json.loads((MACHINES / f"{machine}.json").read_text())
    scenario.pop("$schema", None)  # a path from where the file lies
    for each in scenario["devices"]:
        each.update(changes.get("device", {}))
    scenario.update({key: value for key, value in changes.items() if key != "device"})
    return scenario


class SimulatedCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def warpmark(self, scenario, *words, seconds=300, libraries=LIBRARIES):
        """Runs a command on the machine of a scenario (a dictionary); None is a machine without a driver. HOME is the
        test's folder."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        if scenario is not None:
            path = self.folder / "scenario.json"
            path.write_text(json.dumps(scenario))
            environment |= {"LD_LIBRARY_PATH": str(libraries), "SIMULATED_MACHINE": str(path)}
        done = subprocess.run([PROGRAM, *map(str, words)], env=environment, cwd=self.folder, capture_output=True,
                              text=True, timeout=seconds, check=False)
        return Done(done.returncode, done.stdout, done.stderr)

    def measure(self, scenario, *words, suite="memory", device="cuda:0", code=0):
        """`run` on that machine: the document that it wrote."""
        path = self.folder / "result.json"
        path.unlink(missing_ok=True)
        done = self.warpmark(scenario, "run", "--device", device, "--suite", HERE / "suites" / f"{suite}.json",
                             "--out", path, *words)
        self.assertEqual(done.code, code, done.out + done.err)
        self.run_output = done.out + done.err
        return json.loads(path.read_text())

    def one(self, document, benchmark):
        """The record of a benchmark's first repeat."""
        found = [r for r in document["records"] if r["benchmark"] == benchmark and r["repeat"] == 0]
        self.assertEqual(len(found), 1, f"{benchmark}: {[r['id'] for r in document['records']]}")
        return found[0]
