// SPDX-License-Identifier: Apache-2.0
// The rate of a case that ran for a minute, over its seconds, as a reader has it: at desk and phone width, light and dark.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';

import { fixture, luminance, page_of, visiting } from './pages.mjs';
import { sampled_document } from './sampled_document.mjs';
import { charts_of, overflow_of } from './visit.mjs';

/// One case on a GPU that falls by 40 % at 20 s, where `hot`, because of heat.
function steady_document(hot = true) {
  const document = sampled_document(fixture(), { count: 1 });
  const [record] = document.records;
  const seconds = Array.from({ length: 240 }, (_, i) => i / 4);
  const level = (at) => (hot && at >= 20 ? 0.6 : 1);
  const work = { bytes_read: 0, bytes_written: 0, flops: 1e12 };
  const metric = (name, unit, value, better = 'higher') =>
    ({ name, unit, value, better, gate: false, ceiling: null, ceiling_source: 'none', of_ceiling: null, of_ceiling_at_clock: null });
  Object.assign(record, {
    id: 'steady/gemm/cuda:0/cublaslt/f16/n=8192/seconds=60', benchmark: 'steady/gemm',
    params: { variant: 'cublaslt', dtype: 'f16', n: 8192, seconds: 60 }, mode: 'batch', work, warmup_seconds: 0.01,
    samples: { seconds: seconds.map((at) => 1e12 / (750e12 * level(at))), at: seconds, clock_hz: seconds.map((at) => 1.98e9 * level(at)), probe: [], warmup: [0.0013], batch: 187 },
    course: { first_until: 5, steady_from: hot ? 20 : 0, settled_at: hot ? 20 : 0 },
    metrics: [metric('flop_rate', 'FLOP/s', 750e12 * level(60)), metric('first_flop_rate', 'FLOP/s', 750e12), metric('settling_time', 's', hot ? 20 : 0, 'lower'), metric('flop_rate_per_watt', 'FLOP/s/W', 1e12)],
  });
  record.telemetry.sampled.series = {
    at: seconds, clock_hz: seconds.map((at) => 1.98e9 * level(at)), power_w: seconds.map((at) => 690 * level(at)), temperature_c: seconds.map((at) => Math.min(87, 40 + 2.4 * at)),
    held_down: seconds.map((at) => (hot && at >= 20 ? ['sw_thermal'] : at > 2 ? ['sw_power_cap'] : [])),
  };
  return document;
}

const strip_of = async (page) => (await charts_of(page)).find(({ id }) => id === 'steady-1');

for (const [width, scheme] of [[1280, 'light'], [1280, 'dark'], [390, 'light'], [390, 'dark']]) {
  test(`draws the course of a rate at ${width} pixels, ${scheme}`, async () => {
    await visiting(page_of(steady_document()), { width, scheme }, async (page, trouble) => {
      const folder = process.env.STRIP_PICTURES;
      if (folder) await page.locator('#steady-section').screenshot({ path: path.join(folder, `steady-${width}-${scheme}.png`) });
      const strip = await strip_of(page);
      assert.ok(strip.drawn);
      assert.ok(strip.lines >= 4, `${strip.lines} lines`);
      for (const words of ['Rate (TFLOP/s)', 'Clock (GHz)', 'Power (W)', 'Temperature (°C)', 'Seconds since the first launch']) assert.ok(strip.text.includes(words), words);
      assert.match(strip.description, /750 TFLOP\/s in the first seconds, 450 TFLOP\/s steady \(-40.0 %\) from 20.0 s on/);
      assert.ok(scheme === 'dark' ? luminance(strip.ink) > 0.5 : luminance(strip.ink) < 0.5, strip.ink);
      assert.match(await page.locator('#steady-section').innerText(), /heat \(the driver's thermal slowdown\) held it down/);
      assert.equal(await page.locator('#steady-section .key.heat').count(), 1);
      assert.equal(await overflow_of(page), 0);
      assert.deepEqual(trouble, []);
    });
  });
}

test('says nothing of heat where the rate stayed', async () => {
  await visiting(page_of(steady_document(false)), {}, async (page) => {
    assert.ok((await strip_of(page)).drawn);
    assert.equal(await page.locator('#steady-section .key.heat').count(), 0);
    assert.equal(await page.locator('#steady-section .key.limit').count(), 1);
    assert.ok(!/its rate fell/.test(await page.locator('#steady-section').innerText()));
  });
});

test('is not there where no case ran for a given time', async () => {
  await visiting(page_of(fixture()), {}, async (page) => assert.equal(await page.locator('#steady-section').count(), 0));
});
