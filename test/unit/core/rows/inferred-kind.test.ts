/** What the texts of a file without types are compared as. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactNumber } from '#api/client/json.ts';
import { InferredKind } from '#core/rows/files/inferred-kind.ts';

for (const [kind, texts] of [
  ['number', ['1', '1.00', '-0', '.5', '-.5e-3', '1E+2', 'NaN', '-Infinity', '']],
  // As R, Python and DuckDB write them.
  ['number', ['1.0E10', '1e-05', 'nan', 'Inf', '-inf', '+infinity']],
  ['number', ['-.5e7', '0e-1', '0.0E0', '10', '1.5e3']],
  ...['1.5e', '1.', '-', '-.', '1e+', '00.5', '1.5.5', '1e5.5', '1 '].map(
    (text) => [undefined, ['1', text]] as const,
  ),
  // Codes that only look like a number, of which 0e12 and 0e13 would be the same.
  [undefined, ['0e12', '7e3']],
  [undefined, ['1', '01']],
  [undefined, ['1', '1,5']],
  [undefined, ['+49', '1']],
  [undefined, ['.', '1']],
  ['time', ['2026-01-01', '2026-01-01T10:00Z', 'infinity']],
  ['time', ['2024-02-29', '2026-01-01 24:00:00', '2026-06-30 23:59:60+05:30']],
  // Codes of other things: 1000-01-32 is not 1000-02-01.
  ...[
    ...['1000-01-32', '2026-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-01-00'],
    ...['2026-01-01 25:00', '2026-01-01 24:00:01', '2026-01-01 10:60', '2026-01-01 10:00:61'],
    ...['2026-01-01 10:00+16:00', '2026-01-01 10:00+05:60'],
  ].map((text) => [undefined, ['2026-01-01', text]] as const),
  // A column of JSON.
  ['number', ['NaN', 1, new ExactNumber('1.50'), '-Infinity']],
  [undefined, ['1', 2]],
  [undefined, ['2026-01-01', 2]],
  [undefined, ['NaN', { a: 1 }]],
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

test('a cell of very many digits takes no longer than its length', () => {
  const inferred = new InferredKind();
  // With a quadratic expression, this does not end within minutes.
  inferred.add([['1'.repeat(1_000_000) + 'x']], 0);
  assert.equal(inferred.kind, undefined);
});
