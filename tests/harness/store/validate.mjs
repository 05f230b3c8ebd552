#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Validates documents with ajv, which shares nothing with the program's own validator.
//   node validate.mjs result|journal|suite FILE...
// Exit code 0: all are valid; 1: some are not, and the first trouble of each is printed; 2: it cannot validate here.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const schemaFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../harness/store/schema');

/** A function of one of our kinds of document: null for a valid value, else what is wrong. */
export async function validatorOf(kind) {
  const { default: Ajv } = await import('ajv/dist/2020.js');
  const ajv = new Ajv({ strict: true, allowUnionTypes: true });
  for (const name of fs.readdirSync(schemaFolder)) ajv.addSchema(JSON.parse(fs.readFileSync(path.join(schemaFolder, name), 'utf8')));
  const validate = ajv.getSchema(`${kind}.schema.json`);
  return (value) => (validate(value) ? null : ajv.errorsText(validate.errors, { separator: '; ' }));
}

async function main([kind, ...files]) {
  const troubleOf = await validatorOf(kind);
  let code = 0;
  for (const file of files) {
    const text = fs.readFileSync(file, 'utf8');
    // A journal is validated line by line; its last line may be torn.
    const values = kind === 'journal' ? text.split('\n').slice(0, -1) : [text];
    const troubles = values.map((value) => troubleOf(JSON.parse(value))).filter(Boolean);
    if (troubles.length > 0) {
      console.log(`${file}: ${troubles[0]}`);
      code = 1;
    }
  }
  return code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).then((code) => { process.exitCode = code; }, (error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
}
