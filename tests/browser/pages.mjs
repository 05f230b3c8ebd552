// SPDX-License-Identifier: Apache-2.0
// Pages to visit, made by the program that TEST_WARPMARK names from documents made here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch, visit } from './visit.mjs';

const fixtures = path.join(path.dirname(fileURLToPath(import.meta.url)), '../fixtures');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'warpmark-browser-'));
let browser;
let pages = 0;

before(async () => {
  assert.ok(process.env.TEST_WARPMARK, 'TEST_WARPMARK names the warpmark program');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

export const fixture = (name = 'result.json') => JSON.parse(fs.readFileSync(path.join(fixtures, name), 'utf8'));

/// The fixture after a change.
export function changed(change) {
  const document = fixture();
  change(document);
  return document;
}

/// The page of one or several documents, as a file.
export function page_of(...documents) {
  const stem = path.join(folder, String(++pages));
  const results = documents.map((document, index) => {
    const result = `${stem}-${index}.json`;
    fs.writeFileSync(result, JSON.stringify(document));
    return result;
  });
  execFileSync(process.env.TEST_WARPMARK, ['report', ...results, '-o', `${stem}.html`], { stdio: 'pipe' });
  return `${stem}.html`;
}

/// The fixture's page with more markup at its end. The page's own policy would forbid most of it; without that the
/// visitor alone stands guard.
export function planted(markup, { policy = false, document = fixture() } = {}) {
  const file = page_of(document);
  const page = fs.readFileSync(file, 'utf8');
  const end = page.lastIndexOf('</body>');
  const head = policy ? page.slice(0, end) : page.slice(0, end).replace(/<meta http-equiv[^>]*>/, '');
  fs.writeFileSync(file, `${head}${markup}${page.slice(end)}`);
  return file;
}

export async function visiting(file, options, look) {
  const visited = await visit(browser, file, options);
  try {
    await look(visited.page, visited.trouble);
  } finally {
    await visited.close();
  }
}

export const luminance = (color) => {
  const [red, green, blue] = color.match(/[\d.]+/g).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
};
