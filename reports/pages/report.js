// SPDX-License-Identifier: Apache-2.0
// Draws the charts in the colours of the reader's scheme, and again when the scheme changes. The data lies in the page; nothing is loaded.
(() => {
  'use strict';

  // Okabe and Ito's colours, the strongest against each background first.
  const schemes = {
    light: {
      background: '#ffffff', ink: '#1d2530', muted: '#5b6675', grid: '#e4e8ee', tooltip: 'light',
      series: ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000'],
    },
    dark: {
      background: '#171c24', ink: '#e6eaf0', muted: '#9aa5b4', grid: '#2b323d', tooltip: 'dark',
      series: ['#56B4E9', '#E69F00', '#009E73', '#CC79A7', '#D55E00', '#F0E442', '#FFFFFF'],
    },
  };

  function config_of(scheme) {
    const font = getComputedStyle(document.body).fontFamily;
    return {
      background: scheme.background,
      font,
      axis: {
        labelColor: scheme.muted, titleColor: scheme.muted, gridColor: scheme.grid, domainColor: scheme.grid, tickColor: scheme.grid,
        labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', titlePadding: 10, labelPadding: 6,
      },
      axisY: {domain: false, ticks: false},
      legend: {labelColor: scheme.ink, labelFontSize: 12, titleColor: scheme.muted, symbolSize: 90, symbolStrokeWidth: 0, rowPadding: 6},
      view: {stroke: null},
      rule: {color: scheme.muted},
      tick: {color: scheme.ink},
      text: {color: scheme.muted, font},
      range: {category: scheme.series},
    };
  }

  const refuse = () => Promise.reject(new Error('the page loads nothing'));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const charts = JSON.parse(document.getElementById('charts').textContent);

  async function draw(chart) {
    const scheme = dark.matches ? schemes.dark : schemes.light;
    const place = document.getElementById(chart.id);
    await vegaEmbed(place, chart.spec, {
      ast: true,  // an interpreter in place of new Function, which the page's policy forbids
      renderer: 'svg',
      loader: {load: refuse, sanitize: refuse},
      config: config_of(scheme),
      tooltip: {theme: scheme.tooltip},
      downloadFileName: chart.id,
      actions: {export: true, source: false, compiled: false, editor: false},
    });
    place.dataset.scheme = scheme.tooltip;
  }

  function draw_all() {
    for (const chart of charts) {
      draw(chart).catch((error) => {
        console.error(error);
        document.getElementById(chart.id).textContent = 'The chart could not be drawn. The table of results holds every number of it.';
      });
    }
  }

  dark.addEventListener('change', draw_all);
  draw_all();
})();
