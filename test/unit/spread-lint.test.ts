/** The rule against spreading a list of any length into a call: plants violations and expects reports. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callProblems } from '#scripts/lib/house-rules.js';

const found = (code: string, folder: string): number =>
  callProblems(`${folder}/planted.ts`, `${code}\n`).length;

const folders = [
  'api/client',
  'base',
  'core/src',
  'server/src',
  'client/src',
  'client/webview',
  'cli/src',
  'service/src',
];

describe('lists as arguments', () => {
  for (const folder of folders) {
    for (const code of [
      'list.push(...more);',
      "list?.push('a', ...more);",
      'list.unshift(...more);',
      'Math.max(0, ...more);',
      'Math.min(...more);',
      'String.fromCodePoint(...more);',
    ]) {
      it(`are forbidden in ${folder}: ${code}`, () => assert.equal(found(code, folder), 1));
    }
  }

  it('are allowed if no list is spread, or if it is spread into a list', () => {
    for (const code of ['list.push(a, b);', 'const all = [...list, ...more];', 'run(...given);'])
      assert.equal(found(code, 'core/src'), 0, code);
  });

  it('forbids times and numbers in the language of the system', () => {
    assert.equal(found('const shown = at.toLocaleDateString();', 'client/src'), 1);
    assert.equal(found('const shown = at.toLocaleDateString(locale());', 'client/src'), 0);
  });
});
