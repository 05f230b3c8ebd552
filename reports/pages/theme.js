// SPDX-License-Identifier: Apache-2.0
// Light and dark: the reader's scheme, or the other one by the button. The choice lives as long as the page is open.
(() => {
  'use strict';

  function start_theme() {
    const button = document.getElementById('theme');
    const system = matchMedia('(prefers-color-scheme: dark)');
    const is_dark = () => (document.documentElement.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
    const show = () => {
      button.textContent = is_dark() ? 'Light' : 'Dark';
      button.setAttribute('aria-label', `Switch to ${is_dark() ? 'light' : 'dark'} colours`);
    };
    button.addEventListener('click', () => {
      document.documentElement.dataset.theme = is_dark() ? 'light' : 'dark';
      show();
    });
    system.addEventListener('change', show);
    button.hidden = false;
    show();
  }

  Object.assign(warpmark, { start_theme });
})();
