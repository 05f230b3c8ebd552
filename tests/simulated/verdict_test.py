# SPDX-License-Identifier: Apache-2.0
"""KEEP, CHECK or RETURN as a person sees it: of a simulated card that is well, slow, hot or not known, by bands of its own."""
import json
import unittest

from simulated_case import HERE, SimulatedCase, scenario_of

BANDS = HERE / "bands.toml"


class Verdicts(SimulatedCase):
    def lines_of(self, scenario, *words, **options):
        """What `run` says of cuda:0 and the reasons below it."""
        self.measure(scenario, "--repeats", 1, *words, **options)
        lines = self.run_output.splitlines()
        first = next(i for i, line in enumerate(lines) if ": cuda:0, NVIDIA " in line)
        reasons = []
        for line in lines[first + 1:]:
            if not line.startswith("  "):
                break
            reasons.append(line.strip())
        return lines[first], reasons

    def test_a_card_that_does_what_its_bands_say_is_kept(self):
        line, reasons = self.lines_of(scenario_of("h200"), "--bands", BANDS)
        self.assertEqual(line, f"KEEP: cuda:0, NVIDIA H200: 3 numbers held against the bands of simulated H200 in {BANDS}")
        self.assertEqual(reasons, [])

    def test_a_slow_card_is_sent_back_and_the_exit_code_stays(self):
        slow = scenario_of("h200", device={"memory_bandwidth": 2.5e9})
        line, reasons = self.lines_of(slow, environment={"WARPMARK_BANDS": str(BANDS)})
        self.assertTrue(line.startswith("RETURN: "), line)
        self.assertEqual(len(reasons), 3)
        self.assertRegex(reasons[0], r"^memory/\w+ f32, footprint=memory: 2\.\d+ GB/s is 2\d\.\d % worse than its band \(3\.40 GB/s to ")

    def test_a_card_that_is_a_little_slow_is_looked_at_again(self):
        line, reasons = self.lines_of(scenario_of("h200", device={"memory_bandwidth": 3.2e9}), "--bands", BANDS)
        self.assertTrue(line.startswith("CHECK: "), line)
        self.assertEqual(len(reasons), 3)

    def test_bands_of_the_real_card_are_no_simulated_one_s(self):
        line, _ = self.lines_of(scenario_of("h200"))
        self.assertTrue(line.startswith("RETURN: "), line)

    def test_a_model_without_bands_is_held_against_its_ceiling(self):
        line, _ = self.lines_of(scenario_of("h200", device={"name": "NVIDIA Z900"}))
        self.assertTrue(line.startswith("KEEP: cuda:0, NVIDIA Z900: there is no reference for this model, 3 numbers "), line)

    def test_a_slice_is_not_judged_as_the_whole(self):
        line, _ = self.lines_of(scenario_of("h200", device={"name": "NVIDIA H200 MIG 1g.18gb"}))
        self.assertTrue(line.startswith("CANNOT SAY: "), line)

    def test_a_wrong_file_ends_the_run_before_anything_is_measured(self):
        wrong = self.folder / "wrong.toml"
        wrong.write_text(BANDS.read_text().replace("low = 3400", "low = 9999"))
        done = self.warpmark(scenario_of("h200"), "run", "--bands", wrong, "--out", self.folder / "new")
        self.assertEqual(done.code, 2)
        self.assertIn("wrong.toml, line 14: low is 9999 and high 4560; low has to be less", done.err)
        self.assertFalse((self.folder / "new").exists())

    def test_the_report_says_the_same_of_the_document(self):
        self.measure(scenario_of("h200"), "--repeats", 1)
        for words, verdict in ((["--bands", BANDS], "KEEP"), ([], "RETURN")):
            done = self.warpmark(None, "report", self.folder / "result.json", "--format", "md", "-o", "-", *words)
            self.assertIn(f"**{verdict}**: cuda:0, NVIDIA H200: ", done.out, done.err)
            page = self.warpmark(None, "report", self.folder / "result.json", "--format", "html", "-o", "-", *words).out
            self.assertIn(f'<strong class="word">{verdict}</strong>', page)

    def test_a_report_by_other_bands_than_the_runs_says_so(self):
        def said(*words):
            return self.warpmark(None, "report", self.folder / "result.json", "--format", "md", "-o", "-", *words).err

        self.measure(scenario_of("h200"), "--repeats", 1, "--bands", BANDS)
        self.assertIn(f"the run had --bands {BANDS}; the verdict here is by the program's own bands", said())
        self.assertEqual(said("--bands", BANDS), "")
        self.measure(scenario_of("h200"), "--repeats", 1)
        self.assertEqual(said(), "")

    def test_the_document_knows_nothing_of_it(self):
        document = self.measure(scenario_of("h200"), "--repeats", 1, "--bands", BANDS)
        del document["run"]["options"], document["run"]["command"]
        self.assertNotIn("KEEP", json.dumps(document))


if __name__ == "__main__":
    unittest.main()
