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
  if (scripts) await settle(page, scheme);
  return { page, trouble, close: () => context.close() };
}

/// Every chart has been drawn in the scheme, or has said that it could not be.
export async function settle(page, scheme) {
  await page.waitForFunction(
    (wanted) => [...document.querySelectorAll('.chart')].every((chart) => chart.dataset.scheme === wanted || chart.textContent !== ''),
    scheme,
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/// What each chart shows: its description, its background, and how many dots and lines it has.
export const charts_of = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.chart')].map((chart) => {
      const svg = chart.querySelector('svg.marks');
      const box = svg?.getBoundingClientRect();
      return {
        drawn: svg !== null && box.width > 100 && box.height > 100,
        description: chart.querySelector('[role=graphics-document]')?.getAttribute('aria-label') ?? '',
        background: svg ? getComputedStyle(svg).backgroundColor : '',
        dots: chart.querySelectorAll('.mark-symbol.role-mark path').length,
        lines: chart.querySelectorAll('.mark-line path').length,
        text: chart.textContent,
      };
    }));

/// How far the page is wider than the window.
export const overflow_of = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
