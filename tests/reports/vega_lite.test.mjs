// SPDX-License-Identifier: Apache-2.0
// Every chart template, as it lies there: valid by Vega-Lite's JSON schema, compiled by Vega-Lite without a warning, and
// drawn with marks by Vega.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import Ajv from 'ajv';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, 'reports/templates');
const schema = JSON.parse(fs.readFileSync(path.join(root, 'node_modules/vega-lite/build/vega-lite-schema.json'), 'utf8'));
const valid = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
const templates = fs.readdirSync(folder).filter((name) => name.endsWith('.vl.json'));
const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));

function compiled(spec) {
  const warnings = [];
  const logger = { level: () => logger, error: (...args) => warnings.push(args.join(' ')), warn: (...args) => warnings.push(args.join(' ')), info: () => logger, debug: () => logger };
  return { vega: compile(spec, { logger }).spec, warnings };
}

/// Marks that Vega draws from the data, without axes and legends.
async function marks_of(vega) {
  const view = new View(parse(vega), { renderer: 'none' }).width(600);
  await view.runAsync();
  let count = 0;
  const visit = (node) => {
    if (node.marktype && node.marktype !== 'group' && node.role === 'mark') count += node.items.length;
    for (const item of node.items ?? []) visit(item);
  };
  visit(view.scenegraph().root);
  view.finalize();
  return count;
}

test('there are templates', () => assert.ok(templates.length >= 5, templates.join(' ')));

for (const name of templates) {
  test(`${name} is a whole specification`, async () => {
    const spec = read(name);
    assert.ok(valid(spec), JSON.stringify(valid.errors?.slice(0, 3)));
    assert.equal(spec.$schema, 'https://vega.github.io/schema/vega-lite/v6.json');
    assert.ok(spec.description.length > 40, 'no description');
    assert.ok(spec.data.values.length >= 10, 'no sample data');
    const { vega, warnings } = compiled(spec);
    assert.deepEqual(warnings, []);
    const marks = await marks_of(vega);
    assert.ok(marks >= spec.data.values.length / 4, `${marks} marks`);
  });
}

test('would see a word that Vega-Lite does not know', () => {
  const spec = read('footprint.vl.json');
  spec.layer[0].layer[0].mark.colour = 'red';
  assert.ok(!valid(spec));
});

test('would see a mark that cannot be drawn', () => {
  const spec = read('order.vl.json');
  spec.layer.at(-1).encoding.strokeDash = { field: 'kind', type: 'quantitative', bin: 'no' };
  let warnings = [];
  try { ({ warnings } = compiled(spec)); } catch (error) { warnings = [error.message]; }
  assert.notDeepEqual(warnings, []);
});

test('would see a template that draws nothing', async () => {
  const spec = read('order.vl.json');
  spec.data.values = [];
  assert.equal(await marks_of(compiled(spec).vega), 0);
});
