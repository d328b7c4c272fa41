/** A type has one name: that of the schema, whatever the service calls it in a result. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeWord } from '#webview/results/ui/type-word.ts';

await test('internal names of types are shown as in the schema', () => {
  const types = ['bool', 'bool[]', 'boolean', 'int4', 'int8[]', 'timestamptz', 'boolish', ''];
  assert.deepEqual(types.map(typeWord), [
    'boolean',
    'boolean[]',
    'boolean',
    'integer',
    'bigint[]',
    'timestamptz',
    'boolish',
    '',
  ]);
});
