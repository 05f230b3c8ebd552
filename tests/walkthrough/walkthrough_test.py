# SPDX-License-Identifier: Apache-2.0
"""Does what CONTRIBUTING.md says under "Add a benchmark", in a copy of the tree, and measures the new benchmark."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Another text, to try one out before it is in place.
TEXT = pathlib.Path(os.environ.get("TEST_CONTRIBUTING", ROOT / "CONTRIBUTING.md"))
FOLDER = pathlib.Path(os.environ["TEST_FOLDER"])
TREE, BUILD, WORK = FOLDER / "tree", FOLDER / "build", FOLDER / "work"
COPIED = ("kernels", "bench", "scripts/cmake")
NEW = ["kernels/memory/add.h", "kernels/memory/add_cpu.cpp", "bench/memory/add.cpp"]
EXTENDED = ["kernels/CMakeLists.txt", "bench/CMakeLists.txt"]
SUITE = {"schema": "warpmark.suite/1", "name": "walkthrough", "repeats": 1,
         "protocol": {"min_samples": 6, "min_seconds": 0, "max_seconds": 1, "interval": 1, "min_warmup_seconds": 0},
         "select": [{"benchmarks": "^memory/add$", "axes": {"footprint": [16, 1000, 25165824]}}]}


def steps_of(text):
    """(language, path, code) of every block of code; the path is the last one named before it."""
    steps, path = [], None
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$|`([\w./]+/[\w.]+)`", text, re.S | re.M):
        if match[3]:
            path = match[3]
        else:
            steps.append((match[1], path, match[2]))
    return steps


def walkthrough():
    text = TEXT.read_text()
    section = re.search(r"^## Add a benchmark\n(.*?)(?=^## |\Z)", text, re.S | re.M)
    assert section, f"{TEXT.name} has no section 'Add a benchmark'"
    return steps_of(section[1])


def write_if_other(path, text):
    """Leaves the time stamp of what is right already, so that a second run builds nothing."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def copy_tree():
    for folder in COPIED:
        for source in filter(pathlib.Path.is_file, (ROOT / folder).rglob("*")):
            if source.suffix in {".h", ".cpp", ".cmake", ".txt", ".json"} and source.name != "CMakeLists.txt":
                write_if_other(TREE / source.relative_to(ROOT), source.read_text())
    lists = {path: (ROOT / path).read_text() for path in EXTENDED}
    for language, path, code in walkthrough():
        if language == "cpp":
            write_if_other(TREE / path, code)
        elif language == "cmake":
            lists[path] += code
    lists["CMakeLists.txt"] = (ROOT / "tests/walkthrough/project/CMakeLists.txt").read_text()
    for path, text in lists.items():
        write_if_other(TREE / path, text)


def build():
    cmake = os.environ["TEST_CMAKE"]
    commands = ([cmake, "-S", TREE, "-B", BUILD, "-G", "Ninja", "-C", os.environ["TEST_SETTINGS"]],
                [cmake, "--build", BUILD, "--parallel", "2", "--target", "warpmark"])
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def warpmark(*arguments):
    environment = {**os.environ, "XDG_CONFIG_HOME": str(WORK)}
    return subprocess.run([BUILD / "bin/warpmark", *arguments], cwd=WORK, env=environment, capture_output=True, text=True,
                          timeout=300)


def records():
    (WORK / "suite.json").write_text(json.dumps(SUITE))
    result = WORK / "result.json"
    result.unlink(missing_ok=True)
    done = warpmark("run", "--suite", "suite.json", "--device", "cpu:0", "--out", str(result))
    assert result.exists(), done.stdout + done.stderr
    return {record["id"]: record for record in json.loads(result.read_text())["records"]}


class Walkthrough(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)
        copy_tree()
        build()

    def test_is_three_files_two_lines_and_two_commands(self):
        steps = walkthrough()
        self.assertEqual([path for language, path, _ in steps if language == "cpp"], NEW)
        self.assertEqual([path for language, path, _ in steps if language == "cmake"], EXTENDED)
        self.assertEqual([code.count("\n") for language, _, code in steps if language == "cmake"], [1, 1])
        commands = [line for language, _, code in steps if language == "sh" for line in code.splitlines()]
        self.assertEqual(len(commands), 2)

    def test_keeps_a_benchmark_short(self):
        # What has to be thought of: without blank lines, comments, includes and the brackets of namespaces.
        for language, path, code in walkthrough():
            lines = [s for s in code.splitlines() if s and not re.match(r"//|#|(\} {2}// )?namespace|\}", s)]
            self.assertLess(len(lines), 40, path)

    def test_is_formatted_as_everything_is(self):
        if not shutil.which("clang-format"):
            self.skipTest("clang-format is not installed")
        for path in NEW:
            done = subprocess.run(["clang-format", "--style=file", f"--assume-filename={ROOT / path}"],
                                  input=(TREE / path).read_text(), capture_output=True, text=True)
            self.assertEqual(done.stdout, (TREE / path).read_text(), path)

    def test_adds_the_benchmark(self):
        done = warpmark("list", "benchmarks", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"memory/add"', done.stdout)
        self.assertIn('"memory/triad"', done.stdout)

    def test_its_commands_work(self):
        for language, _, code in walkthrough():
            for line in code.splitlines() if language == "sh" else []:
                program, *_ = line.split()
                self.assertEqual(program, "warpmark")
                script = f'warpmark() {{ "{BUILD}/bin/warpmark" "$@"; }}; {line}'
                done = subprocess.run(["bash", "-c", script], cwd=WORK, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, line + "\n" + done.stdout + done.stderr)
                self.assertIn("memory/add", done.stdout + done.stderr)

    def test_measures_and_verifies_it(self):
        found = records()
        self.assertEqual(sorted(found), [f"memory/add/cpu:0/plain/f64/footprint={n}" for n in (1000, 16, 25165824)])
        for record in found.values():
            self.assertIn(record["status"], ("ok", "not_converged"), record["why"])
            self.assertTrue(record["verification"]["ok"])
            self.assertEqual(record["metrics"][0]["name"], "bandwidth")
            self.assertGreater(record["metrics"][0]["value"], 0)
        # 25165824 B are 1048576 elements of three arrays; with at most 12 cores that is one pass.
        work = found["memory/add/cpu:0/plain/f64/footprint=25165824"]["work"]
        self.assertEqual((work["bytes_read"], work["bytes_written"], work["flops"]), (16777216, 8388608, 1048576))

    def test_finds_a_kernel_that_is_wrong(self):
        kernel = TREE / "kernels/memory/add_cpu.cpp"
        right = kernel.read_text()
        self.assertIn("b[i] + c[i]", right)
        try:
            kernel.write_text(right.replace("b[i] + c[i]", "(b[i] + c[i]) * (i == 0 ? 1.01 : 1.0)"))
            build()
            for record in records().values():
                self.assertEqual(record["status"], "failed", record["id"])
                self.assertIn("wrong result before the samples", record["why"])
        finally:
            kernel.write_text(right)
            build()


class TheReader(unittest.TestCase):
    def test_takes_the_last_path_before_a_block(self):
        text = "In `a/b.h` and `kernels/x.h`:\n\n```cpp\nint `c/d.h`;\n```\nthen `e/f.txt`\n```cmake\nline()\n```\n"
        self.assertEqual(steps_of(text), [("cpp", "kernels/x.h", "int `c/d.h`;\n"), ("cmake", "e/f.txt", "line()\n")])


if __name__ == "__main__":
    unittest.main()
