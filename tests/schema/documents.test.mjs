// SPDX-License-Identifier: Apache-2.0
// What a real run writes, seen by a validator that shares nothing with the program; and that this validator can refuse it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { validatorOf } from '../harness/store/validate.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const suite = path.join(here, '../faults/suites/faults.json');
const skip = fs.existsSync(path.join(here, '../../node_modules/ajv')) ? false : 'node_modules is missing: npm ci';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'warpmark-schema-'));
after(() => fs.rmSync(folder, { recursive: true }));

const run = (name, filter) => ['run', '--device', 'cpu:0', '--suite', suite, '--filter', `^fault/(${filter})/`,
  '--case-timeout', '30', '--out', path.join(folder, name)];
const textOf = (name) => fs.readFileSync(path.join(folder, name), 'utf8');
const exists = (name) => fs.existsSync(path.join(folder, name));

// One of every status but timeout, which takes its time.
const everyStatus = 'ok|skipped|unsupported|denied|unsettled|wrong|throws|sigsegv|nan_time|no_time';

before(() => {
  if (skip) return;
  const done = spawnSync(process.env.TEST_FAULTY, run('whole.json', everyStatus), { encoding: 'utf8' });
  assert.equal(done.status, 5, done.stderr);
});

/** A run that is interrupted while its last case hangs: a document and a journal. */
async function interrupted() {
  const child = spawn(process.env.TEST_FAULTY, run('early.json', 'ok|stubborn'), { stdio: 'ignore' });
  const ended = new Promise((resolve) => { child.on('exit', resolve); });
  while (!exists('early.jsonl') || !textOf('early.jsonl').includes('\n')) await new Promise((go) => { setTimeout(go, 20); });
  child.kill('SIGINT');
  assert.equal(await ended, 130);
}

test('the document of a run with every kind of record', { skip }, async () => {
  const document = JSON.parse(textOf('whole.json'));
  assert.equal((await validatorOf('result'))(document), null);
  const statuses = new Set(document.records.map((record) => record.status));
  assert.deepEqual([...statuses].sort(),
    ['crashed', 'denied', 'failed', 'invalid', 'not_converged', 'ok', 'skipped', 'unsupported']);
});

test('the document and the journal of an interrupted run', { skip }, async () => {
  await interrupted();
  assert.equal((await validatorOf('result'))(JSON.parse(textOf('early.json'))), null);
  const [head, ...records] = textOf('early.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line));
  const troubleOf = await validatorOf('journal');
  for (const line of [head, ...records]) assert.equal(troubleOf(line), null);
  assert.notEqual(troubleOf({ ...head, schema: 'warpmark.journal/2' }), null);
  assert.notEqual(troubleOf({ ...head, devices: undefined }), null);
});

const spoiled = {
  'a status that there is not': (d) => { d.records[0].status = 'okay'; },
  'a record without a reason': (d) => { delete d.records[0].why; },
  'a key that nobody knows': (d) => { d.records[0].extra = 1; },
  'a text for a sample': (d) => { d.records.find((r) => r.status === 'ok').samples.seconds[0] = '1'; },
  'a negative repeat': (d) => { d.records[0].repeat = -1; },
  'a metric that is neither better higher nor lower': (d) => { d.records.find((r) => r.status === 'ok').metrics[0].better = 'faster'; },
  'a case without its kernel': (d) => { delete d.records[0].params.variant; },
  'a check that says not whether it passed': (d) => { delete d.records.find((r) => r.status === 'ok').verification.ok; },
  'a run that did not end': (d) => { delete d.run.ended_at; },
  'a ceiling of no known kind': (d) => { Object.values(d.devices[0].ceilings)[0].kind = 'guessed'; },
  'readings of a sampler that are no list': (d) => { d.records.find((r) => r.status === 'ok').telemetry.sampled = { xids: 79 }; },
  'a window without its end': (d) => { d.records.find((r) => r.status === 'ok').telemetry.window = { begin: 1 }; },
  'records that are no list': (d) => { d.records = { ...d.records }; },
  'a newer schema': (d) => { d.schema = 'warpmark.result/2'; },
};

for (const [name, spoil] of Object.entries(spoiled)) {
  test(`refuses ${name}`, { skip }, async () => {
    const document = JSON.parse(textOf('whole.json'));
    const troubleOf = await validatorOf('result');
    assert.equal(troubleOf(document), null);
    spoil(document);
    assert.notEqual(troubleOf(document), null);
  });
}
