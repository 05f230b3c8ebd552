// SPDX-License-Identifier: Apache-2.0
// The report page as a reader has it: nothing leaves it, nothing goes wrong in it, everything shows.
// TEST_WARPMARK is the program whose `report` makes the pages.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { charts_of, launch, overflow_of, settle, visit } from './visit.mjs';

const fixtures = path.join(path.dirname(fileURLToPath(import.meta.url)), '../fixtures');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'warpmark-browser-'));
const fixture = (name) => JSON.parse(fs.readFileSync(path.join(fixtures, name), 'utf8'));
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

/// The page of one or several documents, as a file.
function page_of(...documents) {
  const stem = path.join(folder, String(++pages));
  const results = documents.map((document, index) => {
    const result = `${stem}-${index}.json`;
    fs.writeFileSync(result, JSON.stringify(document));
    return result;
  });
  execFileSync(process.env.TEST_WARPMARK, ['report', ...results, '-o', `${stem}.html`]);
  return `${stem}.html`;
}

/// The fixture after a change.
function changed(change) {
  const document = fixture('result.json');
  change(document);
  return document;
}

async function visiting(file, options, look) {
  const visited = await visit(browser, file, options);
  try {
    await look(visited.page, visited.trouble);
  } finally {
    await visited.close();
  }
}

const luminance = (color) => {
  const [red, green, blue] = color.match(/[\d.]+/g).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
};

for (const scheme of ['light', 'dark']) {
  test(`draws both charts, ${scheme}, and asks for nothing`, async () => {
    await visiting(page_of(fixture('result.json')), { scheme }, async (page, trouble) => {
      const charts = await charts_of(page);
      assert.equal(charts.length, 2);
      for (const chart of charts) {
        assert.ok(chart.drawn, 'the chart has no drawing');
        assert.ok(chart.dots >= 9, `${chart.dots} dots`);
        assert.ok(chart.lines >= 2, `${chart.lines} lines`);
        assert.match(chart.description, /^Line chart of .* on Intel\(R\) Xeon/);
        const shade = luminance(chart.background);
        assert.ok(scheme === 'dark' ? shade < 0.2 : shade > 0.8, `background ${chart.background}`);
      }
      assert.match(charts[0].text, /32 KiB.*1 MiB.*1 GiB/s);
      assert.match(charts[0].text, /GB\/s/);
      assert.match(charts[1].text, /GFLOP\/s/);
      assert.deepEqual(trouble, []);
    });
  });
}

test('draws again when the scheme changes', async () => {
  await visiting(page_of(fixture('result.json')), { scheme: 'light' }, async (page, trouble) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await settle(page, 'dark');
    for (const chart of await charts_of(page)) assert.ok(luminance(chart.background) < 0.2, chart.background);
    assert.deepEqual(trouble, []);
  });
});

test('shows markup and scripts from a document as text', async () => {
  await visiting(page_of(fixture('result_hostile.json')), {}, async (page, trouble) => {
    assert.match(await page.locator('h1').textContent(), /<script>alert\(1\)<\/script> & Xeon "'><img src=x onerror=alert\(2\)>/);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('h1 *').count(), 0);
    assert.equal((await charts_of(page)).filter((chart) => chart.drawn).length, 2);
    await page.locator('details summary').first().click();
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
    for (const document of [fixture('result.json'), fixture('result_hostile.json'), long]) {
      await visiting(page_of(document), { width }, async (page) => {
        await page.evaluate(() => document.querySelectorAll('main details').forEach((part) => { part.open = true; }));
        assert.equal(await overflow_of(page), 0);
      });
    }
  });
}

test('tells every number without scripts', async () => {
  await visiting(page_of(fixture('result.json')), { scripts: false }, async (page) => {
    const text = await page.locator('main').innerText();
    for (const number of ['23.2', '279 GB/s', '229 GFLOP/s', '85.4 %', 'this CPU has no bf16 instructions']) assert.ok(text.includes(number), number);
    assert.match(text, /The chart needs scripts/);
  });
});

test('hides what is ok when asked to', async () => {
  await visiting(page_of(fixture('result.json')), {}, async (page) => {
    await page.locator('details.records summary').click();
    const rows = page.locator('details.records tbody tr:visible');
    assert.equal(await rows.count(), 42);
    await page.locator('.filter input').check();
    assert.equal(await rows.count(), fixture('result.json').records.filter((record) => record.status !== 'ok').length);
  });
});

test('prints in light colours with both charts', async () => {
  await visiting(page_of(fixture('result.json')), { scheme: 'dark' }, async (page) => {
    await page.emulateMedia({ media: 'print' });
    const color = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.ok(luminance(color) > 0.9, color);
    assert.ok((await page.pdf()).length > 20000);
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
const many = changed((document) => {
  const made = document.records.find(({ id }) => id.includes('footprint=32768'));
  document.records = Array.from({ length: 5000 }, (_, index) => {
    const footprint = 4096 * (1 + Math.floor(index / 3));
    const id = made.id.replace('32768', footprint);
    return { ...made, id, params: { ...made.params, footprint }, repeat: index % 3, samples: { ...made.samples, warmup: [] } };
  });
});

for (const [name, document, charts] of [
  ['no records', changed((document) => { document.records = []; }), 0],
  ['only failures', changed((document) => { document.records = document.records.filter(({ metrics }) => metrics.length === 0); }), 0],
  ['one size', one_size, 2],
  ['two devices', second_device, 4],
  ['5000 records', many, 1],
]) {
  test(`stands with ${name}`, async () => {
    const file = page_of(document);
    assert.ok(fs.statSync(file).size < 5e6, 'the page is large');
    await visiting(file, {}, async (page, trouble) => {
      assert.equal((await charts_of(page)).filter((chart) => chart.drawn).length, charts);
      assert.equal(await overflow_of(page), 0);
      assert.deepEqual(trouble, []);
    });
  });
}

test('shows several documents on one page', async () => {
  await visiting(page_of(fixture('result.json'), one_size), {}, async (page, trouble) => {
    assert.equal(await page.locator('article').count(), 2);
    assert.equal((await charts_of(page)).filter((chart) => chart.drawn).length, 4);
    assert.deepEqual(trouble, []);
  });
});

// The twins: the same visitor has to see what is planted.

/// The fixture's page with more markup at its end. The page's own policy would forbid most of it; without that the visitor
/// alone stands guard.
function planted(markup, { policy = false } = {}) {
  const file = page_of(fixture('result.json'));
  const page = fs.readFileSync(file, 'utf8');
  const end = page.lastIndexOf('</body>');
  const head = policy ? page.slice(0, end) : page.slice(0, end).replace(/<meta http-equiv[^>]*>/, '');
  fs.writeFileSync(file, `${head}${markup}${page.slice(end)}`);
  return file;
}

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
    assert.equal((await charts_of(page)).filter((chart) => chart.drawn).length, 2);
    assert.equal((await charts_of(page)).length, 3);
  });
});

test('its policy stops a request even where markup got in', async () => {
  const file = planted('<img src="https://example.invalid/pixel.png">', { policy: true });
  await visiting(file, {}, async (page, trouble) => {
    assert.ok(trouble.some((line) => /Content Security Policy/.test(line)), JSON.stringify(trouble));
    assert.ok(!trouble.some((line) => line.startsWith('request:')), JSON.stringify(trouble));
  });
});
