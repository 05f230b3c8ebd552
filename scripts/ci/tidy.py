#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on the files of a compilation database, two at a time, and only where something changed since the
last clean pass: a stamp per file is named by the hash of the file, its headers, its command and .clang-tidy."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lint"))
from tree import FOLDERS, includes_of  # noqa: E402

STAMPS = ROOT / "build" / "tidy"


def with_headers(path, seen):
    """The file and every header of the project that it includes, by way of others too."""
    if path not in seen and path.is_file():
        seen.add(path)
        for _, kind, what in includes_of(path):
            if kind == '"':
                with_headers(ROOT / what, seen)
    return seen


def stamp_of(entry, version):
    digest = hashlib.sha256((version + entry["command"]).encode() + (ROOT / ".clang-tidy").read_bytes())
    for path in sorted(with_headers(pathlib.Path(entry["file"]), set())):
        digest.update(path.as_posix().encode() + path.read_bytes())
    return STAMPS / digest.hexdigest()


def check(entry, stamp, folder):
    """(whether the file is clean, what clang-tidy has to say); a clean file leaves its stamp."""
    # g++ knows warnings that clang does not; that is no finding.
    command = ["clang-tidy", "-p", str(folder), "--quiet", "--extra-arg=-Wno-unknown-warning-option", entry["file"]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        stamp.touch()
    lines = (done.stdout + done.stderr).splitlines()
    said = [line for line in lines if not re.match(r"\d+ warnings? (and|generated|treated)|Suppressed|Use -", line)]
    return done.returncode == 0, "\n".join(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="build folder that holds compile_commands.json")
    parser.add_argument("match", nargs="?", default="", help="regular expression: only files whose path matches")
    arguments = parser.parse_args()
    STAMPS.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True, check=True).stdout
    database = json.loads((arguments.folder / "compile_commands.json").read_text())
    ours = [e for e in database if os.path.relpath(e["file"], ROOT).split("/")[0] in FOLDERS]
    stamps = {e["file"]: stamp_of(e, version) for e in ours}
    todo = [e for e in ours if re.search(arguments.match, e["file"]) and not stamps[e["file"]].exists()]
    print(f"clang-tidy: {len(todo)} of {len(ours)} files changed since their last clean pass", flush=True)
    unclean = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for clean, said in pool.map(lambda e: check(e, stamps[e["file"]], arguments.folder), todo):
            unclean += not clean
            print(said, end="\n" if said else "", flush=True)
    for stamp in set(STAMPS.iterdir()) - set(stamps.values()):
        stamp.unlink()  # of a version of a file that is gone
    print(f"clang-tidy: {unclean} files with findings")
    sys.exit(bool(unclean))


if __name__ == "__main__":
    main()
