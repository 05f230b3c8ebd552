// SPDX-License-Identifier: Apache-2.0
// Clock, power and temperature over a run, as a reader has them: at desk and phone width, light and dark, of few records
// and of many.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, luminance, page_of, planted, visiting } from './pages.mjs';
import { sampled_document } from './sampled_document.mjs';
import { charts_of, overflow_of } from './visit.mjs';

const made = (options = {}) => sampled_document(fixture(), options);
const strips_of = async (page) => (await charts_of(page)).filter(({ id }) => id.startsWith('strip-'));
const body = (page) => page.locator('body').innerText();

/// A picture of each page, for a person to look at, where STRIP_PICTURES names a folder.
async function keep_picture(page, name) {
  if (!process.env.STRIP_PICTURES) return;
  await page.locator('#machine').screenshot({ path: path.join(process.env.STRIP_PICTURES, `${name}-machine.png`) });
  const section = page.locator('#strips-section');
  if (await section.count()) await section.screenshot({ path: path.join(process.env.STRIP_PICTURES, `${name}.png`) });
}

/// Texts of a strip that lie on one another.
const overprinted = (page, id) => page.evaluate((place) => {
  const texts = [...document.querySelectorAll(`#${place} .role-mark.mark-text text, #${place} .role-axis-title text`)].filter((text) => text.textContent !== '');
  const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], index) => boxes.slice(index + 1).filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${name} on ${other}`));
}, id);

for (const [width, scheme] of [[1280, 'light'], [1280, 'dark'], [390, 'light'], [390, 'dark']]) {
  test(`draws the strip of a GPU at ${width} pixels, ${scheme}`, async () => {
    await visiting(page_of(made()), { width, scheme }, async (page, trouble) => {
      await keep_picture(page, `gpu-${width}-${scheme}`);
      const [strip, ...more] = await strips_of(page);
      assert.deepEqual(more, []);
      assert.ok(strip.drawn);
      assert.equal(strip.lines, 3);
      assert.ok(strip.bars >= 60 + 1, `${strip.bars} shades`);
      assert.match(strip.description, /^Clock, power and temperature of cuda:0 over the run: clock from 1\.2.* to 1\.9.* GHz, .*°C\. Some records were held down by heat/);
      for (const words of ['Clock (GHz)', 'Power (W)', 'Temperature (°C)', 'highest 1.98 GHz', 'limit 700 W', 'Seconds since the run began']) assert.ok(strip.text.includes(words), words);
      assert.ok(scheme === 'dark' ? luminance(strip.ink) > 0.5 : luminance(strip.ink) < 0.5, strip.ink);
      assert.deepEqual(await overprinted(page, 'strip-1'), []);
      assert.equal(await overflow_of(page), 0);
      assert.deepEqual(trouble, []);
    });
  });
}

test('would see texts that lie on one another', async () => {
  const label = '<text x="5" y="20">';
  const markup = `<svg id="planted"><g class="role-mark mark-text">${label}one</text>${label}other</text></g></svg>`;
  await visiting(planted(markup), {}, async (page) => assert.deepEqual(await overprinted(page, 'planted'), ['one on other']));
});

test('marks what heat held down, and says it first', async () => {
  await visiting(page_of(made()), {}, async (page) => {
    assert.match(await page.locator('.verdict').innerText(), /The clock of the GPU was held down in \d+ of 60 cases, at worst by heat/);
    const [color] = await page.evaluate(() => {
      const fills = [...document.querySelectorAll('#strip-1 .mark-rect.role-mark path')].map((mark) => getComputedStyle(mark).fill);
      const heat = getComputedStyle(document.querySelector('.key.heat'), '::before').backgroundColor;
      return fills.filter((fill) => fill === heat);
    });
    assert.ok(color, 'no mark has the colour that the key explains');
    assert.ok(await page.locator('.key.limit').isVisible());
  });
  await visiting(page_of(made({ hot: 1e9, is_gpu: false })), {}, async (page) => assert.equal(await page.locator('.key').count(), 0));
});

test('names the case under the pointer', async () => {
  await visiting(page_of(made()), {}, async (page, trouble) => {
    await page.locator('#strip-1 .mark-rect.role-mark path').nth(5).hover({ force: true });
    await page.waitForSelector('#vg-tooltip-element.visible');
    assert.match(await page.locator('#vg-tooltip-element').innerText(), /memory\/copy\/cuda:0\/plain\/f64\/n=\d+, repeat 1/);
    assert.deepEqual(trouble, []);
  });
});

for (const width of [1280, 390]) {
  test(`draws eight GPUs at ${width} pixels`, async () => {
    await visiting(page_of(made({ devices: 8, count: 20 })), { width }, async (page, trouble) => {
      await keep_picture(page, `eight-${width}`);
      const strips = await strips_of(page);
      assert.equal(strips.filter(({ drawn }) => drawn).length, 8);
      assert.match(strips[7].description, /of cuda:7 over the run/);
      assert.match(await page.locator('#machine').innerText(), /8 GPUs\s+NVIDIA H200, 140 GiB usable, ECC on, power limit 700 W of 700 W, PCIe 5 x16 under load.*GPU-5eef03a0, .*GPU-5eef03a7/);
      assert.equal(await overflow_of(page), 0);
      assert.deepEqual(trouble, []);
    });
  });
}

test('shows of a CPU what there is', async () => {
  await visiting(page_of(made({ is_gpu: false, hot: 1e9 })), {}, async (page, trouble) => {
    await keep_picture(page, 'cpu');
    const [strip] = await strips_of(page);
    assert.equal(strip.lines, 2);
    assert.ok(!strip.text.includes('Power'), strip.text);
    assert.match(strip.description, /^Clock and temperature of cpu:0/);
    assert.deepEqual(trouble, []);
  });
});

test('has no strip where nothing was read', async () => {
  await visiting(page_of(fixture()), {}, async (page) => assert.equal(await page.locator('#strips-section').count(), 0));
});

test('stands with ten thousand records of 64 readings', async () => {
  const file = page_of(made({ count: 10000, points: 64, hot: 3000, cool: 3003 }));
  const strip = fs.readFileSync(file, 'utf8').split('\n').find((line) => line.includes('id="charts"'));
  assert.ok(strip.length < 6e5, `${strip.length} bytes of charts`);
  await visiting(file, {}, async (page, trouble) => {
    await keep_picture(page, 'many');
    assert.ok((await strips_of(page))[0].drawn);
    assert.match(await body(page), /\d+ of 1920000 readings are drawn: the lowest and the highest of each interval\./);
    assert.deepEqual(trouble, []);
  });
});

test('has a table of the same without scripts', async () => {
  await visiting(page_of(made()), { scripts: false }, async (page) => {
    const text = await page.locator('#strips-section').textContent();
    assert.match(text, /The chart needs scripts/);
    assert.match(text, /gemm\/square.*GHz.*W.*°C.*heat \(the GPU's own thermal slowdown\)/s);
  });
});

test('shows markup of a document as text', async () => {
  const hostile = made({ count: 3 });
  hostile.devices[0].id = '<img src=x onerror=alert(1)>';
  hostile.machine.nvidia.gpus[0].name = '<b>bold</b>\u202e';
  for (const record of hostile.records) Object.assign(record, { device: hostile.devices[0].id, benchmark: '<i>x</i>/y' });
  await visiting(page_of(hostile), {}, async (page, trouble) => {
    assert.ok((await body(page)).includes('<b>bold</b>'));
    assert.equal(await page.locator('img, #machine b, #strips-section i').count(), 0);
    assert.ok((await strips_of(page))[0].drawn);
    assert.deepEqual(trouble, []);
  });
});
