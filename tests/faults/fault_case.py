# SPDX-License-Identifier: Apache-2.0
"""warpmark_faulty (the product, with benchmarks that go wrong) as a process to run, to disturb and to look at. Every
document and journal that a test reads is validated by ajv when its class ends."""
import collections
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "schema"))
import valid  # noqa: E402

PROGRAM = os.environ["TEST_FAULTY"]
HERE = pathlib.Path(__file__).parent
SUITES = HERE / "suites"
LONGEST = 60  # seconds for anything to happen: only a test that fails waits for so long


def wait_until(condition, what, seconds=LONGEST):
    """Waits for something true, and returns it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if (value := condition()):
            return value
        time.sleep(0.002)
    raise AssertionError(f"it did not happen within {seconds} s: {what}")


def children_of(pid):
    """{process: its command line} of the children that run."""
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state not in "ZX":
                children[int(folder.name)] = (folder / "cmdline").read_bytes().decode().replace("\0", " ").strip()
    return children


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def processes_with(variable):
    """Those that run and were started with this environment variable, whoever their parent is now."""
    found = []
    for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if variable.encode() in environment.read_bytes().split(b"\0") and is_running(environment.parent.name):
                found.append(int(environment.parent.name))
    return found


class Document:
    """What a test asks of a result document."""

    def __init__(self, text):
        self.whole = json.loads(text)
        self.run, self.records = self.whole["run"], self.whole["records"]

    def statuses(self):
        return {(r["id"], r["repeat"]): r["status"] for r in self.records}

    def of(self, benchmark):
        return [r for r in self.records if r["benchmark"] == f"fault/{benchmark}"]


Done = collections.namedtuple("Done", "code out err")


class FaultCase(unittest.TestCase):
    device = "cpu:0"

    @classmethod
    def setUpClass(cls):
        cls.documents = valid.Documents(cls)

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.log = self.folder / "log"
        self.result = self.folder / "result.json"
        self.result_journal = self.folder / "result.jsonl"

    def tearDown(self):
        wait_until(lambda: not self.processes(), "no process is left behind", seconds=20)

    def processes(self):
        return processes_with(f"FAULT_LOG={self.log}")

    @staticmethod
    def suite(name):
        return SUITES / f"{name}.json"

    def command(self, *words):
        return [PROGRAM, *map(str, words)]

    def run_words(self, suite, only="", *options):
        """`run` with the result in self.result. The seed keeps the order, so that a fault has cases behind it."""
        return self.command("run", "--device", self.device, "--suite", self.suite(suite), "--out", self.result,
                            "--seed", 5, *(["--filter", f"^fault/({only})/"] if only else []), *options)

    def start(self, command, **options):
        environment = {**os.environ, "FAULT_LOG": str(self.log), **options.pop("env", {})}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(command, env=environment, text=True, errors="replace",
                                   **{"cwd": self.folder, **pipes, **options})
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        """Also what it left behind, when the test failed: that may hold its pipes."""
        for pid in [process.pid] * (process.poll() is None) + self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    @staticmethod
    def finish(process):
        out, err = process.communicate(timeout=LONGEST)
        return Done(process.returncode, out, err)

    def call(self, command, **options):
        return self.finish(self.start(command, **options))

    def run_suite(self, suite, only="", *options, **process):
        return self.call(self.run_words(suite, only, *options), **process)

    def resume(self, journal=None, **process):
        return self.call(self.command("run", "--resume", journal or self.result_journal), **process)

    def began(self):
        """What was measured, in order, also what no record came of."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def worker_in(self, process, case):
        """The worker's process once it is in the middle of the case."""
        wait_until(lambda: any(line.startswith(f"fault/{case}") for line in self.began()), f"{case} begins")
        return wait_until(lambda: next((p for p, c in children_of(process.pid).items() if "worker" in c), None),
                          "there is a worker")

    def document(self, path=None):
        return Document(self.documents.keep(path or self.result))

    def journal(self, path=None):
        """(head, records) of a journal: its whole lines."""
        head, *records = (json.loads(line) for line in self.documents.keep(path or self.result_journal).split("\n")[:-1])
        return head, records

    def assert_complete(self, record):
        """What a case that went well leaves behind."""
        self.assertEqual((record["status"], record["why"]), ("ok", ""), record["id"])
        self.assertEqual([m["value"] for m in record["metrics"]], [1e9])
        self.assertGreaterEqual(len(record["samples"]["seconds"]), 7)
        self.assertEqual(record["stats"]["n"], len(record["samples"]["seconds"]))
        self.assertEqual(record["verification"], {"error": 0, "allowed": 1, "ok": True})
        self.assertRegex(record["started_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def assert_each_once(self, records, count):
        keys = collections.Counter((r["id"], r["repeat"]) for r in records)
        self.assertEqual((len(keys), max(keys.values())), (count, 1), keys)

    def assert_refused(self, done, *parts, code=2):
        """The exit code, one line that holds the parts, nothing on standard output, nothing measured."""
        self.assertEqual((done.code, done.out), (code, ""), done.err)
        self.assertEqual(len(done.err.splitlines()), 1, done.err)
        for part in parts:
            self.assertIn(part, done.err)
