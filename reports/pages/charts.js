// SPDX-License-Identifier: Apache-2.0
// Draws Vega-Lite specifications in the page's colours. Colours are CSS variables, so that a change of scheme or a
// printer needs no new drawing.
(() => {
  'use strict';

  const series = [1, 2, 3, 4, 5, 6, 7].map((number) => `var(--series-${number})`);

  function config() {
    const font = getComputedStyle(document.body).fontFamily;
    const quiet = 'var(--muted)', line = 'var(--line)', ink = 'var(--ink)';
    return {
      background: 'transparent',
      font,
      mark: { color: series[0], tooltip: null },
      axis: {
        labelColor: quiet, titleColor: quiet, gridColor: line, domainColor: line, tickColor: line,
        labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal', titlePadding: 10, labelPadding: 6,
      },
      axisY: { domain: false, ticks: false },
      legend: { labelColor: ink, labelFontSize: 12, symbolSize: 90, rowPadding: 6, columnPadding: 18 },
      view: { stroke: null },
      rule: { color: ink },
      tick: { color: ink },
      text: { color: quiet, font },
      bar: { color: series[0] },
      rect: { color: series[0] },
      range: { category: series },
    };
  }

  const refuse = () => Promise.reject(new Error('the page loads nothing'));

  /// A template's own colours, which make it whole in an editor, become the page's, which know light and dark.
  const okabe_ito = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000'];
  const in_our_colours = (own) => JSON.parse(JSON.stringify(own ?? {}), (_, value) => series[okabe_ito.indexOf(value)] ?? value);

  /// A chart of bars is as high as its rows need, however many the reader chooses. Vega-Lite has that too, and warns of
  /// it where the width follows the page.
  function high_enough({ height, ...vega }) {
    const { row_height } = vega.usermeta ?? {};
    if (!row_height) return { height, ...vega };
    const scales = vega.scales.map((scale) => (scale.name === 'y' ? { ...scale, range: { step: row_height } } : scale));
    const signals = [...(vega.signals ?? []), { name: 'height', update: `max(1, domain('y').length) * ${row_height}` }];
    return { ...vega, scales, signals };
  }

  /// Draws into `place`; the reader's choices, if the specification has any, go into `choices`.
  async function draw(place, spec, choices = undefined) {
    place.dataset.state = 'drawing';
    const { view } = await vegaEmbed(place, { ...spec, config: in_our_colours(spec.config) }, {
      patch: high_enough,
      ast: true, // an interpreter in place of new Function, which the page's policy forbids
      renderer: 'svg',
      loader: { load: refuse, sanitize: refuse },
      config: config(),
      bind: choices,
      tooltip: { theme: 'page', disableDefaultStyle: true, sanitize: (value) => escaped(warpmark.plain(value)) },
      actions: false,
    });
    place.dataset.state = 'drawn';
    return view;
  }

  const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

  function start_charts() {
    for (const { id, spec } of warpmark.json_of('charts') ?? []) {
      const place = document.getElementById(id);
      draw(place, spec, document.getElementById(`${id}-choices`)).catch((error) => {
        console.error(error);
        place.dataset.state = 'failed';
        place.textContent = 'The chart could not be drawn. The table below holds every number of it.';
      });
    }
  }

  Object.assign(warpmark, { draw, start_charts });
})();
