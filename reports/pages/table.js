// SPDX-License-Identifier: Apache-2.0
// Sorts and filters a table whose rows the page already holds. Only a first part of the matching rows is in the
// document, so that thousands cost nothing until they are asked for; a printer gets them all.
(() => {
  'use strict';

  const { element } = warpmark;
  const first_shown = 100;
  const collator = new Intl.Collator('en', { numeric: true });
  const words_of = (text) => text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const said = (count) => count.toLocaleString('en');

  const choices = {
    all: ['All', () => true],
    trouble: ['Not ok', (row) => row.dataset.status !== 'ok'],
    doubt: ['With doubts', (row) => 'doubt' in row.dataset],
  };

  class SortedTable {
    constructor(place) {
      this.place = place;
      this.table = place.querySelector('table');
      this.body = this.table.tBodies[0];
      this.rows = [...this.body.rows];
      this.heads = [...this.table.tHead.rows[0].cells];
      this.found = new Map(); // row: its text, once it was searched
      this.order = this.matching = this.rows;
      this.limit = first_shown;
      this.on_show = () => {};
      this.add_controls();
      this.add_sorting();
      const print = matchMedia('print');
      print.addEventListener('change', () => this.show(print.matches));
      this.apply();
    }

    add_controls() {
      const [noun, nouns] = [this.place.dataset.noun, this.place.dataset.nouns];
      this.search = element('input', { type: 'search', placeholder: `Find ${nouns}`, spellcheck: false, autocomplete: 'off' });
      this.search.setAttribute('aria-label', `Find ${nouns}`);
      this.status = element('select', {}, ...this.options());
      this.status.setAttribute('aria-label', `Status of the ${nouns}`);
      this.said = element('p', { className: 'said' });
      this.said.setAttribute('role', 'status');
      this.empty = element('p', { className: 'none empty', hidden: true }, `No ${noun} matches. `);
      const clear = element('button', { type: 'button', className: 'button' }, 'Clear the filter');
      this.empty.append(clear);
      this.more = element('button', { type: 'button', className: 'button more-rows', hidden: true }, 'Show all');
      this.place.prepend(element('div', { className: 'controls' }, this.search, this.status, this.said));
      this.place.append(this.empty, this.more);
      this.search.addEventListener('input', () => this.apply());
      this.status.addEventListener('change', () => this.apply());
      clear.addEventListener('click', () => {
        this.search.value = '';
        this.status.value = 'all';
        this.apply();
        this.search.focus();
      });
      this.more.addEventListener('click', () => {
        this.limit = Infinity;
        this.show();
      });
    }

    options() {
      const present = [...new Set(this.rows.map((row) => row.dataset.status))].sort();
      const fixed = Object.entries(choices).filter(([name, [, fits]]) => name === 'all' || this.rows.some(fits));
      const made = fixed.map(([value, [label]]) => element('option', { value }, label));
      return [...made, ...present.map((value) => element('option', { value: `=${value}` }, value.replace(/_/g, ' ')))];
    }

    add_sorting() {
      this.heads.forEach((head, column) => {
        if (!head.dataset.kind) return;
        const button = element('button', { type: 'button', className: 'sort' }, ...head.childNodes);
        head.append(button);
        head.setAttribute('aria-sort', 'none');
        button.addEventListener('click', () => this.sort(column));
      });
    }

    /// Numbers from the largest down at first, text from a to z; again the other way round. Unknown numbers stay last.
    sort(column) {
      const head = this.heads[column], is_number = head.dataset.kind === 'number';
      const was = head.getAttribute('aria-sort');
      const up = was === 'none' ? !is_number : was === 'descending';
      for (const other of this.heads) if (other.hasAttribute('aria-sort')) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const sign = up ? 1 : -1;
      const key_of = (row) => {
        const cell = row.cells[column];
        if (!is_number) return cell.textContent;
        const text = cell.dataset.v ?? cell.textContent;
        return text === '' || Number.isNaN(Number(text)) ? null : Number(text);
      };
      const keyed = this.rows.map((row) => [key_of(row), row]);
      const unknown = (a, b) => (a === null) - (b === null);
      keyed.sort(([a], [b]) => unknown(a, b) || (a === null ? 0 : sign * (is_number ? a - b : collator.compare(a, b))));
      this.order = keyed.map(([, row]) => row);
      this.apply();
    }

    text_of(row) {
      if (!this.found.has(row)) this.found.set(row, [...row.cells].map((cell) => cell.textContent).join(' ').toLowerCase());
      return this.found.get(row);
    }

    apply() {
      const words = words_of(this.search.value), wanted = this.status.value;
      const fits = wanted.startsWith('=') ? (row) => row.dataset.status === wanted.slice(1) : choices[wanted][1];
      this.matching = this.order.filter((row) => fits(row) && words.every((word) => this.text_of(row).includes(word)));
      this.limit = first_shown;
      this.show();
    }

    show(all = false) {
      const shown = this.matching.slice(0, all ? Infinity : this.limit);
      this.body.replaceChildren(...shown);
      this.body.dataset.ready = '';
      const count = this.matching.length, total = this.rows.length;
      const nouns = total === 1 ? this.place.dataset.noun : this.place.dataset.nouns;
      this.said.textContent = count === total ? `${said(total)} ${nouns}` : `${said(count)} of ${said(total)} ${nouns}`;
      if (shown.length < count) this.said.textContent += `, the first ${said(shown.length)} shown`;
      this.empty.hidden = count > 0;
      this.table.parentElement.hidden = count === 0;
      this.more.hidden = shown.length === count;
      this.more.textContent = `Show all ${said(count)}`;
      this.on_show(shown);
    }
  }

  Object.assign(warpmark, { SortedTable });
})();
