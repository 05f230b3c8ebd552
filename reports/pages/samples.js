// SPDX-License-Identifier: Apache-2.0
// The samples of one record: their distribution, their order with clock and probe beside them, and a table.
(() => {
  'use strict';

  const { element, plain } = warpmark;
  const templates = warpmark.json_of('templates');
  const prefixes = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']];
  const times = [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']];

  const finite = (values) => values.filter((value) => Number.isFinite(value));
  const digits = (value, count = 4) => String(Number(value.toPrecision(count)));
  const time_scale = (largest) => times.find(([factor]) => largest >= factor) ?? times.at(-1);

  function median_of(values) {
    const sorted = finite(values).sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  function rate_text(value, unit) {
    const [factor, prefix] = prefixes.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
    return `${digits(value / factor, 3)} ${prefix}${unit}`;
  }

  /// A series that does not change is kept as one number.
  function series_of(samples, name) {
    const count = samples.points ?? samples.of;
    const kept = samples[name];
    return kept === undefined ? [] : Array.isArray(kept) ? kept : Array(count).fill(kept);
  }

  /// The median; or both levels of samples that lie on two, where a median would lie on either by chance.
  function marks_of(stats, seconds) {
    if (!stats?.modes) return [[stats?.median ?? median_of(seconds), 'median']];
    return stats.modes.levels.map((level, index) => [level, `${digits(stats.modes.shares[index] * 100, 2)} % at`]);
  }

  /// Rows for the charts of distribution and order, in the unit that suits the times.
  function sample_rows(record) {
    const { samples, stats } = record;
    const seconds = series_of(samples, 'seconds');
    const [factor, unit] = time_scale(Math.max(...finite(seconds)));
    const low = series_of(samples, 'low'), high = series_of(samples, 'high');
    const scaled = (value) => Number((value / factor).toPrecision(5));
    const step = samples.of / seconds.length;
    const order = seconds.map((value, index) => ({
      kind: 'sample', number: Math.round(index * step) + 1, value: scaled(value), count: 1,
      low: scaled(low[index] ?? value), high: scaled(high[index] ?? value),
    })).filter(({ value }) => Number.isFinite(value) && value > 0);
    const marks = marks_of(stats, seconds).map(([value, words], row) =>
      ({ kind: 'median', value: scaled(value), label: `${words} ${digits(value / factor, 3)} ${unit}`, row }));
    const band = stats ? [{ kind: 'middle', low: scaled(stats.p5), high: scaled(stats.p95), label: 'middle 90 % of the samples' }] : [];
    const counted = samples.counts?.map(([value, count]) => ({ kind: 'sample', value: scaled(value), count }));
    return { unit, order: [...order, ...marks], distribution: [...(counted ?? order), ...marks, ...band] };
  }

  /// Clock and probe against their own medians, so that both fit one axis.
  function beside_rows(record) {
    const { samples, metrics } = record;
    const readings = [['clock', 'clock_hz', 'Hz'], ['probe', 'probe', metrics[0]?.unit ?? '']];
    return readings.flatMap(([name, key, unit]) => {
      const values = series_of(samples, key);
      const middle = median_of(values);
      if (!(middle > 0)) return [];
      const step = samples.of / values.length;
      return values.map((value, index) => ({
        kind: 'beside', series: `${name}, median ${rate_text(middle, unit)}`, number: Math.round(index * step) + 1,
        value: Number(((value / middle - 1) * 100).toFixed(3)),
      }));
    });
  }

  function filled(name, rows) {
    const spec = structuredClone(templates[name]);
    spec.data.values = rows;
    return spec;
  }

  async function draw_samples(record) {
    const rows = sample_rows(record), beside = beside_rows(record);
    const distribution = filled('distribution', rows.distribution), order = filled('order', rows.order);
    distribution.encoding.x.title = `Time of one launch (${rows.unit})`;
    order.encoding.y.title = `Time (${rows.unit})`;
    for (const spec of [distribution, order]) spec.description = `${spec.description} ${plain(record.id)}, repeat ${record.repeat}.`;
    const place = (id) => document.getElementById(id);
    place('beside').hidden = beside.length === 0;
    if (beside.length === 0) order.encoding.x.title = 'Sample';
    await Promise.all([
      warpmark.draw(place('distribution'), distribution),
      warpmark.draw(place('order'), order),
      ...(beside.length ? [warpmark.draw(place('beside'), filled('beside', beside))] : []),
    ]);
  }

  function table_of(record) {
    const { samples, metrics } = record;
    const seconds = series_of(samples, 'seconds'), step = samples.of / seconds.length;
    const columns = [['Sample', seconds.map((_, index) => Math.round(index * step) + 1)], ['Time (s)', seconds]];
    if (samples.low) columns.push(['Shortest (s)', series_of(samples, 'low')], ['Longest (s)', series_of(samples, 'high')]);
    if (samples.clock_hz !== undefined) columns.push(['Clock (Hz)', series_of(samples, 'clock_hz')]);
    if (samples.probe !== undefined) columns.push([`Probe (${plain(metrics[0]?.unit ?? '')})`, series_of(samples, 'probe')]);
    const head = columns.map(([label]) => element('th', { scope: 'col', className: 'n' }, label));
    const rows = seconds.map((_, row) => element('tr', {},
      ...columns.map(([, values]) => element('td', { className: 'n' }, values[row] === null ? 'unknown' : String(values[row])))));
    return [element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)];
  }

  Object.assign(warpmark, { sample_rows, beside_rows, draw_samples, table_of, rate_text });
})();
