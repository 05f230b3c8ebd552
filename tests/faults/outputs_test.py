# SPDX-License-Identifier: Apache-2.0
"""Where results go: what cannot be written is found before anything is measured, and nothing is overwritten."""
import json
import signal

from fault_case import FaultCase, wait_until

SLOW = 3 * 2  # measurements of the suite `slow`


class Outputs(FaultCase):
    def assert_nothing_ran(self, done, *parts):
        self.assert_refused(done, *parts)
        self.assertEqual(self.began(), [])

    def test_twin_a_new_file(self):
        self.assertEqual(self.run_suite("faults", "ok").code, 0)
        self.assertEqual(len(self.began()), 3)

    def test_a_folder_that_is_not_there(self):
        self.result = self.folder / "none/result.json"
        self.assert_nothing_ran(self.run_suite("faults", "ok"), str(self.folder / "none"))
        self.assertFalse((self.folder / "none").exists())

    def test_a_path_through_a_file(self):
        (self.folder / "file").write_text("mine")
        self.result = self.folder / "file/result.json"
        self.assert_nothing_ran(self.run_suite("faults", "ok"), str(self.folder / "file"))
        self.assertEqual((self.folder / "file").read_text(), "mine")

    def test_a_file_that_is_there(self):
        self.result.write_text("mine")
        self.assert_nothing_ran(self.run_suite("faults", "ok"), str(self.result), "never overwritten")
        self.assertEqual(self.result.read_text(), "mine")

    def test_a_journal_that_is_there(self):
        self.result_journal.write_text("mine")
        self.assert_nothing_ran(self.run_suite("faults", "ok"), f"warpmark run --resume {self.result_journal}")
        self.assertEqual(self.result_journal.read_text(), "mine")

    def test_two_runs_at_once(self):
        """Neither another run nor --resume gets at the journal of a run that goes on."""
        first = self.start(self.run_words("slow"))
        wait_until(lambda: len(self.began()) > 0, "the first run measures")
        self.assert_refused(self.call(self.run_words("faults", "ok")), str(self.result_journal))
        self.assert_refused(self.resume(), str(self.result_journal), "another warpmark run is writing this journal")
        self.assertEqual(self.finish(first).code, 0)
        self.assert_each_once(self.document().records, SLOW)
        self.assertEqual(len(self.began()), SLOW)


    def test_a_file_that_comes_between(self):
        """What somebody puts in the document's place while the run goes on stays there."""
        process = self.start(self.run_words("slow"))
        wait_until(lambda: len(self.began()) > 0, "it measures")
        self.result.write_text("mine")
        done = self.finish(process)
        self.assertEqual(done.code, 2, done.err)
        self.assertIn("somebody put another file there", done.err)
        self.assertEqual(self.result.read_text(), "mine")
        self.result.unlink()
        self.assertEqual(self.resume().code, 0)
        self.assert_each_once(self.document().records, SLOW)


class BadJournals(FaultCase):
    def setUp(self):
        """self.lines is the journal of a run that was killed."""
        super().setUp()
        process = self.start(self.run_words("slow"))
        wait_until(lambda: len(self.began()) > 1, "the second case begins")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.head, *self.records = self.result_journal.read_text().splitlines()
        self.measured = len(self.began())

    def check(self, text, *parts, name="bad.jsonl", code=2):
        path = self.folder / name
        path.write_text(text)
        self.assert_refused(self.resume(path), str(path), *parts, code=code)
        self.assertEqual(path.read_text(), text, "it is left as it is")
        self.assertEqual(len(self.began()), self.measured, "nothing is measured")

    def with_head(self, **changes):
        head = json.loads(self.head)
        for path, value in changes.items():
            *outer, last = path.split("__")
            place = head
            for key in outer:
                place = place[key]
            place[last] = value
        return "\n".join([json.dumps(head), *self.records, ""])

    def test_twin_unspoiled(self):
        path = self.folder / "copy.jsonl"
        path.write_text(self.with_head())
        self.assertEqual(self.resume(path).code, 0)
        self.assert_each_once(self.document(path.with_suffix(".json")).records, SLOW)

    def test_what_is_no_journal(self):
        self.check("", "nothing was measured")
        self.check("garbage\n")
        self.check("\x00\x01\x02")
        self.check("[" * 100_000)
        self.check('{"schema": "warpmark.suite/1"}', "is a warpmark suite, not the journal of a run")
        self.check(self.head[:-20], "nothing was measured; start the run again")
        self.check(self.with_head(schema="warpmark.journal/2"), "written by a newer warpmark")
        self.assert_refused(self.resume(self.folder / "none.jsonl"), str(self.folder / "none.jsonl"))
        self.assert_refused(self.resume(self.folder), str(self.folder))
        self.assert_refused(self.resume("/dev/null"), "/dev/null")

    def test_a_line_in_the_middle(self):
        self.check("\n".join([self.head, "{}", *self.records, ""]), "line 2")
        self.check("\n".join([self.head, "", *self.records, ""]), "line 2")
        self.check("\n".join([self.head, self.records[0][:-9], *self.records, ""]), "line 2")

    def test_a_plan_that_no_run_has(self):
        self.check(self.with_head(plan=[]), "cannot be continued")
        self.check(self.with_head(plan={}), "cannot be continued")
        self.check(self.with_head(devices=[]), "line 1: at /devices")
        self.check(self.with_head(plan__repeats=0), "cannot be continued")
        self.check(self.with_head(plan__repeats=2_000_000_000), "cannot be continued")
        self.check(self.with_head(plan__repeats="many"), "cannot be continued")
        self.check(self.with_head(plan__suite="{}"), "cannot be continued: its suite: not a warpmark suite")
        self.check(self.with_head(plan__filter="^none$"), "cannot be continued: --filter '^none$' matches no case")
        self.check(self.with_head(plan__filter="("), "cannot be continued: --filter '('")

    def test_records_that_are_not_in_its_plan(self):
        record = json.loads(self.records[0])
        for changed in ({"repeat": 99}, {"id": "faults/other/cpu:0/x/f64/n=1"}):
            self.check("\n".join([self.head, json.dumps({**record, **changed}), ""]), "line 2", "not in its plan")
        self.check("\n".join([self.head, self.records[0], self.records[0], ""]), "line 3", "once more")

    def test_of_another_build_or_host(self):
        run, machine = json.loads(self.head)["run"], json.loads(self.head)["machine"]
        for field in ("version", "git"):
            self.check(self.with_head(run={**run, field: "another"}), "another", "began it")
        self.check(self.with_head(machine={**machine, "host": {**machine["host"], "name": "host-deadbeef"}}),
                   "another machine", "host-deadbeef")
        self.check(self.with_head(machine={**machine, "os": {**machine["os"], "kernel": "0.1"}}), "another machine")

    def test_of_another_machine(self):
        device = {**json.loads(self.head)["devices"][0], "name": "Another <b>processor</b>\x1b[31m"}
        self.check(self.with_head(devices=[device]), "its device is not there", "Another <b>processor</b>\\u001b[31m",
                   code=3)

    def test_its_document_takes_no_place_of_another(self):
        taken = self.folder / "taken.json"
        taken.write_text("mine")
        self.check(self.with_head(), "is there and is not of this run", name="taken.jsonl")
        self.assertEqual(taken.read_text(), "mine")
        self.check(self.with_head(), "its result would take its place", name="journal.json")
