// SPDX-License-Identifier: Apache-2.0
// Opens a page in headless Chromium with no network and writes down whatever it does that a report must not do.
import fs from 'node:fs';

import { chromium } from 'playwright-core';

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium'];
const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--no-first-run', '--no-default-browser-check',
];

export function launch() {
  const executablePath = candidates.find((path) => path && fs.existsSync(path));
  if (!executablePath) throw new Error('no Chromium: apt-get install chromium, or name it in the environment variable CHROMIUM');
  return chromium.launch({ executablePath, args: flags });
}

/// Opens `file` and waits until its charts have settled. `trouble` keeps growing while the page is open.
export async function visit(browser, file, { width = 1280, scheme = 'light', scripts = true } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 }, colorScheme: scheme, javaScriptEnabled: scripts, offline: true,
  });
  const page = await context.newPage();
  const address = new URL(`file://${file}`).href;
  const trouble = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) trouble.push(`console ${message.type()}: ${message.text()}`);
  });
  page.setDefaultTimeout(120_000); // only a test that fails waits for so long, however busy the machine is
  page.on('pageerror', (error) => trouble.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('popup', () => trouble.push('popup'));
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url === address) return route.continue();
    trouble.push(`request: ${url}`);
    return route.abort();
  });
  await page.goto(address);
  if (scripts) await settle(page);
  return { page, trouble, close: () => context.close() };
}

/// Every chart that is to be seen has been drawn, or has said that it could not be.
export async function settle(page) {
  await page.waitForFunction(() => [...document.querySelectorAll('.chart')].every(
    (chart) => ['drawn', 'failed'].includes(chart.dataset.state) || chart.closest('[hidden]') || chart.textContent !== ''));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/// What each chart that is to be seen shows: its description, its text, and how many marks it has painted.
export const charts_of = (page) =>
  page.evaluate(() => {
    // A mark counts if it has a shape of its own, an area or a length, and a colour that is not the background's.
    const painted = (mark) => {
      const { width, height } = mark.getBBox();
      const { fill, stroke, opacity } = getComputedStyle(mark);
      return Math.max(width, height) > 0 && Number(opacity) > 0 && [fill, stroke].some((color) => !['none', 'rgba(0, 0, 0, 0)', 'transparent'].includes(color));
    };
    const count = (chart, selector) => [...chart.querySelectorAll(selector)].filter(painted).length;
    return [...document.querySelectorAll('.chart')].filter((chart) => !chart.closest('[hidden]')).map((chart) => {
      const svg = chart.querySelector('svg.marks');
      const box = svg?.getBoundingClientRect();
      const ink = svg?.querySelector('.role-axis-label text');
      return {
        id: chart.id,
        drawn: Boolean(svg) && box.width > 100 && box.height > 60,
        description: (chart.matches('[role=graphics-document]') ? chart : chart.querySelector('[role=graphics-document]'))?.getAttribute('aria-label') ?? '',
        ink: ink ? getComputedStyle(ink).fill : '',
        dots: count(chart, '.mark-symbol.role-mark path'),
        lines: count(chart, '.mark-line.role-mark path'),
        bars: count(chart, '.mark-rect.role-mark path'),
        text: chart.textContent,
      };
    });
  });

/// How far the page is wider than the window.
export const overflow_of = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
