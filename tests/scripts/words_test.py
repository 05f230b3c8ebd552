# SPDX-License-Identifier: Apache-2.0
import unittest

from lint_case import LintCase

# Spelt in two halves, so that this file passes the lint it tests.
HOME, SCRATCH = "/" + "home/ada", "/" + "tmp/scratch"


class Words(LintCase):
    lint = "words.py"

    def test_accepts_relative_paths_examples_and_system_folders(self):
        self.assert_clean({"README.md": "build/tmp/x, results/home/x, /usr/include, https://example.org/home/x\n",
                           "tests/path_test.cpp": 'home("/home/someone/x");\n',
                           "scripts/test": 'dir="$root/tmp/x" "${TMPDIR}/work/x"\n'})

    def test_a_home_folder(self):
        self.assert_complains({"README.md": f"\nsee {HOME}/notes\n"}, "README.md:2", HOME)

    def test_a_scratch_folder_in_code(self):
        self.assert_complains({"tests/run_test.cpp": f'auto dir = "{SCRATCH}";\n'}, "tests/run_test.cpp:1", SCRATCH)

    def test_a_path_in_a_committed_result(self):
        self.assert_complains({"results/machine/a.json": f'{{"command": "warpmark run --out {HOME}"}}\n'}, HOME)


if __name__ == "__main__":
    unittest.main()
