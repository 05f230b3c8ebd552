# SPDX-License-Identifier: Apache-2.0
import unittest

from lint_case import LintCase

CLEAN = {
    "harness/core/CMakeLists.txt": "target_sources(warpmark_harness PRIVATE case.cpp)\n",
    "harness/core/case.cpp": '#include "harness/core/case.h"\n',
    "harness/core/case.h": "",
    "kernels/CMakeLists.txt": "add_library(warpmark_kernels OBJECT\n  memory/triad_cpu.cpp)\n",
    "kernels/memory/triad_cpu.cpp": "",
    "package.json": '{"scripts": {"browser": "node --test tests/browser"}}\n',
    "tests/browser/page.test.mjs": 'import { open } from "./chromium.mjs";\n',
    "tests/browser/chromium.mjs": "",
}


class Parts(LintCase):
    lint = "parts.py"

    def test_accepts_what_lists_includes_and_package_scripts_name(self):
        self.assert_clean(CLEAN)

    def test_a_source_that_no_list_names(self):
        self.assert_complains({**CLEAN, "harness/core/forgotten.cpp": ""}, "harness/core/forgotten.cpp")

    def test_a_longer_name_in_the_list_is_not_this_one(self):
        self.assert_complains({**CLEAN, "harness/core/se.cpp": ""}, "harness/core/se.cpp")
        self.assert_complains({**CLEAN, "kernels/triad_cpu.cpp": ""}, "kernels/triad_cpu.cpp")

    def test_a_header_that_nothing_includes(self):
        self.assert_complains({**CLEAN, "harness/core/forgotten.h": ""}, "harness/core/forgotten.h")

    def test_a_module_that_nothing_imports(self):
        self.assert_complains({**CLEAN, "reports/pages/forgotten.mjs": ""}, "reports/pages/forgotten.mjs")


if __name__ == "__main__":
    unittest.main()
