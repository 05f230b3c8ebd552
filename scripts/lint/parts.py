#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a source file that nothing builds or runs: a file that no list names vanishes quietly."""
import collections
import json
import pathlib
import posixpath
import re

from tree import CXX, files, includes_of, run, text_of

FOLDERS = ("harness", "kernels", "bench", "reports", "tests")
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")


def lists_of(root, names):
    """Folder -> the text of its CMakeLists.txt and of its package scripts; CMake modules belong to the root."""
    lists = collections.defaultdict(str)
    for name in names:
        if name.name == "CMakeLists.txt":
            lists[name.parent] += text_of(root / name)
        elif name.suffix == ".cmake":
            lists[pathlib.PurePath()] += text_of(root / name)
        elif name.name == "package.json":
            lists[name.parent] += "\n".join(json.loads(text_of(root / name)).get("scripts", {}).values())
    return lists


def listed(name, lists):
    """Whether a list in the file's folder or one above names it: by path, or by a folder that holds it."""
    for folder in (f for f in name.parents if f in lists):
        path = name.relative_to(folder)
        holders = [p for p in path.parents if p.name] if name.suffix == ".mjs" else []
        for spelling in (p.as_posix() for p in [path, *holders]):
            if re.search(rf"(?:(?<![\w./-])|(?<=\}}/)){re.escape(spelling)}(?![\w.])", lists[folder]):
                return True
    return False


def used_by_others(root, names):
    """What other files include or import, as paths from the root."""
    used = set()
    for name in names:
        if name.suffix in CXX:
            used |= {what for _, kind, what in includes_of(root / name) if kind == '"'}
        elif name.suffix in {".mjs", ".js"}:
            folder = name.parent.as_posix()
            used |= {posixpath.normpath(f"{folder}/{m[1]}") for m in IMPORT.finditer(text_of(root / name))}
    return used


def lint(root):
    names = files(root)
    lists, used = lists_of(root, names), used_by_others(root, names)
    ours = [n for n in names if n.parts[0] in FOLDERS and n.suffix in CXX | {".mjs"}]
    return [f"{n}: no CMakeLists.txt or package script names it, and nothing includes it"
            for n in ours if not listed(n, lists) and n.as_posix() not in used]


if __name__ == "__main__":
    run(lint, "parts")
