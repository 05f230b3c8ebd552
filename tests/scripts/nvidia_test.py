# SPDX-License-Identifier: Apache-2.0
import unittest

from script_case import ScriptCase

DEBIAN_12 = 'ID=debian\nVERSION_ID="12"\n'


class Nvidia(ScriptCase):
    pieces = ("nvidia",)

    def pci(self, address, vendor, kind):
        self.plant(f"root/sys/bus/pci/devices/{address}/vendor", f"{vendor}\n")
        self.plant(f"root/sys/bus/pci/devices/{address}/class", f"{kind}\n")

    def require(self, **environment):
        return self.bash("require_cuda_toolkit root", **environment)

    def test_a_machine_without_a_device(self):
        self.pci("0000:00:01.0", "0x8086", "0x030000")  # another maker's display
        self.pci("0000:00:02.0", "0x10de", "0x040300")  # the sound device of an NVIDIA card
        self.assertEqual(self.require(), (0, "", ""))

    def test_a_device_without_a_driver_or_toolkit(self):
        for kind in ("0x030000", "0x030200"):
            self.pci("0000:65:00.0", "0x10de", kind)
            code, out, said = self.require()
            self.assertEqual((code, out), (3, ""))
            self.assertIn("/sys/bus/pci/devices/0000:65:00.0", said)
            self.assertIn("--cpu", said)

    def test_device_nodes(self):
        for node in ("nvidia0", "nvidia7", "dxg"):
            planted = self.plant(f"root/dev/{node}")
            self.assertIn(f"(/dev/{node})", self.require()[2])
            planted.unlink()
        self.plant("root/dev/nvidiactl")  # the driver's own, there without a GPU too
        self.assertEqual(self.require()[0], 0)

    def test_what_only_looks_like_a_device(self):
        (self.folder / "root/dev/nvidia0").mkdir(parents=True)
        self.pci("0000:00:03.0", "0x10de", "0x038000")  # neither a VGA nor a 3D controller
        self.assertEqual(self.require()[0], 0)

    def test_the_gpu_of_another_maker_in_wsl(self):
        self.plant("root/dev/dxg")
        self.plant("root/usr/lib/wsl/drivers/iigd_dch.inf_amd64_1/x")
        self.plant("root/usr/lib/wsl/drivers/nvdimm.inf_amd64_1/x")
        self.assertEqual(self.require()[0], 0)
        self.plant("root/usr/lib/wsl/drivers/nv_dispi.inf_amd64_1/x")
        self.assertIn("(/dev/dxg)", self.require()[2])

    def test_a_toolkit_wherever_it_is(self):
        self.plant("root/dev/nvidia0")
        self.assertEqual(self.require()[0], 3)
        self.plant("opt/cuda/bin/nvcc").chmod(0o755)
        self.assertEqual(self.require(CUDA_HOME="opt/cuda")[0], 0)
        self.assertEqual(self.require(CUDA_PATH="opt/cuda")[0], 0)
        self.plant("root/usr/local/cuda/bin/nvcc").chmod(0o755)
        self.assertEqual(self.require()[0], 0)
        (self.folder / "root/usr/local/cuda/bin/nvcc").unlink()
        self.program("nvcc", "")
        self.assertEqual(self.require()[0], 0)

    def test_advice_names_the_package_for_system_and_driver(self):
        self.plant("root/dev/nvidia0")
        self.assertIn("cuda-toolkit-13-0, from https://developer.nvidia.com/", self.require()[2])
        self.plant("root/etc/os-release", DEBIAN_12)
        self.program("uname", "echo x86_64")
        said = self.require()[2]
        self.assertIn("/repos/debian12/x86_64/cuda-keyring_1.1-1_all.deb\n", said)
        self.assertIn("apt-get install cuda-toolkit-13-0\n", said)
        self.plant("root/sys/module/nvidia/version", "535.183.01\n")
        self.assertIn("apt-get install cuda-toolkit-12-9\n", self.require()[2])


if __name__ == "__main__":
    unittest.main()
