/** The code metrics measure what they claim to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionsOf } from '#scripts/figures.js';
import { importsOf } from '#scripts/lib/import-graph.js';

test('functions are measured with nested ones, except for those that are a single expression', () => {
  const text = `export function outer() {
  const inner = () => {
    return 1;
  };
  return [1].map((one) => one + inner());
}

class Named {
  get size() { return 1; }
  abstract none(): void;
}
`;
  assert.deepEqual(
    functionsOf('a.ts', text).map(({ name, lines }) => [name, lines]),
    [
      ['outer', 6],
      ['inner', 3],
      ['size', 1],
    ],
  );
});

test('imports are found in every form, and type imports are marked as such', () => {
  const text = `import './side.ts';
import { a, type B } from './both.ts';
import type { C } from './types.ts';
import {
  type D,
  type E,
} from '../up.ts';
import * as fs from 'node:fs';
export { f } from './again.ts';
export type { G } from './again-types.ts';
const h = await import('./later.ts');
let i: typeof import('./later-types.ts');
`;
  assert.deepEqual(
    importsOf('x/y/z.ts', text)
      .map(({ to, isType }) => `${to}${isType ? ' type' : ''}`)
      .sort(),
    [
      'x/up.ts type',
      'x/y/again-types.ts type',
      'x/y/again.ts',
      'x/y/both.ts',
      'x/y/later-types.ts type',
      'x/y/later.ts',
      'x/y/side.ts',
      'x/y/types.ts type',
    ],
  );
});
