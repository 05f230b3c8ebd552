// SPDX-License-Identifier: Apache-2.0
// The schemas, the fixtures and the suites that come with the program, seen by an independent validator.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { validatorOf } from './validate.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const fixture = (name) => JSON.parse(fs.readFileSync(path.join(root, 'tests/fixtures', name), 'utf8'));

for (const name of ['result.json', 'result_hostile.json']) {
  test(`${name} is valid`, async () => assert.equal((await validatorOf('result'))(fixture(name)), null));
}

test('a spoiled result is not', async () => {
  const troubleOf = await validatorOf('result');
  const spoil = (change) => {
    const document = fixture('result.json');
    change(document);
    return troubleOf(document);
  };
  assert.match(spoil((d) => { d.records[3].status = 'okay'; }), /records\/3\/status must be equal to one of/);
  assert.match(spoil((d) => { d.records[3].extra = 1; }), /records\/3 must NOT have additional properties/);
  assert.match(spoil((d) => { delete d.run.ended_at; }), /run must have required property 'ended_at'/);
  assert.match(spoil((d) => { d.records[3].samples.seconds[0] = '1'; }), /seconds\/0 must be number,null/);
  assert.match(spoil((d) => { d.schema = 'warpmark.result/2'; }), /schema must be equal to constant/);
});

test('what a sampler read is checked where the program computes with it', async () => {
  const troubleOf = await validatorOf('result');
  const sampled = { readings: 40, off: false, clock_hz: { median: 1.7e9, min: null, max: 2e9 }, xids: [79], other: { any: 1 },
    held_down: [{ reason: 'hw_thermal', kind: 'flagged', share: 0.4, seconds: null }], series: { at: [0, 0.25], clock_hz: [1.7e9, null] } };
  const spoil = (change) => {
    const document = fixture('result.json');
    document.records[0].telemetry = { window: { begin: 1, end: 2 }, sampled: structuredClone(sampled) };
    change(document.records[0].telemetry);
    return troubleOf(document);
  };
  assert.equal(spoil(() => {}), null);
  assert.match(spoil((t) => { t.sampled.held_down[0].share = 2; }), /held_down\/0\/share must be <= 1/);
  assert.match(spoil((t) => { t.sampled.series.at = 0; }), /series\/at must be array/);
  assert.match(spoil((t) => { t.sampled.xids = ['79']; }), /xids\/0 must be integer/);
  assert.match(spoil((t) => { delete t.window.end; }), /window must have required property 'end'/);
});

test('the lines of a journal are its head and records', async () => {
  const troubleOf = await validatorOf('journal');
  const { run, machine, devices, records } = fixture('result.json');
  const head = { schema: 'warpmark.journal/1', run: { ...run }, machine, devices, plan: [] };
  delete head.run.ended_at;
  assert.equal(troubleOf(head), null);
  assert.equal(troubleOf(records[0]), null);
  assert.notEqual(troubleOf({ ...head, plan: 1 }), null);
  assert.notEqual(troubleOf({ ...head, devices: [] }), null);
  assert.notEqual(troubleOf({ ...records[0], repeat: -1 }), null);
});

test('the suites of the program are valid', async () => {
  const troubleOf = await validatorOf('suite');
  const folder = path.join(root, 'bench/suites');
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const name of names) {
    const suite = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
    assert.equal(troubleOf(suite), null, name);
    assert.notEqual(troubleOf({ ...suite, select: [] }), null, name);
  }
  assert.ok(names.length > 0, 'there are suites');
});
