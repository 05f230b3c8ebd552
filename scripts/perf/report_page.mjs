#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// How large the report page is and how soon it is ready in Chromium: see README.md beside this file.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { made_document } from '../../tests/browser/made_document.mjs';
import { launch, settle } from '../../tests/browser/visit.mjs';

const loads = 5;
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

function page_of(program, folder, name, document) {
  const result = path.join(folder, `${name}.json`), page = path.join(folder, `${name}.html`);
  fs.writeFileSync(result, JSON.stringify(document));
  const started = performance.now();
  execFileSync(program, ['report', result, '-o', page], { stdio: 'ignore' });
  return { page, bytes: fs.statSync(page).size, seconds: (performance.now() - started) / 1e3 };
}

/// Seconds from the navigation until every chart is drawn and the table of records is in place. A new context each time:
/// nothing is kept from the load before.
async function seconds_to_ready(browser, page_file) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true });
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(`file://${page_file}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelector('#records tbody')?.dataset.ready === '' && document.querySelector('.chart'), { polling: 20 });
  await settle(page);
  const seconds = (performance.now() - started) / 1e3;
  await context.close();
  return seconds;
}

async function main() {
  const program = process.argv[2];
  if (!program) {
    console.error('usage: report_page.mjs PROGRAM    (such as build/release/bin/warpmark)');
    return 2;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'warpmark-page-'));
  const head = JSON.parse(fs.readFileSync(path.join(root, 'tests/fixtures/result.json'), 'utf8'));
  const whole = made_document(head, { repeats: 6 });
  const one = { ...whole, records: whole.records.slice(0, 1) };
  const browser = await launch();
  try {
    const [empty, full] = [page_of(program, folder, 'one', one), page_of(program, folder, 'whole', whole)];
    const times = [];
    for (let load = 0; load < loads; ++load) times.push(await seconds_to_ready(browser, full.page));
    times.sort((a, b) => a - b);
    console.log(`chromium ${browser.version()}, ${os.cpus().length} CPUs (${os.cpus()[0].model}), load ${os.loadavg()[0].toFixed(2)}`);
    console.log(`page of 1 record          ${(empty.bytes / 1e6).toFixed(3)} MB`);
    console.log(`page of ${whole.records.length} records      ${(full.bytes / 1e6).toFixed(3)} MB, rendered in ${full.seconds.toFixed(2)} s`);
    console.log(`ready in Chromium         median ${times[loads >> 1].toFixed(2)} s of ${loads} loads (${times.map((time) => time.toFixed(2)).join(', ')})`);
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  }
  return 0;
}

process.exitCode = await main();
