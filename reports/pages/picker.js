// SPDX-License-Identifier: Apache-2.0
// Picks a record from the table, by mouse or keyboard, and shows its samples above it.
(() => {
  'use strict';

  const { element, plain } = warpmark;
  const id = (name) => document.getElementById(name);

  /// One stop for the Tab key however long the table is: the arrows move from row to row.
  class Picker {
    constructor(sorted) {
      this.sorted = sorted;
      this.records = warpmark.records();
      this.index_of = new Map(sorted.rows.map((row, index) => [row, index]));
      this.column = sorted.heads.findIndex((head) => 'pick' in head.dataset);
      this.buttons = [];
      this.row = null;
      sorted.on_show = (rows) => this.add_buttons(rows);
      sorted.body.addEventListener('keydown', (event) => this.move(event));
      id('previous').addEventListener('click', () => this.step(-1));
      id('next').addEventListener('click', () => this.step(1));
      id('samples-behind').addEventListener('toggle', () => this.fill_table());
      this.print = matchMedia('print');
      this.print.addEventListener('change', () => this.fill_table());
      id('picked').hidden = false;
      this.add_buttons([...sorted.body.rows]);
      this.pick(this.first_with_samples());
    }

    /// At first one that has samples.
    first_with_samples() {
      return this.sorted.rows.find((row) => row.dataset.status === 'ok') ?? this.sorted.rows[0];
    }

    button_of(row) {
      const cell = row.cells[this.column];
      const made = cell.querySelector('button');
      if (made) return made;
      const button = element('button', { type: 'button', className: 'pick', tabIndex: -1 }, ...cell.childNodes);
      button.setAttribute('aria-pressed', 'false');
      button.addEventListener('click', () => this.pick(row));
      cell.append(button);
      return button;
    }

    add_buttons(rows) {
      this.buttons = rows.map((row) => this.button_of(row));
      for (const button of this.buttons) button.tabIndex = -1;
      const current = this.row === null ? -1 : rows.indexOf(this.row);
      if (rows.length) this.buttons[Math.max(current, 0)].tabIndex = 0;
    }

    move(event) {
      const from = this.buttons.indexOf(document.activeElement), last = this.buttons.length - 1;
      const to = { ArrowUp: from - 1, ArrowDown: from + 1, PageUp: from - 10, PageDown: from + 10, Home: 0, End: last }[event.key];
      if (from < 0 || to === undefined) return;
      event.preventDefault();
      const target = this.buttons[Math.min(Math.max(to, 0), last)];
      this.buttons[from].tabIndex = -1;
      target.tabIndex = 0;
      target.focus();
    }

    step(by) {
      const rows = this.sorted.matching;
      if (rows.length === 0) return;
      const at = rows.indexOf(this.row);
      const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
      this.pick(rows[to]);
    }

    pick(row) {
      for (const [other, pressed] of [[this.row, 'false'], [row, 'true']]) {
        if (other === null) continue;
        this.button_of(other).setAttribute('aria-pressed', pressed);
        other.classList.toggle('picked-row', pressed === 'true');
      }
      const announce = this.row !== null;
      this.row = row;
      this.record = this.records.at(this.index_of.get(row));
      this.show(announce);
    }

    show(announce) {
      const record = this.record, has_samples = record.samples !== undefined;
      const name = `${plain(record.id)}, repeat ${record.repeat}`;
      id('picked-name').textContent = plain(record.id);
      id('picked-about').textContent = about_text(record);
      const why = plain(record.why) || record.status;
      id('picked-none').hidden = record.status === 'ok';
      id('picked-none').textContent = has_samples ? why : `No samples were taken: ${why}`;
      id('picked-charts').hidden = id('samples-behind').hidden = !has_samples;
      id('picked').dataset.record = name;
      if (announce) id('announce').textContent = `Showing the samples of ${name}`;
      this.fill_table();
      if (!has_samples) return;
      warpmark.draw_samples(record).catch((error) => {
        console.error(error);
        id('picked-none').hidden = false;
        id('picked-none').textContent = 'The charts could not be drawn. The table of the samples holds every number of them.';
      });
    }

    fill_table() {
      const open = (id('samples-behind').open || this.print.matches) && this.record.samples !== undefined;
      id('samples-table').replaceChildren(...(open ? warpmark.table_of(this.record) : []));
    }
  }

  /// By the end of its name a number is a share, seconds or bytes; anything else stays as it is.
  function amount_text(key, value) {
    if (typeof value !== 'number') return value;
    if (key.endsWith('share')) return `${Number((value * 100).toPrecision(3))} %`;
    if (key.endsWith('seconds')) return `${Number(value.toPrecision(3))} s`;
    if (!key.endsWith('bytes')) return Number.isInteger(value) ? value : Number(value.toPrecision(3));
    const power = Math.max(0, Math.min(4, Math.floor(Math.log2(value) / 10)));
    return `${Number((value / 1024 ** power).toPrecision(3))} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`;
  }

  /// What the sampler read: medians, and what held the clock down in some of the readings.
  function readings_text(sampled) {
    const median = (key) => sampled?.[key]?.median;
    const parts = [];
    if (Number.isFinite(median('power_w'))) parts.push(`${Math.round(median('power_w'))} W`);
    if (Number.isFinite(median('temperature_c'))) parts.push(`${Math.round(median('temperature_c'))} °C`);
    for (const { reason, kind, share } of Array.isArray(sampled?.held_down) ? sampled.held_down.filter(Boolean) : []) {
      if (kind !== 'benign' && share > 0.01) parts.push(`${plain(reason).replace(/_/g, ' ')} ${amount_text('share', share)}`);
    }
    return parts;
  }

  /// Which repeat, what ran, how much was sampled.
  function about_text(record) {
    const parts = [`repeat ${record.repeat}`];
    if (record.result && document.querySelectorAll('.verdict').length > 1) parts.unshift(`result ${record.result}`);
    const metric = record.metrics[0];
    if (metric && Number.isFinite(metric.value)) parts.push(warpmark.rate_text(metric.value, plain(metric.unit)));
    if (record.samples) parts.push(`${record.samples.of} samples${record.samples.batch ? ` of ${record.samples.batch} launches` : ''}`);
    if (record.samples?.points) parts.push('drawn in bins: line mean, band from shortest to longest');
    for (const [key, value] of Object.entries(record.about ?? {})) {
      if (typeof value !== 'object') parts.push(`${plain(key).replace(/_/g, ' ')} ${plain(amount_text(key, value))}`);
    }
    for (const [key, value] of Object.entries(record.telemetry ?? {})) {
      if (typeof value === 'number' && value > 0 && !['cpus', 'seconds'].includes(key)) parts.push(`${plain(key).replace(/_/g, ' ')} ${plain(amount_text(key, value))}`);
    }
    return [...parts, ...readings_text(record.telemetry?.sampled)].join(' · ');
  }

  Object.assign(warpmark, { Picker });
})();
