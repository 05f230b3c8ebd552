// SPDX-License-Identifier: Apache-2.0
// The report page as a reader has it: nothing leaves it, nothing goes wrong in it, everything shows.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';

import { made_document } from './made_document.mjs';
import { changed, fixture, luminance, page_of, planted, visiting } from './pages.mjs';
import { charts_of, overflow_of } from './visit.mjs';

const every_chart = ['chart-1', 'chart-2', 'distribution', 'order', 'beside'];

for (const scheme of ['light', 'dark']) {
  test(`draws every chart, ${scheme}, and asks for nothing`, async () => {
    await visiting(page_of(fixture()), { scheme }, async (page, trouble) => {
      const charts = await charts_of(page);
      assert.deepEqual(charts.map(({ id }) => id), every_chart);
      for (const chart of charts) {
        assert.ok(chart.drawn, `${chart.id} has no drawing`);
        assert.ok(chart.dots + chart.bars >= 5, `${chart.id}: ${chart.dots} dots, ${chart.bars} bars`);
        const shade = luminance(chart.ink);
        assert.ok(scheme === 'dark' ? shade > 0.5 : shade < 0.5, `${chart.id}: labels in ${chart.ink}`);
      }
      const [bandwidth, matrix] = charts;
      assert.match(bandwidth.description, /^Line chart of .* on Intel\(R\) Xeon/);
      assert.match(bandwidth.text, /32 KiB.*1 GiB.*GB\/s/s);
      assert.match(matrix.text, /GFLOP\/s/);
      assert.ok(bandwidth.lines >= 2 && matrix.lines >= 1);
      assert.deepEqual(trouble, []);
    });
  });
}

test('would see a chart whose marks are not painted', async () => {
  await visiting(planted('<style>.role-mark path { opacity: 0 }</style>'), {}, async (page) => {
    for (const chart of await charts_of(page)) assert.equal(chart.dots + chart.bars, 0, chart.id);
  });
});

test('marks the sizes of the caches', async () => {
  await visiting(page_of(made_document(fixture(), { repeats: 1 })), {}, async (page) => {
    const [bandwidth] = await charts_of(page);
    for (const label of ['L1 64 KiB', 'L2 2 MiB', 'L3 32 MiB', 'ceiling']) assert.ok(bandwidth.text.includes(label), label);
  });
  await visiting(page_of(fixture()), {}, async (page) => assert.ok(!(await charts_of(page))[0].text.includes('L1 64 KiB')));
});

test('shows markup, scripts and other tricks from a document as text', async () => {
  const long = 'W'.repeat(500), tricks = ['<img src=x onerror=alert(7)>', '{{constructor}}', '"\'`', 'x\u202egnp.exe', '\u001b[31mred', long];
  const hostile = fixture('result_hostile.json');
  hostile.records.forEach((record, index) => {
    record.params.variant += ` ${tricks[index % tricks.length]}`;
    record.id += `/${tricks[index % tricks.length]}`;
    record.about['<b>key</b>'] = tricks[0];
  });
  await visiting(page_of(hostile, hostile), {}, async (page, trouble) => {
    const text = await page.locator('body').innerText();
    for (const trick of ['<script>alert(1)</script> & Xeon "\'>', tricks[0], tricks[1]]) assert.ok(text.includes(trick), trick);
    assert.ok(!/[\u202e\u001b]/.test(text), 'a character that steers');
    assert.equal(await page.locator('img, b b, main script').count(), 0);
    assert.ok((await charts_of(page)).every(({ drawn }) => drawn));
    await page.locator('#chart-1 .role-mark path').first().hover({ force: true });
    await page.evaluate(() => document.querySelectorAll('main details').forEach((part) => { part.open = true; }));
    await page.locator('#records .pick').nth(3).click();
    assert.equal(await overflow_of(page), 0);
    assert.deepEqual(trouble, []);
  });
});

for (const width of [390, 1280]) {
  test(`is no wider than a window of ${width} pixels`, async () => {
    const long = changed((document) => {
      document.devices[0].name = 'A'.repeat(300);
      document.machine.host.name = 'very-long-host-'.repeat(20);
      document.records.forEach((record) => { record.why &&= `${record.why} ${'W'.repeat(300)}`; });
    });
    const made = made_document(fixture(), { repeats: 1 });
    for (const documents of [[fixture()], [fixture('result_hostile.json')], [long], [made, long]]) {
      await visiting(page_of(...documents), { width }, async (page, trouble) => {
        await page.evaluate(() => document.querySelectorAll('main details').forEach((part) => { part.open = true; }));
        assert.equal(await overflow_of(page), 0);
        assert.deepEqual(trouble, []);
      });
    }
  });
}

test('tells every number without scripts', async () => {
  await visiting(page_of(fixture()), { scripts: false }, async (page) => {
    const text = await page.locator('main').innerText();
    for (const number of ['23.2', '279 GB/s', '229 GFLOP/s', '85.4 %', 'this CPU has no bf16 instructions']) assert.ok(text.includes(number), number);
    assert.match(text, /The chart needs scripts/);
    assert.equal(await page.locator('#records tbody tr:visible').count(), 42);
    assert.equal(await page.locator('button:visible').count(), 0, 'a button that does nothing');
  });
});

test('says first what makes numbers doubtful', async () => {
  const interrupted = changed((document) => { document.run.interrupted = true; });
  await visiting(page_of(interrupted), {}, async (page) => {
    const lines = (await page.locator('.verdict').innerText()).split('\n').filter((line) => line.trim() !== '');
    assert.match(lines[0], /8 of 14 cases measured and verified/);
    assert.match(lines[1], /The run was interrupted/);
    assert.match(lines[2], /4 of 14 cases are doubtful: .*1 not converged/);
  });
  await visiting(page_of(made_document(fixture(), { repeats: 3 })), {}, async (page) => {
    assert.match(await page.locator('.verdict').innerText(), /Nothing speaks against these numbers/);
  });
});

/// The fixture as one GPU whose name no band knows: `share` of its derived ceiling in every benchmark of memory.
const gpu_with = (share) => changed((document) => {
  document.devices = [{ ...document.devices[0], id: 'cuda:0', backend: 'cuda', name: `NVIDIA Unknown ${'W'.repeat(200)}` }];
  document.records = document.records.filter(({ status }) => status === 'ok').slice(0, 3).map((record, index) => ({
    ...record, id: `memory/made-${index}/cuda:0`, benchmark: `memory/made-${index}`, device: 'cuda:0',
    metrics: [{ ...record.metrics[0], name: 'bandwidth', unit: 'B/s', value: share * 1e12, ceiling: 1e12, ceiling_source: 'derived: by hand', of_ceiling: share }],
  }));
});

for (const width of [390, 1280]) {
  test(`says first whether to keep a GPU, and why not, in a window of ${width} pixels`, async () => {
    for (const [share, word, reasons] of [[0.8, 'KEEP', 0], [0.3, 'RETURN', 3]]) {
      await visiting(page_of(gpu_with(share)), { width }, async (page, trouble) => {
        const first = page.locator('.verdict > *').first();
        assert.match(await first.innerText(), new RegExp(`^${word} cuda:0, NVIDIA Unknown W+: there is no reference`));
        assert.equal(await first.locator('li').count(), reasons);
        assert.equal(await overflow_of(page), 0);
        assert.deepEqual(trouble, []);
      });
    }
  });
}

test('says which variant won', async () => {
  await visiting(page_of(made_document(fixture(), { repeats: 1 })), {}, async (page) => {
    const card = page.locator('.number', { hasText: 'memory/triad f64' });
    assert.match(await card.innerText(), /nt, batch best of nt, nt-1core, plain, plain-1core/);
    assert.match(await card.innerText(), /% of 26\.0 GB\/s, the measured ceiling/);
  });
});

test('prints in light colours, every row, nothing to press', async () => {
  await visiting(page_of(made_document(fixture(), { repeats: 1 })), { scheme: 'dark' }, async (page, trouble) => {
    assert.equal(await page.locator('#records tbody tr').count(), 100);
    await page.emulateMedia({ media: 'print' });
    await page.waitForFunction(() => document.querySelectorAll('#records tbody tr').length === 500);
    const color = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.ok(luminance(color) > 0.9, color);
    for (const { id, ink } of await charts_of(page)) assert.ok(luminance(ink) < 0.5, `${id}: labels in ${ink}`);
    assert.equal(await page.locator('.button:visible, input:visible, select:visible').count(), 0);
    assert.equal(await page.locator('main details:not([open])').count(), 0);
    assert.equal(await page.locator('#samples-table tbody tr').count(), 30);
    assert.ok((await page.pdf()).length > 50000);
    await page.emulateMedia({ media: 'screen' });
    await page.waitForFunction(() => document.querySelectorAll('#records tbody tr').length === 100);
    assert.ok(await page.locator('main details:not([open])').count() > 0);
    assert.deepEqual(trouble, []);
  });
});

test('would see what is to press on paper', async () => {
  await visiting(planted('<style>.button { display: block !important }</style>'), {}, async (page) => {
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.locator('.button:visible').count() > 0);
  });
});

/// A device whose types share ceilings, at the sizes given.
function products(...sizes) {
  const document = made_document(fixture(), { repeats: 1, keep: ({ benchmark, value }) => benchmark === 'gemm/square' && sizes.includes(value) });
  for (const { metrics: [metric] } of document.records) metric.ceiling = metric.unit === 'OP/s' ? 2.8e12 : 1.4e12;
  return document;
}

/// Texts of a chart that lie on one another.
const overprinted = (page, selector) => page.evaluate((marks) => {
  const boxes = [...document.querySelectorAll(marks)].filter((text) => text.textContent !== '').map((text) => [text.textContent, text.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], index) => boxes.slice(index + 1).filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${name} on ${other}`));
}, selector);
const texts = '#chart-1 .mark-text.role-mark text';

for (const width of [390, 1280]) {
  test(`prints no label of a ceiling on another at ${width} pixels`, async () => {
    await visiting(page_of(products(512, 1024)), { width }, async (page, trouble) => {
      assert.match((await charts_of(page))[0].text, /bf16, f32, f64 ceiling/);
      assert.deepEqual(await overprinted(page, texts), []);
      await page.locator('#chart-1-choices select').first().selectOption('bf16');
      await page.waitForFunction((all) => document.querySelectorAll(all).length === 1, texts);
      assert.equal(await page.locator(texts).textContent(), 'bf16 ceiling');
      assert.deepEqual(trouble, []);
    });
  });

  test(`draws bars where there is one size, with room for each, at ${width} pixels`, async () => {
    await visiting(page_of(products(1024)), { width }, async (page, trouble) => {
      const [chart] = await charts_of(page);
      assert.equal(chart.bars, 4 + 4, 'four types, each with its ceiling');
      assert.equal(chart.dots + chart.lines, 0);
      assert.deepEqual(await overprinted(page, texts), []);
      const height = () => page.locator('#chart-1').evaluate((place) => place.getBoundingClientRect().height);
      const before = await height();
      await page.locator('#chart-1-choices select').last().selectOption('all');
      await page.waitForFunction(([place, than]) => document.querySelector(place).getBoundingClientRect().height > 1.5 * than, ['#chart-1', before]);
      assert.deepEqual(await overprinted(page, texts), []);
      assert.equal(await overflow_of(page), 0);
      assert.deepEqual(trouble, []);
    });
  });
}

test('cuts off no result side by side on a telephone', async () => {
  const gpu = changed((document) => {
    document.devices[0] = { ...document.devices[0], id: 'cuda:0', backend: 'cuda', name: 'NVIDIA H200', facts: { uuid: 'GPU-5eef03a0-5157-4d61-726b-000000000000' } };
    document.records.forEach((record) => Object.assign(record, { device: 'cuda:0', id: record.id.replace('cpu:0', 'cuda:0') }));
  });
  await visiting(page_of(fixture(), gpu), { width: 390 }, async (page, trouble) => {
    await page.evaluate(() => document.querySelectorAll('#key-numbers details').forEach((part) => { part.open = true; }));
    const hidden = () => page.evaluate(() => [...document.querySelectorAll('#machine .scroll, #key-numbers .scroll')].map((part) => part.scrollWidth - part.clientWidth));
    const parts = await hidden();
    assert.ok(parts.length >= 2);
    assert.ok(parts.every((pixels) => pixels === 0), parts.join(' '));
    assert.match(await page.locator('#machine').innerText(), /NVIDIA H200/);
    const letters = await page.evaluate(() => [...document.querySelectorAll('.compared tr:last-child td.why')].map((cell) => getComputedStyle(cell, '::before').content));
    assert.deepEqual(letters, Array(2).fill('counter(result, upper-alpha)'));
    assert.deepEqual(trouble, []);
    await page.addStyleTag({ content: '.compared td.why { min-width: 40em !important }' });
    assert.ok((await hidden())[0] > 100, 'would see one that is cut off');
  });
});

test('would see labels that lie on one another', async () => {
  const label = '<text x="5" y="20">';
  await visiting(planted(`<svg id="planted">${label}f16 ceiling</text>${label}bf16 ceiling</text></svg>`), {}, async (page) => {
    assert.deepEqual(await overprinted(page, '#planted text'), ['f16 ceiling on bf16 ceiling']);
  });
});

const second_device = changed((document) => {
  document.devices.push({ ...document.devices[0], id: 'cuda:0', backend: 'cuda', name: 'Second device' });
  for (const record of structuredClone(document.records)) {
    document.records.push({ ...record, device: 'cuda:0', id: record.id.replace('cpu:0', 'cuda:0') });
  }
});
const one_size = changed((document) => {
  document.records = document.records.filter(({ id }) => id.includes('footprint=memory') || id.endsWith('n=256'));
});
const failures = changed((document) => { document.records = document.records.filter(({ metrics }) => metrics.length === 0); });

for (const [name, document, charts] of [
  ['no records', changed((it) => { it.records = []; }), 0],
  ['only failures', failures, 0],
  ['one size', one_size, 5],
  ['two devices', second_device, 7],
  ['3000 records', made_document(fixture(), { repeats: 6 }), 5],
]) {
  test(`stands with ${name}`, async () => {
    await visiting(page_of(document), {}, async (page, trouble) => {
      assert.equal((await charts_of(page)).filter((chart) => chart.drawn).length, charts);
      assert.equal(await overflow_of(page), 0);
      assert.deepEqual(trouble, []);
    });
  });
}

test('is small without its data', () => {
  const size = (document) => fs.statSync(page_of(document)).size;
  assert.ok(size(one_size) < 1.2e6);
  const samples = changed((document) => {
    const { samples } = document.records.find(({ status }) => status === 'ok');
    Object.assign(samples, { seconds: Array.from({ length: 1e5 }, (_, index) => 1e-3 + index * 1e-9), at: [], clock_hz: [], probe: [] });
  });
  assert.ok(size(samples) - size(fixture()) < 1e5, 'a long series of samples is embedded whole');
});

// The twins of the visitor: it has to see what is planted.

for (const [name, text, seen] of [
  ['a request', '<img src="https://example.invalid/pixel.png">', /^request: https:\/\/example\.invalid\/pixel\.png/],
  ['a fetch', '<script>fetch("https://example.invalid/data").catch(() => {})</script>', /^request: https:\/\/example\.invalid\/data/],
  ['a console error', '<script>console.error("planted")</script>', /^console error: planted/],
  ['an exception', '<script>throw new Error("planted")</script>', /^exception: planted/],
  ['a dialog', '<script>alert("planted")</script>', /^dialog: planted/],
]) {
  test(`would see ${name}`, async () => {
    await visiting(planted(text), {}, async (page, trouble) => {
      assert.ok(trouble.some((line) => seen.test(line)), JSON.stringify(trouble));
    });
  });
}

test('would see a page that is too wide, and a chart that is not there', async () => {
  await visiting(planted('<div style="width: 3000px">wide</div><div class="chart">no drawing</div>'), {}, async (page) => {
    assert.ok((await overflow_of(page)) > 1000);
    const charts = await charts_of(page);
    assert.equal(charts.length, every_chart.length + 1);
    assert.equal(charts.filter((chart) => chart.drawn).length, every_chart.length);
  });
});

test('its policy stops a request even where markup got in', async () => {
  const file = planted('<img src="https://example.invalid/pixel.png">', { policy: true });
  await visiting(file, {}, async (page, trouble) => {
    assert.ok(trouble.some((line) => /Content Security Policy/.test(line)), JSON.stringify(trouble));
    assert.ok(!trouble.some((line) => line.startsWith('request:')), JSON.stringify(trouble));
  });
});
