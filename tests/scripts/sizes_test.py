# SPDX-License-Identifier: Apache-2.0
import unittest

from lint_case import LintCase


def body(lines, line="  step();\n"):
    """A braced body of that many lines, the two braces included."""
    return "{\n" + line * (lines - 2) + "}\n"


class Sizes(LintCase):
    lint = "sizes.py"

    def test_files(self):
        self.assert_clean({"harness/core/a.cpp": "int a;\n" * 400, "README.md": "text\n" * 500})
        self.assert_complains({"harness/core/a.cpp": "int a;\n" * 401}, "harness/core/a.cpp: 401 lines")

    def test_functions_of_cpp(self):
        for head in ("void f() ", "int A::f(int a) const noexcept ", "A::A(int a) : a_(a) ",
                     "auto f() -> std::vector<int> ", "TEST(Sizes, Long) ", "const auto f = [](int a) ",
                     "template <class T, class = std::enable_if_t<(sizeof(T) > 1)>>\nvoid f(T) "):
            with self.subTest(head):
                self.assert_clean({"bench/a.cpp": head + body(40)})
                line = 2 + head.count("\n")
                self.assert_complains({"bench/a.cpp": "\n" + head + body(41)}, f"bench/a.cpp:{line}:", "of 41 lines")

    def test_functions_inside_namespaces_and_classes(self):
        text = "namespace w {\nclass A {\n public:\n  void f() " + body(41) + "};\n}\n"
        self.assert_complains({"bench/a.cpp": text}, "bench/a.cpp:4:")

    def test_what_is_long_and_no_function(self):
        fields, rows = "  int a = 0;\n" * 60, "  {1, 2},\n" * 60
        self.assert_clean({"bench/a.cpp": f"namespace w {{\nint f();\n{fields}}}\n",
                           "bench/b.cpp": f"const Row rows[] = {{\n{rows}}};\nstruct A {{\n{fields}}};\n"})

    def test_braces_that_are_none(self):
        blind = '  a("{"); b(\'{\'); c(R"x(" { )x"); d(1\'000); // {\n  /* { */\n'
        self.assert_clean({"bench/a.cpp": ("void f() {\n" + blind + "}\n") * 30})

    def test_functions_of_javascript_python_and_shell(self):
        self.assert_complains({"reports/a.mjs": "export function f(a) " + body(41)}, "reports/a.mjs:1:")
        self.assert_complains({"reports/a.mjs": "const f = async (a) => " + body(41) + "\n"}, "reports/a.mjs:1:")
        self.assert_complains({"scripts/a.py": "def f():\n" + "    a = 1\n" * 40}, "scripts/a.py:1:")
        self.assert_complains({"scripts/a": "#!/usr/bin/env bash\nf() " + body(41, "  true\n")}, "scripts/a:2:")
        self.assert_clean({"scripts/a.py": "def f():\n" + "    a = 1\n" * 39,
                           "scripts/a": "#!/bin/sh\nf() " + body(40, "  true\n")})

    def test_the_function_around_a_whole_script_is_none(self):
        self.assert_clean({"reports/a.js": "(() => " + body(60) + ")();\n(function () " + body(60) + ")();\n"})
        self.assert_complains({"reports/a.js": "(() => {\nfunction f() " + body(41) + "})();\n"}, "reports/a.js:2:")

    def test_the_list_of_exceptions(self):
        self.assert_clean({"harness/core/a.cpp": "int a;\n" * 401,
                           "scripts/lint/sizes_allowed.txt": "# why\nharness/core/a.cpp a table of constants\n"})


if __name__ == "__main__":
    unittest.main()
