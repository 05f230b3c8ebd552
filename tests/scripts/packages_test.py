# SPDX-License-Identifier: Apache-2.0
import unittest

from script_case import ROOT, ScriptCase

LIST = """# comment
[run]
cmake        # configures
libfmt-dev   # text
npm|command:npm  # modules
[test]
chromium|chromium-browser  # browser
"""
INSTALLED = "cmake:installed libfmt-dev:installed chromium-browser:installed "


class Packages(ScriptCase):
    pieces = ("packages",)

    def setUp(self):
        super().setUp()
        self.plant("packages.txt", LIST)
        self.machine(INSTALLED, uid=0)
        self.program("npm", "")

    def machine(self, installed, uid, apt="true"):
        self.program("dpkg-query", f"printf '%s' '{installed}'; exit 1")
        self.program("id", f"echo {uid}")
        self.program("apt-get", apt)

    def install(self, groups="run test"):
        return self.bash(f"install_packages packages.txt {groups}")

    def apt_calls(self):
        return [call for call in self.calls() if call.startswith(("apt-get", "sudo"))]

    def test_nothing_is_asked_of_apt_when_everything_is_there(self):
        self.assertEqual(self.install(), (0, "", ""))
        self.assertEqual(self.apt_calls(), [])

    def test_installs_exactly_what_is_missing_after_one_update(self):
        self.machine("cmake:installed libfmt-dev:config-files chromium:not-installed ", uid=0)
        self.assertEqual(self.install()[0], 0)
        self.assertEqual(self.apt_calls(), ["apt-get update -qq",
                                            "apt-get install -y -qq --no-install-recommends libfmt-dev chromium"])

    def test_another_group_is_left_alone(self):
        self.machine("cmake:installed libfmt-dev:installed ", uid=0)
        self.assertEqual(self.install("run"), (0, "", ""))

    def test_a_program_from_elsewhere_satisfies_its_line(self):
        (self.folder / "bin/npm").unlink()
        self.assertEqual(self.install()[0], 0)
        self.assertEqual(self.apt_calls()[-1], "apt-get install -y -qq --no-install-recommends npm")

    def test_sudo_where_we_are_not_root(self):
        self.machine("", uid=1000)
        self.program("sudo", '"$@"')
        self.assertEqual(self.install("run")[0], 0)
        self.assertEqual(self.apt_calls()[0], "sudo apt-get update -qq")

    def test_neither_root_nor_sudo(self):
        self.machine("cmake:installed ", uid=1000)
        code, _, said = self.install()
        self.assertEqual((code, self.apt_calls()), (2, []))
        self.assertIn("you are not root", said)
        self.assertIn("apt-get install libfmt-dev chromium\n", said)

    def test_no_network(self):
        self.machine("cmake:installed ", uid=0, apt="exit 100")
        code, _, said = self.install("run")
        self.assertEqual(code, 2)
        self.assertIn("is there a network?", said)
        self.assertIn("By hand:\n  apt-get install libfmt-dev\n", said)

    def test_another_distribution(self):
        self.machine("", uid=0)
        (self.folder / "bin/apt-get").unlink()
        code, _, said = self.install("run")
        self.assertEqual(code, 2)
        self.assertIn("no apt-get: this is no Debian or Ubuntu", said)
        self.assertIn("cmake libfmt-dev\n", said)

    def test_the_list_of_the_project(self):
        _, run, _ = self.bash(f"package_choices '{ROOT}/scripts/packages.txt' run")
        _, both, _ = self.bash(f"package_choices '{ROOT}/scripts/packages.txt' run test")
        self.assertIn("g++\n", run)
        self.assertNotIn("shellcheck", run)
        self.assertIn("shellcheck\n", both)


if __name__ == "__main__":
    unittest.main()
