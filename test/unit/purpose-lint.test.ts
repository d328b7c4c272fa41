/** A module's comment that sorting has moved between its imports is found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purposeProblems } from '#scripts/lib/house-rules.js';

const imports = ["import { a } from './a.ts';", "import { b } from './b.ts';"];

test('a purpose between imports is found, and one above them is not', () => {
  const purpose = '/** Adds. */';
  const moved = [imports[0], purpose, imports[1], 'export const c = a + b;'].join('\n');
  assert.deepEqual(purposeProblems('core/src/c.ts', moved), [
    'core/src/c.ts:2: a module starts with its purpose: move this comment above the imports',
  ]);
  const kept = [purpose, ...imports, '/** The sum. */', 'export const c = a + b;'].join('\n');
  assert.deepEqual(purposeProblems('core/src/c.ts', kept), []);
});
