#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on names that say nothing (utils, misc, ...), types of one name in one namespace, files without the licence line, headers
without a purpose."""
import collections
import re

from tree import CXX, SCRIPT, files, run, text_of

PRODUCT = {"bench", "harness", "kernels", "reports"}
SAY_NOTHING = {"common", "helper", "helpers", "manager", "misc", "stuff", "util", "utils"}
LICENCE = re.compile(r"(//|#|--|/\*) SPDX-License-Identifier: Apache-2\.0( \*/)?$")


def complaints_of(name, text):
    words = {w for part in name.parts for w in re.split(r"[-_.]", part.lower())}
    if nothing := words & SAY_NOTHING:
        yield f"'{nothing.pop()}' says nothing: name it for its main type or verb"
    if name.suffix in CXX and not re.fullmatch(r"[a-z0-9_]+\.\w+", name.name):
        yield "files are named in snake_case"
    lines = (text or "").splitlines()
    if lines and lines[0].startswith("#!"):
        lines.pop(0)
    elif name.suffix not in CXX | SCRIPT:
        return
    if not lines or not LICENCE.match(lines[0]):
        yield "the first line (after #!) is to be '// SPDX-License-Identifier: Apache-2.0', or the same after '#'"
    if name.suffix in {".h", ".cuh"} and not (len(lines) > 1 and re.match(r"// \S+ \S+ \S+", lines[1])):
        yield "a header opens, after its licence line, with one or two sentences of what it is for"
    if name.suffix in {".h", ".cuh"} and "#pragma once" not in lines:
        yield "a header has '#pragma once'"


def types_in(text):
    """(namespace, name) of the types that a header defines outside of others: nothing is indented in a namespace."""
    spaces = []
    for line in text.splitlines():
        if opened := re.match(r"namespace ([\w:]+) \{", line):
            spaces.append(opened[1])
        elif line.startswith("}  // namespace") and spaces:
            spaces.pop()
        elif defined := re.match(r"(?:class|struct|enum class) (\w+)(?: final)?(?: : [^;]+)? \{", line):
            yield "::".join(spaces), defined[1]


def lint_types(root):
    """Two types of one name are one to the linker: whichever it meets first."""
    places = collections.defaultdict(list)
    for name in files(root):
        if name.suffix == ".h" and name.parts[0] in PRODUCT:
            for defined in types_in(text_of(root / name) or ""):
                places[defined].append(name)
    for (space, type_name), names in places.items():
        if len(names) > 1:
            yield f"{names[1]}: {space}::{type_name} is defined in {names[0]} too: rename one"


def lint(root):
    return [*(f"{name}: {why}" for name in files(root) for why in complaints_of(name, text_of(root / name))),
            *lint_types(root)]


if __name__ == "__main__":
    run(lint, "names")
