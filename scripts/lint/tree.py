# SPDX-License-Identifier: Apache-2.0
"""What the lints look at: the project's own files, without what a build or npm makes, and the includes among them."""
import pathlib
import re
import sys

FOLDERS = (".ci", "bench", "harness", "kernels", "reports", "results", "scripts", "tests")
MADE = {".git", "build", "node_modules", "__pycache__"}
CXX = {".h", ".cpp", ".cu", ".cuh"}
SCRIPT = {".mjs", ".js", ".py", ".sh"}
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def files(root):
    """Every file of the project as a path relative to the root, in order."""
    found = [p for p in root.iterdir() if p.is_file()]
    for folder in FOLDERS:
        found += [p for p in (root / folder).rglob("*") if p.is_file()]
    names = (p.relative_to(root) for p in found)
    return sorted(n for n in names if not MADE.intersection(n.parts))


def text_of(path):
    """The text of a file; None where it is not text."""
    data = path.read_bytes()
    return None if b"\0" in data else data.decode("utf-8", "replace")


def includes_of(path):
    """(line, quote or angle bracket, what is included) of a C++ or CUDA file."""
    lines = enumerate(text_of(path).splitlines(), 1)
    return [(number, m[1], m[2]) for number, line in lines if (m := INCLUDE.match(line))]


def run(lint, about):
    """Runs lint(root), which returns lines of complaint, on the tree that the first argument names, or on this one."""
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    complaints = lint(root)
    print("\n".join(complaints) if complaints else f"{about}: nothing to complain about")
    sys.exit(bool(complaints))
