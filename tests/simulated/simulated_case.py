# SPDX-License-Identifier: Apache-2.0
"""The program on a simulated machine (tests/fakes): a scenario, changed as the test asks, and what came out."""
import collections
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["TEST_PROGRAM"]
LIBRARIES = os.environ["TEST_LIBRARIES"]
SANITIZERS = os.environ.get("TEST_SANITIZERS", "").split(",")
# A worker that ends so has sent its records, and the run goes on.
FINDING = r"(Address|Leak|Thread)Sanitizer: |: runtime error: "
HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "schema"))  # valid.py
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
    clock = None  # real time

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def simulate_clock(self):
        """From now on the workers of what is run go by a time of the machine's, which begins now (tests/fakes/clock)."""
        self.clock = self.folder / "clock"
        self.clock.unlink(missing_ok=True)

    def machine_seconds(self):
        """How far that time has come."""
        return struct.unpack_from("=q", self.clock.read_bytes(), 8)[0] / 1e9

    def warpmark(self, scenario, *words, seconds=300, libraries=LIBRARIES, within=(), environment=None):
        """Runs a command on the machine of a scenario (a dictionary); None is a machine without a driver. HOME is the
        test's folder. `within` are words of a command that runs it; `environment` is added to it."""
        environment = {**(environment or {}), "PATH": os.environ["PATH"], "HOME": str(self.folder)}
        if scenario is not None:
            path = self.folder / "scenario.json"
            path.write_text(json.dumps(scenario))
            environment |= {"LD_LIBRARY_PATH": str(libraries), "SIMULATED_MACHINE": str(path)}
        if self.clock is not None:
            # AddressSanitizer's runtime is the first library elsewhere, and insists on it.
            environment |= {"LD_PRELOAD": f"{LIBRARIES}/libvclock.so", "SIMULATED_CLOCK": str(self.clock),
                            "ASAN_OPTIONS": "verify_asan_link_order=0"}
        done = subprocess.run([*within, PROGRAM, *map(str, words)], env=environment, cwd=self.folder, capture_output=True,
                              text=True, timeout=seconds, check=False)
        self.assertNotRegex(done.stderr, FINDING)
        return Done(done.returncode, done.stdout, done.stderr)

    def libraries_without(self, part):
        """A folder of the simulated libraries but those whose names have this part."""
        folder = self.folder / f"without-{part}"
        folder.mkdir(exist_ok=True)
        for each in pathlib.Path(LIBRARIES).iterdir():
            if part not in each.name and not (folder / each.name).exists():
                (folder / each.name).symlink_to(each)
        return folder

    def measure(self, scenario, *words, suite="memory", device="cuda:0", code=0, **options):
        """`run` on that machine: the document that it wrote."""
        path = self.folder / "result.json"
        path.unlink(missing_ok=True)
        done = self.warpmark(scenario, "run", "--device", device, "--suite", HERE / "suites" / f"{suite}.json",
                             "--out", path, *words, **options)
        self.assertEqual(done.code, code, done.out + done.err)
        self.run_output = done.out + done.err
        return json.loads(path.read_text())

    def one(self, document, benchmark):
        """The record of a benchmark's first repeat."""
        found = [r for r in document["records"] if r["benchmark"] == benchmark and r["repeat"] == 0]
        self.assertEqual(len(found), 1, f"{benchmark}: {[r['id'] for r in document['records']]}")
        return found[0]
