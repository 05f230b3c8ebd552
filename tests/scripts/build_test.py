# SPDX-License-Identifier: Apache-2.0
import os
import unittest

from script_case import ScriptCase


class NodeModules(ScriptCase):
    pieces = ("node_modules",)

    def setUp(self):
        super().setUp()
        self.plant("package-lock.json", "one")
        self.program("node", "echo v18.20.4")
        self.program("npm", "mkdir -p node_modules")

    def install(self):
        """How often npm was called."""
        before = self.calls().count("npm ci --no-audit --no-fund --loglevel=error")
        code, _, said = self.bash("install_node_modules .")
        self.assertEqual((code, said if code else ""), (0, ""))
        return self.calls().count("npm ci --no-audit --no-fund --loglevel=error") - before

    def test_once_for_a_lock_file(self):
        self.assertEqual([self.install(), self.install()], [1, 0])

    def test_again_when_the_lock_file_or_node_changes(self):
        self.install()
        self.plant("package-lock.json", "two")
        self.assertEqual([self.install(), self.install()], [1, 0])
        self.program("node", "echo v20.1.0")
        self.assertEqual([self.install(), self.install()], [1, 0])

    def test_no_network(self):
        self.program("npm", "exit 1")
        code, _, said = self.bash("install_node_modules .")
        self.assertEqual(code, 2)
        self.assertIn("is there a network?", said)

    def test_an_old_node(self):
        self.program("node", "echo v12.22.9")
        code, _, said = self.bash("install_node_modules .")
        self.assertEqual(code, 2)
        self.assertIn("Node.js 12 is too old", said)


class Configure(ScriptCase):
    pieces = ("build",)

    def setUp(self):
        super().setUp()
        self.plant("CMakePresets.json", "{}")
        os.utime(self.folder / "CMakePresets.json", (1, 1))
        self.program("cmake", "mkdir -p build/ci && touch build/ci/build.ninja build/ci/CMakeCache.txt")

    def configure(self):
        """The calls of cmake."""
        before = len(self.calls())
        self.assertEqual(self.bash("configure ci")[0], 0)
        return self.calls()[before:]

    def test_once(self):
        self.assertEqual([self.configure(), self.configure()], [["cmake --preset ci"], []])

    def test_again_when_the_presets_change(self):
        self.configure()
        os.utime(self.folder / "CMakePresets.json", (2**33, 2**33))
        self.assertEqual(self.configure(), ["cmake --preset ci"])

    def test_afresh_when_the_tree_has_moved(self):
        self.configure()
        self.plant("build/ci/.configured", "/another/folder")
        self.assertEqual(self.configure(), ["cmake --fresh --preset ci"])


if __name__ == "__main__":
    unittest.main()
