# SPDX-License-Identifier: Apache-2.0
"""While a case runs that nothing may disturb, the console stays as it is."""
from fault_case import FaultCase
from pseudo_terminal import Terminal


class Quiet(FaultCase):
    def drawings(self, benchmark):
        """How often the line of progress was drawn while this one case of 1.6 s ran."""
        with Terminal() as terminal:
            process = self.start(self.run_words("long", benchmark), **terminal.of_child(), env={"TERM": "xterm"})
            self.assertEqual(self.finish(process).code, 0)
        return terminal.shown().count(f"fault/{benchmark}/")

    def test_nothing_is_drawn_beside_a_quiet_case(self):
        self.assertEqual(self.drawings("quiet"), 1)

    def test_twin_others_show_that_they_run(self):
        self.assertGreater(self.drawings("slow"), 1)
