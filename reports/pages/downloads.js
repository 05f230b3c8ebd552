// SPDX-License-Identifier: Apache-2.0
// The page's records as files, made in the page.
(() => {
  'use strict';

  const columns = ['result', 'id', 'benchmark', 'device', 'variant', 'dtype', 'mode', 'repeat', 'status', 'why', 'metric', 'unit', 'value',
    'better', 'ceiling', 'of_ceiling', 'samples', 'median_s', 'p5_s', 'p95_s'];

  /// Spreadsheets run a cell that starts like a formula, so text from a document that does gets an apostrophe in front.
  function cell(value) {
    if (value === null || value === undefined) return '';
    if (typeof value === 'number') return String(value);
    const text = String(value).replace(/\0/g, '');
    const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  }

  function csv_of(records) {
    const lines = [columns.join(',')];
    for (const record of records) {
      const { stats } = record;
      for (const metric of record.metrics.length ? record.metrics : [{}]) {
        const row = { ...record, metric: metric.name, unit: metric.unit, value: metric.value, better: metric.better,
          ceiling: metric.ceiling, of_ceiling: metric.of_ceiling,
          samples: stats?.n, median_s: stats?.median, p5_s: stats?.p5, p95_s: stats?.p95 };
        lines.push(columns.map((name) => cell(row[name])).join(','));
      }
    }
    return `${lines.join('\n')}\n`;
  }

  function save(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = warpmark.element('a', { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  function start_downloads() {
    const all = () => {
      const records = warpmark.records();
      return Array.from({ length: records.count }, (_, index) => records.at(index));
    };
    const json = () => JSON.stringify({ schema: 'warpmark.page/1', records: all() }, null, 1);
    document.getElementById('download-csv').addEventListener('click', () => save('warpmark.csv', 'text/csv', csv_of(all())));
    document.getElementById('download-json').addEventListener('click', () => save('warpmark.json', 'application/json', json()));
  }

  Object.assign(warpmark, { csv_of, start_downloads });
})();
