/** What the texts of a file without types are compared as. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InferredKind } from '#core/rows/files/inferred-kind.ts';

for (const [kind, texts] of [
  ['number', ['1', '1.00', '-0', '.5', '-.5e-3', '1E+2', 'NaN', '-Infinity', '']],
  [undefined, ['1', '01']],
  [undefined, ['1', '1,5']],
  [undefined, ['+49', '1']],
  [undefined, ['.', '1']],
  ['time', ['2026-01-01', '2026-01-01T10:00Z', 'infinity']],
  ['boolean', ['true', 'f', 'FALSE', 'True']],
  [undefined, ['T', 'F']],
  [undefined, ['true', '1']],
  [undefined, []],
] as const)
  test(`${JSON.stringify(texts)} are compared as ${kind ?? 'text'}`, () => {
    const inferred = new InferredKind();
    inferred.add([...texts.map((text) => [text === '' ? null : text]), [null]], 0);
    assert.equal(inferred.kind, kind);
  });
