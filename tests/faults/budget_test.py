# SPDX-License-Identifier: Apache-2.0
"""--time-budget: the run ends in time, what was dropped is in the document with the reason, and in the right order."""
import json
import unittest

from fault_case import FaultCase, wait_until

CASES, REPEATS = 3, 3  # of the suite `budget`, each of which takes a second and a half
SLOW = 3 * 2  # measurements of the suite `slow`
LIMIT = "12"  # less than all of them take


class Budget(FaultCase):
    def test_twin_without_one_everything_is_measured(self):
        done = self.run_suite("slow")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(set(self.document().statuses().values()), {"ok"})

    def test_one_with_room_drops_nothing(self):
        done = self.run_suite("slow", "", "--time-budget", "5m")
        self.assertEqual((done.code, set(self.document().statuses().values())), (0, {"ok"}))
        self.assertNotIn("time-budget", done.err)

    def test_what_does_not_fit_is_dropped_and_said(self):
        done = self.run_suite("budget", "", "--time-budget", LIMIT)
        self.assertEqual(done.code, 0, done.err)
        document = self.document()
        self.assert_each_once(document.records, CASES * REPEATS)
        dropped = [r for r in document.records if r["status"] == "skipped"]
        self.assertGreater(len(dropped), 0)
        self.assertLess(len(dropped), CASES * REPEATS)
        for record in dropped:
            self.assertEqual(record["why"], "it did not fit into --time-budget 12.0 s; --resume measures it")
        for record in document.records:
            if record not in dropped:
                self.assert_complete(record)
        self.assertNotIn(0, {r["repeat"] for r in dropped}, "the first repeat of everything comes first")
        self.assertRegex(done.err.splitlines()[-1],
                         rf"^warpmark: {len(dropped)} of 9 measurements did not fit into --time-budget 12\.0 s, the least important ones: "
                         rf"everything measured is saved; continue with: warpmark run --resume {self.result_journal}$")
        self.assertEqual(self.resume().code, 0)
        self.assertEqual(set(self.document().statuses().values()), {"ok"})
        self.assertFalse(self.result_journal.exists())

    def test_one_that_is_over_at_once_measures_nothing(self):
        done = self.run_suite("slow", "", "--time-budget", "0.001s")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(set(self.document().statuses().values()), {"skipped"})
        self.assertEqual(self.began(), [])
        self.assertIn("warpmark: none of 6 measurements fits into --time-budget 1.00 ms: ", done.err)

    def test_a_case_that_does_not_end_is_ended_with_the_budget(self):
        done = self.run_suite("faults", "hang", "--time-budget", "8s")
        self.assertEqual(done.code, 4, done.err)
        (record,) = self.document().records
        self.assertEqual(record["status"], "timeout")
        self.assertRegex(record["why"], r"^its worker said nothing for .* and was killed; --time-budget 8\.00 s was over$")

    def test_a_plan_tells_what_would_be_dropped(self):
        """By the protocol: 1.25 s for each of nine cases, and 0.15 s for each of three workers."""
        plan = json.loads(self.call([*self.run_words("budget", "", "--time-budget", "5", "--dry-run"), "--json"]).out)
        self.assertGreater(len(plan["dropped"]), 4)
        self.assertEqual({d["repeat"] for d in plan["dropped"][-3:]}, {2})
        done = self.call(self.run_words("budget", "", "--time-budget", "5", "--dry-run"))
        self.assertRegex(done.out, r"\n\d of 9 measurements would be dropped to end within --time-budget 5\.00 s\n")
        self.assertEqual(json.loads(self.call([*self.run_words("budget", "", "--dry-run"), "--json"]).out)["dropped"], [])

    def test_resuming_has_a_budget_of_its_own(self):
        process = self.start(self.run_words("slow"))
        wait_until(lambda: len(self.began()) > 1, "the second case begins")
        process.terminate()
        self.assertEqual(self.finish(process).code, 130)
        done = self.call(self.command("run", "--resume", self.result_journal, "--time-budget", "0.001"))
        self.assertEqual(done.code, 0, done.err)
        statuses = list(self.document().statuses().values())
        self.assertEqual((set(statuses), len(statuses)), ({"ok", "skipped"}, SLOW))


if __name__ == "__main__":
    unittest.main()
