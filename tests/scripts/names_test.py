# SPDX-License-Identifier: Apache-2.0
import unittest

from lint_case import LintCase

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
HEADER = SPDX + "// What one launch costs, known before it runs.\n#pragma once\n"


class Names(LintCase):
    lint = "names.py"

    def test_accepts_what_we_write(self):
        self.assert_clean({"harness/core/work.h": HEADER, "harness/core/work.cpp": SPDX, "reports/page.mjs": SPDX,
                           "scripts/lint/names.py": "#!/usr/bin/env python3\n# SPDX-License-Identifier: Apache-2.0\n",
                           "scripts/test": "#!/usr/bin/env bash\n# SPDX-License-Identifier: Apache-2.0\n",
                           "README.md": "x\n"})

    def test_names_that_say_nothing(self):
        for path in ("harness/core/utils.cpp", "harness/core/a_helpers.cpp", "harness/misc/a.cpp", "bench/common.cpp"):
            self.assert_complains({path: SPDX}, path, "says nothing")

    def test_names_in_camel_case(self):
        self.assert_complains({"harness/core/WorkModel.cpp": SPDX}, "snake_case")

    def test_a_file_without_its_licence_line(self):
        self.assert_complains({"harness/core/work.cpp": "int x;\n"}, "SPDX")
        self.assert_complains({"harness/core/work.cpp": ""}, "SPDX")
        self.assert_complains({"scripts/run": "#!/bin/sh\ntrue\n"}, "SPDX")

    def test_a_header_without_a_purpose(self):
        self.assert_complains({"harness/core/work.h": SPDX + "#pragma once\n"}, "what it is for")

    def test_a_header_without_a_guard(self):
        self.assert_complains({"harness/core/work.h": HEADER.replace("#pragma once\n", "")}, "#pragma once")

    def test_two_types_of_one_name(self):
        def header(space, body):
            return HEADER + f"namespace {space} {{\n{body}\n}}  // namespace {space}\n"

        one = {"harness/core/a.h": header("warpmark", "struct Sampled {\n};")}
        for body in ("struct Sampled {\n};", "class Sampled : public Other {\n};"):
            self.assert_complains(one | {"reports/b.h": header("warpmark", body)}, "reports/b.h", "warpmark::Sampled", "harness/core/a.h")
        self.assert_clean(one | {"reports/b.h": header("warpmark::page", "struct Sampled {\n};"),
                                 "harness/core/c.h": header("warpmark", "struct Sampled;\nclass Other {\n  struct Sampled {};\n};"),
                                 "tests/b.h": header("warpmark", "struct Sampled {\n};")})


if __name__ == "__main__":
    unittest.main()
