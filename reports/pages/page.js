// SPDX-License-Identifier: Apache-2.0
// What every other script of the page starts from: the data that lies in the page, and small makers of elements.
// Text from a document only ever becomes text: nothing here or elsewhere in the page reads it as markup.
const warpmark = {};

(() => {
  'use strict';

  const text_of = (id) => document.getElementById(id)?.textContent ?? '';

  /// The record of each row, read when it is asked for.
  function records() {
    const lines = text_of('record-lines').split('\n').filter((line) => line !== '');
    return { count: lines.length, at: (index) => JSON.parse(lines[index]) };
  }

  /// An element with properties and children; children that are strings become text.
  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /// As html_text of the renderer: what steers a terminal or turns the direction of writing becomes U+FFFD.
  const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  const plain = (text) => String(text).replace(steering, '\ufffd');

  Object.assign(warpmark, { json_of: (id) => JSON.parse(text_of(id) || 'null'), records, element, plain });
})();
