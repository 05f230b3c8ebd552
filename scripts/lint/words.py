#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on absolute paths of somebody's machine (home folders, scratch folders): they mean nothing anywhere else."""
import re

from tree import files, run, text_of

# /home/someone and /home/user are the examples that tests and documentation may use.
PATH = re.compile(r"(?<![\w.\-$}/])/(?:home/(?!someone\b|user\b)|Users/|root/|work/|tmp/|var/tmp/)[\w.\-]+")


def lint(root):
    complaints = []
    for name in files(root):
        for number, line in enumerate((text_of(root / name) or "").splitlines(), 1):
            complaints += [f"{name}:{number}: {m[0]}... is a path of one machine" for m in PATH.finditer(line)]
    return complaints


if __name__ == "__main__":
    run(lint, "words")
