// SPDX-License-Identifier: Apache-2.0
// Brings the page to life, charts first. Without this the page still tells every number in its tables.
(() => {
  'use strict';

  warpmark.start_theme();
  warpmark.start_charts();
  const tables = [...document.querySelectorAll('.sortable')].map((place) => new warpmark.SortedTable(place));
  const records = tables.find(({ table }) => table.id === 'records');
  if (records) {
    new warpmark.Picker(records);
    warpmark.start_downloads();
  }

  // A printer shows what is folded away; afterwards the page is as it was.
  const folded = () => [...document.querySelectorAll('main details:not([open])')];
  let opened = [];
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) opened = folded();
    for (const part of opened) part.open = matches;
    if (!matches) opened = [];
  });
})();
