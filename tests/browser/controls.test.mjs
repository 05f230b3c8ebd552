// SPDX-License-Identifier: Apache-2.0
// What a reader can do on the page: choose, sort, filter, pick, save, change the colours; by mouse and by keyboard.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';

import { made_document } from './made_document.mjs';
import { changed, fixture, luminance, page_of, planted, visiting } from './pages.mjs';
import { charts_of, settle } from './visit.mjs';

const made = (options = {}) => made_document(fixture(), { repeats: 1, ...options });
const rows_of = (page, table) => page.locator(`#${table} tbody tr`);
const column_of = (page, table, column) =>
  page.evaluate(([name, index]) => [...document.querySelectorAll(`#${name} tbody tr`)].map((row) => row.cells[index].dataset.v ?? row.cells[index].textContent), [table, column]);
const head_of = (page, table, name) => page.locator(`#${table} thead th`, { hasText: name }).first();
const said = (page, table) => page.locator('.sortable', { has: page.locator(`#${table}`) }).locator('.said').innerText();
const search_in = (page, table) => page.locator('.sortable', { has: page.locator(`#${table}`) });

function is_descending(values) {
  const numbers = values.filter((value) => value !== '').map(Number);
  return numbers.length > 3 && numbers.every((value, index) => index === 0 || value <= numbers[index - 1]);
}

test('sorts by number and by text, by mouse and by keyboard', async () => {
  await visiting(page_of(made()), {}, async (page, trouble) => {
    const value = head_of(page, 'records', 'Value');
    await value.locator('button').click();
    assert.equal(await value.getAttribute('aria-sort'), 'descending');
    assert.ok(is_descending(await column_of(page, 'records', 3)));
    await value.locator('button').focus();
    await page.keyboard.press('Enter');
    assert.equal(await value.getAttribute('aria-sort'), 'ascending');
    assert.ok(is_descending((await column_of(page, 'records', 3)).reverse()));
    const name = head_of(page, 'records', 'Case');
    await name.locator('button').focus();
    await page.keyboard.press('Space');
    assert.equal(await name.getAttribute('aria-sort'), 'ascending');
    assert.equal(await value.getAttribute('aria-sort'), 'none');
    const names = await column_of(page, 'records', 0);
    assert.ok(names.indexOf('gemm/square/cpu:0/blocked/bf16/n=512') < names.indexOf('gemm/square/cpu:0/blocked/bf16/n=1024'), 'numbers in names by their value');
    assert.deepEqual(trouble, []);
  });
});

test('would see a column that is not sorted', async () => {
  await visiting(page_of(made()), {}, async (page) => assert.ok(!is_descending(await column_of(page, 'records', 3))));
});

test('keeps unknown numbers last whichever way it sorts', async () => {
  await visiting(page_of(fixture()), {}, async (page) => {
    for (const _ of ['down', 'up']) {
      await head_of(page, 'records', 'Value').locator('button').click();
      assert.equal((await column_of(page, 'records', 3)).at(-1), '');
    }
  });
});

test('filters by words and by status, says how many, and what to do when there are none', async () => {
  await visiting(page_of(made()), {}, async (page, trouble) => {
    assert.equal(await said(page, 'records'), '500 records, the first 100 shown');
    const place = search_in(page, 'records');
    await place.locator('input').fill('TRIAD f64 1core memory');
    assert.equal(await said(page, 'records'), '18 of 500 records');
    assert.equal(await rows_of(page, 'records').count(), 18);
    await place.locator('input').fill('no such record');
    assert.equal(await said(page, 'records'), '0 of 500 records');
    assert.ok(await place.locator('.empty').isVisible());
    await place.locator('.empty button').click();
    assert.equal(await said(page, 'records'), '500 records, the first 100 shown');
    await place.locator('.more-rows').click();
    assert.equal(await rows_of(page, 'records').count(), 500);
    assert.deepEqual(trouble, []);
  });
  await visiting(page_of(fixture()), {}, async (page) => {
    const status = search_in(page, 'records').locator('select');
    for (const [option, wanted] of [['trouble', ({ status: s }) => s !== 'ok'], ['=crashed', ({ status: s }) => s === 'crashed']]) {
      await status.selectOption(option);
      assert.equal(await rows_of(page, 'records').count(), fixture().records.filter(wanted).length, option);
    }
    await search_in(page, 'cases').locator('select').selectOption('doubt');
    assert.equal(await rows_of(page, 'cases').count(), 4);
  });
});

test('a record is picked by mouse, and its charts are its own', async () => {
  await visiting(page_of(fixture()), {}, async (page, trouble) => {
    const row = rows_of(page, 'records').nth(6);
    const id = await row.locator('code').innerText();
    const shape = () => page.evaluate(() => document.querySelector('#order .mark-line path').getAttribute('d'));
    const before = await shape();
    await row.locator('.pick').click();
    await settle(page);
    assert.equal(await page.locator('#picked-name').innerText(), id);
    assert.equal(await row.locator('.pick').getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator('.pick[aria-pressed=true]').count(), 1);
    assert.notEqual(await shape(), before);
    assert.match(await page.locator('#announce').textContent(), new RegExp(`Showing the samples of ${id.replace(/[/=]/g, '.')}`));
    await page.locator('#samples-behind summary').click();
    const index = fixture().records.filter((record) => record.id === id)[0].samples.seconds.length;
    // The table is filled when the browser tells of the opening, which is after the click.
    await page.waitForFunction((n) => Math.abs(document.querySelectorAll('#samples-table tbody tr').length - n) < 20, index);
    assert.deepEqual(trouble, []);
  });
});

test('a record is picked by keyboard, with one stop for the Tab key', async () => {
  await visiting(page_of(made()), {}, async (page, trouble) => {
    assert.equal(await page.locator('#records .pick[tabindex="0"]').count(), 1);
    await page.locator('#records .pick[tabindex="0"]').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'End', 'Home', 'PageDown', 'ArrowUp']) await page.keyboard.press(key);
    const row = rows_of(page, 'records').nth(9);
    assert.ok(await row.locator('.pick').evaluate((button) => button === document.activeElement));
    await page.keyboard.press('Enter');
    await settle(page);
    assert.equal(await page.locator('#picked-name').innerText(), await row.locator('code').innerText());
    await page.locator('#next').click();
    assert.equal(await page.locator('#picked-name').innerText(), await rows_of(page, 'records').nth(10).locator('code').innerText());
    await page.locator('#previous').click();
    assert.equal(await page.locator('#picked-name').innerText(), await row.locator('code').innerText());
    assert.deepEqual(trouble, []);
  });
});

test('a record without samples says why', async () => {
  await visiting(page_of(fixture()), {}, async (page, trouble) => {
    await page.locator('#records tr[data-status=unsupported] .pick').first().click();
    assert.match(await page.locator('#picked').innerText(), /No samples were taken: this CPU has no bf16 instructions/);
    assert.ok(!(await page.locator('#picked-charts').isVisible()));
    assert.deepEqual(trouble, []);
  });
});

test('a long series of samples is drawn in bins, with its ends', async () => {
  const long = changed((document) => {
    document.records = document.records.filter(({ status, benchmark }) => status === 'ok' && benchmark === 'gemm').slice(0, 1);
    const { samples, stats } = document.records[0];
    samples.seconds = Array.from({ length: 20000 }, (_, index) => 1e-3 * (1 + (index % 40 === 0 ? 0.1 : 0) + (index % 7) * 1e-3));
    for (const name of ['at', 'clock_hz', 'probe']) samples[name] = samples.seconds.map((_, index) => 1e9 + (index % 5) * 1e6);
    stats.n = 20000;
    Object.assign(stats, { median: 1.003e-3, p5: 1e-3, p95: 1.006e-3, min: 1e-3, max: 1.106e-3 });
  });
  await visiting(page_of(long), {}, async (page, trouble) => {
    assert.match(await page.locator('#picked-about').innerText(), /20000 samples.*drawn in bins/);
    const order = (await charts_of(page)).find(({ id }) => id === 'order');
    assert.equal(order.dots, 1000);
    const band = await page.evaluate(() => document.querySelector('#order .mark-area path').getBBox().height);
    assert.ok(band > 30, `the band is ${band} pixels high`);
    assert.deepEqual(trouble, []);
  });
});

test('two levels of samples are both marked', async () => {
  const two = changed((document) => {
    const record = document.records.find(({ status }) => status === 'ok');
    const { median } = record.stats;
    record.stats.modes = { levels: [median, median * 1.01], shares: [0.63, 0.37], switches: 4 };
    document.records = [record];
  });
  await visiting(page_of(two), {}, async (page) => {
    const { text } = (await charts_of(page)).find(({ id }) => id === 'distribution');
    assert.match(text, /63 % at .*37 % at/s);
  });
});

test('the lines of a chart are chosen', async () => {
  await visiting(page_of(made()), {}, async (page, trouble) => {
    const lines = async () => (await charts_of(page))[0].lines;
    const choice = (name) => page.locator(`#chart-1-choices select[name=${name}]`);
    assert.equal(await lines(), 6);
    await choice('operation').focus();
    await page.keyboard.press('ArrowDown');
    await settle(page);
    assert.equal(await lines(), 1);
    await choice('variant').selectOption({ label: 'all' });
    await settle(page);
    assert.equal(await lines(), 4);
    await choice('dtype').selectOption({ label: 'all' });
    await settle(page);
    assert.equal(await lines(), 8);
    assert.match((await charts_of(page))[0].text, /f32 nt-1core/);
    assert.deepEqual(trouble, []);
  });
});

test('the colours change by the button and with the system, and nothing is kept', async () => {
  await visiting(page_of(fixture()), { scheme: 'light' }, async (page, trouble) => {
    const shades = async () => [luminance(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)),
      ...(await charts_of(page)).map(({ ink }) => 1 - luminance(ink))];
    assert.ok((await shades()).every((shade) => shade > 0.5));
    await page.locator('#theme').click();
    assert.ok((await shades()).every((shade) => shade < 0.5));
    assert.match(await page.locator('#theme').getAttribute('aria-label'), /light/);
    assert.equal(await page.evaluate(() => document.cookie + localStorage.length + sessionStorage.length), '00');
    await page.reload();
    await settle(page);
    assert.ok((await shades()).every((shade) => shade > 0.5));
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.ok((await shades()).every((shade) => shade < 0.5));
    assert.deepEqual(trouble, []);
  });
});

/// What the Tab key reaches, in order, and what of it shows no focus.
async function tabbed(page) {
  const reached = [], unseen = [];
  for (let presses = 0; presses < 80; ++presses) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const it = document.activeElement;
      if (it === document.body) return null;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it);
      const seen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      return { name: it.id || it.className || it.tagName.toLowerCase(), seen };
    });
    if (at === null) break;
    reached.push(at.name);
    if (!at.seen) unseen.push(at.name);
  }
  return { reached, unseen };
}

test('everything is reached with the Tab key and shows where it is', async () => {
  await visiting(page_of(fixture()), {}, async (page) => {
    const { reached, unseen } = await tabbed(page);
    assert.equal(reached[0], 'skip');
    for (const name of ['theme', 'sort', 'previous', 'next', 'pick', 'download-csv', 'download-json', 'scroll', 'list', 'summary', 'select', 'input']) {
      assert.ok(reached.includes(name), `${name} in ${reached}`);
    }
    assert.deepEqual(unseen, []);
  });
});

test('would see a focus that does not show', async () => {
  await visiting(planted('<style>* { outline: none !important; box-shadow: none !important }</style>'), {}, async (page) => {
    const { reached, unseen } = await tabbed(page);
    assert.deepEqual(unseen, reached);
  });
});

test('the skip link leads past the head', async () => {
  await visiting(page_of(fixture()), {}, async (page) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  });
});

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(button).click()]);
  return fs.readFileSync(await download.path(), 'utf8');
}

test('the records are saved as CSV and JSON, formulas as text', async () => {
  const document = changed((it) => { it.records.at(-1).why = '=cmd|\' /C calc\'!A0 "quoted", <b>'; });
  await visiting(page_of(document), {}, async (page, trouble) => {
    const csv = (await saved(page, '#download-csv')).trimEnd().split('\n');
    assert.equal(csv.length, 1 + document.records.length);
    assert.ok(csv.some((line) => line.includes(`"'=cmd|' /C calc'!A0 ""quoted"", <b>"`)), csv.at(-1));
    const cells = csv[0].split(',').length;
    assert.ok(csv.filter((line) => !line.includes('"')).every((line) => line.split(',').length === cells));
    const json = JSON.parse(await saved(page, '#download-json'));
    assert.equal(json.records.length, document.records.length);
    const values = (records) => records.flatMap(({ metrics }) => metrics.map(({ value }) => value)).sort((a, b) => a - b);
    assert.deepEqual(values(json.records), values(document.records));
    assert.deepEqual(trouble, []);
  });
});

test('results stand side by side with ratios to the first', async () => {
  const first = made(), second = made({ seed: 2, speed: 1.5, keep: ({ dtype }) => dtype !== 'i8' });
  second.machine = { ...second.machine, os: { ...second.machine.os, kernel: '6.12.0' } };
  await visiting(page_of(first, second, first), {}, async (page, trouble) => {
    assert.match(await page.locator('h1').innerText(), /3 results side by side/);
    assert.deepEqual(await page.locator('.verdict .letter').allInnerTexts(), ['A', 'B', 'C']);
    const triad = page.locator('.keys tr', { hasText: 'memory/triad f64' }).first();
    assert.match(await triad.innerText(), /1\.(49|50|51)× A[^]*1\.00× A/);
    assert.match(await page.locator('.keys tr', { hasText: 'gemm/square i8' }).first().innerText(), /not there/);
    assert.match(await page.locator('.differs', { hasText: 'Kernel' }).innerText(), /6\.1\.0[^]*6\.12\.0/);
    assert.equal(await page.locator('.differs', { hasText: 'System' }).count(), 0);
    const [bandwidth] = await charts_of(page);
    assert.equal(bandwidth.lines, 3);
    await head_of(page, 'cases', 'B ÷ A').locator('button').click();
    assert.ok(is_descending(await column_of(page, 'cases', 4)));
    await search_in(page, 'cases').locator('input').fill('i8');
    assert.match(await rows_of(page, 'cases').first().innerText(), /not there/);
    assert.equal(await rows_of(page, 'records').first().locator('.letter').innerText(), 'A');
    assert.deepEqual(trouble, []);
  });
});
