/** A short answer can name many columns and many rows. Each row has a cell for each column, which fills the memory. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContractError } from '#api/client/errors.ts';
import { parseJson } from '#api/client/json.ts';
import { decodeQueryPage } from '#api/client/query-page.ts';

const context = { status: 200, requestId: undefined, request: '' };
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `c${at}`);
const filled = <Row>(count: number, row: (at: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, at) => row(at));
const decode = (answer: object) => decodeQueryPage(parseJson(JSON.stringify(answer)), context);

const refused: readonly (readonly [what: string, answer: object])[] = [
  ['rows that name another column each', { rows: filled(20_000, (at) => ({ [`c${at}`]: 1 })) }],
  ['empty rows beside many columns', { columns: names(9_000), rows: filled(90_000, () => []) }],
  ['empty objects beside many columns', { columns: names(9_000), rows: filled(90_000, () => ({})) }],
  ['one long row before empty ones', { rows: [names(9_000), ...filled(90_000, () => [])] }],
  ['rows that are neither', { columns: names(9_000), rows: filled(90_000, () => 1) }],
];

describe('an answer', () => {
  for (const [what, answer] of refused)
    it(`of ${what} is refused before each row has a cell for each column`, () => {
      assert.throws(() => decode(answer), ContractError);
    });

  it('of many rows that lack many columns is read', () => {
    const sparse = filled(10_000, (at) => ({ id: at, [`c${at % 300}`]: 1 }));
    assert.equal(decode({ rows: sparse }).columns.length, 301);
    const wide = filled(100, (row) => Object.fromEntries(names(90).map((name) => [`${name}_${row}`, 1])));
    assert.equal(decode({ rows: wide }).columns.length, 9_000);
  });
});
