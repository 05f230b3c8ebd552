# SPDX-License-Identifier: Apache-2.0
"""What is set for other programs does not change what is measured."""
import json
import os
import unittest

from fault_case import FaultCase


class ThreadVariables(FaultCase):
    def units(self, **environment):
        done = self.call(self.command("list", "devices", "--json"), env=environment)
        self.assertEqual(done.code, 0, done.err)
        return json.loads(done.out)[0]["units"]

    def test_do_not_shrink_the_machine(self):
        cores = self.units()
        self.assertEqual(self.units(OMP_PROC_BIND="true"), cores)
        self.assertEqual(self.units(OMP_PROC_BIND="close", OMP_PLACES="cores"), cores)
        self.assertEqual(self.units(GOMP_CPU_AFFINITY="0", OMP_NUM_THREADS="1"), cores)

    def test_twin_the_affinity_does(self):
        whole = os.sched_getaffinity(0)
        if len(whole) < 2:
            self.skipTest("one CPU cannot be narrowed")
        try:
            os.sched_setaffinity(0, {min(whole)})
            self.assertEqual(self.units(OMP_PROC_BIND="true"), 1)
        finally:
            os.sched_setaffinity(0, whole)


if __name__ == "__main__":
    unittest.main()
