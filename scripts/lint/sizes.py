#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on files over 400 lines and functions over 40; sizes_allowed.txt names exceptions, each with its reason."""
import ast
import re

from tree import CXX, files, run, text_of

FILE_LINES, FUNCTION_LINES = 400, 40
ALLOWED = "scripts/lint/sizes_allowed.txt"
# What may hold a brace that is none: comments, strings, characters (not the ' of 1'000); raw strings and preprocessor
# lines of C++; templates and regular expressions of JavaScript.
BLIND = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\''
CXX_BLIND = re.compile(r'R"(\w*)\(.*?\)\1"|' + BLIND + r"|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
JS_BLIND = re.compile(BLIND + r"|`(?:\\.|[^`\\])*`|(?<=[(,=:!&|?{};])\s*/(?:\\.|\[[^\]\n]*\]|[^/\\\n])+/", re.S)
# Heads of braces that are none: scopes, statements, and the function around a whole script of JavaScript.
NO_FUNCTION = re.compile(r"(class|struct|union|enum|namespace|extern|if|for|while|switch|do|else|try|catch)\b|"
                         r"\((async )?(function\b|\()")
FUNCTION = re.compile(r"(=>|\)\s*(const|noexcept|override|final|mutable|&&?|->.*|:(?!:).*|requires\b.*|\s)*)$", re.S)


def without_templates(head):
    while m := re.match(r"\s*template\s*<", head):
        depth, at = 1, m.end()
        while at < len(head) and depth:
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[at:]
    return head.strip()


def braced_functions(text, blind):
    """(first line, last line) of each outermost function body, by counting braces."""
    text = blind.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    depth, start, head_from = 0, None, 0  # start: (depth, line) of the function that we are in
    for at in (m.start() for m in re.finditer(r"[{};]", text)):
        if text[at] == "{":
            head = without_templates(text[head_from:at])
            if start is None and FUNCTION.search(head) and not NO_FUNCTION.match(head):
                start = depth, text.count("\n", 0, at) + 1
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if start and start[0] == depth:
                yield start[1], text.count("\n", 0, at) + 1
                start = None
        head_from = at + 1


def python_functions(text):
    return [(n.lineno, n.end_lineno) for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]


def shell_functions(text):
    opened = None
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\w+\(\) \{$", line):
            opened = number
        elif line == "}" and opened:
            yield opened, number
            opened = None


def kind_of(name, text):
    """What finds the functions of this file; None for a file that has no limit."""
    shebang = text.partition("\n")[0] if text.startswith("#!") else ""
    if name.suffix in CXX:
        return lambda t: braced_functions(t, CXX_BLIND)
    if name.suffix in {".mjs", ".js"}:
        return lambda t: braced_functions(t, JS_BLIND)
    if name.suffix == ".py" or "python" in shebang:
        return python_functions
    if name.suffix == ".sh" or "sh" in shebang:
        return shell_functions
    return (lambda _: []) if name.suffix in {".cmake", ".css", ".html"} or name.name == "CMakeLists.txt" else None


def lint(root):
    exceptions = text_of(root / ALLOWED).splitlines() if (root / ALLOWED).exists() else []
    allowed = {line.split()[0] for line in exceptions if line and line[0] != "#"}
    complaints = []
    for name in files(root):
        if name.parts[0] == "results":  # pages there were made, not written
            continue
        text = text_of(root / name)
        functions = kind_of(name, text) if text and name.as_posix() not in allowed else None
        if functions is None:
            continue
        if (lines := text.count("\n")) > FILE_LINES:
            complaints.append(f"{name}: {lines} lines, at most {FILE_LINES}: it holds more than one thought")
        complaints += [f"{name}:{first}: a function of {last - first + 1} lines, at most {FUNCTION_LINES}"
                       for first, last in functions(text) if last - first + 1 > FUNCTION_LINES]
    return complaints


if __name__ == "__main__":
    run(lint, "sizes")
