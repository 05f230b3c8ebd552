#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes what fuzzers begin with: a folder of seeds and a dictionary per kind of file, mostly from files of the project.
A fuzzer tries more of small files, so documents are cut down to a few records and samples."""
import argparse
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
SCHEMAS = ROOT / "harness/store/schema"
DOCUMENTS = ("tests/fixtures/*.json", "results/*/*.json")
SUITES = ("bench/suites/*.json", "tests/*/suites/*.json")
MACHINES = ("tests/fakes/machines/*.json",)
# For the dictionary of a kind: the schemas that hold its words, and the file of tokens that are none of them.
WORDS = {"document": ("json", [SCHEMAS / "result.schema.json"]),
         "journal": ("json", [SCHEMAS / "result.schema.json", SCHEMAS / "journal.schema.json"]),
         "suite": ("json", [SCHEMAS / "suite.schema.json"]),
         "scenario": ("json", [ROOT / "tests/fakes/scenario.schema.json"]),
         "options": ("toml", []),
         "bands": ("toml", [])}


def files_of(patterns):
    return sorted(file for pattern in patterns for file in ROOT.glob(pattern))


def small(record):
    """The record with the first of its samples."""
    record = json.loads(json.dumps(record))
    for name, values in record["samples"].items():
        if isinstance(values, list):
            record["samples"][name] = values[:6]
    return record


def bare(thing, *names):
    """The same with these open parts empty."""
    return {key: {} if key in names else value for key, value in thing.items()}


def sampled_often(record):
    """The record with more samples than a page shows one by one."""
    return {**record, "samples": {**record["samples"], "seconds": [i % 7 + 1 for i in range(5001)], "at": [],
                                  "clock_hz": [], "probe": []}}


def one_of_each_status(document):
    return list({record["status"]: record for record in document["records"]}.values())


def with_records(document, records):
    return json.dumps({**document, "records": [small(record) for record in records]})


def journal_of(document):
    """The journal of a run that measured some cases of one benchmark; empty where the document has none such."""
    known = [r for r in document["records"] if r["benchmark"] == "memory/triad" and r["params"]["variant"] == "plain"
             and r["params"]["dtype"] == "f64"]
    if not known:
        return ""
    footprints = list(dict.fromkeys(record["params"]["footprint"] for record in known))
    suite = {"schema": "warpmark.suite/1", "name": "seed",
             "select": [{"benchmarks": "^memory/triad$", "axes": {"footprint": footprints}}]}
    plan = {"suite": json.dumps(suite), "filter": "", "repeats": document["run"]["repeats"],
            "seed": document["run"]["seed"], "case_timeout": None}
    run = {key: value for key, value in document["run"].items() if key not in ("ended_at", "exit_code")}
    head = {"schema": "warpmark.journal/1", "run": bare(run, "build", "options"), "machine": {},
            "devices": [bare(document["devices"][0], "facts", "ceilings")], "plan": plan}
    records = [bare(small(record), "about", "telemetry") for record in known[:2]]
    return "".join(json.dumps(line) + "\n" for line in [head, *records])


def seeds():
    """(kind, text) of each seed."""
    for file in files_of(DOCUMENTS):
        document = json.loads(file.read_text())
        measured = next(record for record in document["records"] if record["status"] == "ok")
        plain = {**document, "run": bare(document["run"], "build", "options"), "machine": {}, "devices": []}
        yield "document", with_records(plain, [bare(measured, "about", "telemetry")])
        yield "document", with_records(document, document["records"][:3])
        if file.name == "result.json":  # once: they are large
            yield "document", with_records(document, one_of_each_status(document))
            yield "document", json.dumps({**plain, "records": [sampled_often(bare(measured, "about", "telemetry"))]})
        if journal := journal_of(document):
            yield "journal", journal
            yield "journal", journal[:-100]
    for kind, patterns in (("suite", SUITES), ("scenario", MACHINES)):
        for file in files_of(patterns):
            yield kind, file.read_text()
    for kind in WORDS:
        for file in files_of([f"tests/fuzz/seeds/{kind}/*"]):
            yield kind, file.read_text()


def words_of(schema):
    """Keys and choices that a schema names."""
    if isinstance(schema, list):
        return {word for each in schema for word in words_of(each)}
    if not isinstance(schema, dict):
        return set()
    words = set(schema.get("properties", {})) | {c for c in schema.get("enum", []) if isinstance(c, str)}
    return words | {word for each in schema.values() for word in words_of(each)}


def dictionary_of(kind):
    tokens, schemas = WORDS[kind]
    words = {word for schema in schemas for word in words_of(json.loads(schema.read_text()))}
    return (HERE / f"seeds/{tokens}.dict").read_text() + "".join(f'"\\"{word}\\""\n' for word in sorted(words))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    for kind in WORDS:
        (folder / kind).mkdir(parents=True, exist_ok=True)
        (folder / f"{kind}.dict").write_text(dictionary_of(kind))
        for old in (folder / kind).iterdir():
            old.unlink()
    for number, (kind, text) in enumerate(seeds()):
        (folder / kind / f"{number:03}").write_text(text)
        if number % 8 == 0:
            (folder / kind / f"{number:03}_cut").write_text(text[:len(text) // 2])


if __name__ == "__main__":
    main()
