import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PGlite } from '@electric-sql/pglite';
import { guardFormula, unguardFormula } from '#core/rows/files/formula-guard.ts';
import { newDatabase } from '#test/helpers/new-database.ts';
import { typedValues, valuesOf } from '#test/helpers/typed-values.ts';

describe('the guard against formulas', () => {
  let database: PGlite;
  before(async () => {
    database = await newDatabase();
  });
  after(async () => {
    await database.close();
  });

  for (const type of ['money', 'interval', 'numeric', 'float8', 'int8', 'date', 'timestamptz', 'timetz'])
    it(`leaves every value of ${type} as it is`, async () => {
      const values = typedValues.find((each) => each.type === type);
      assert.ok(values !== undefined);
      const { rows } = await database.query<{ text: string }>(
        `SELECT (t::${type})::text AS text FROM unnest($1::text[]) AS given (t)`,
        [valuesOf(values, 500, 7)],
      );
      for (const { text } of rows) assert.equal(guardFormula(text), text);
    });

  for (const text of [
    '-$1,234.56',
    '-1.234,56 €',
    '-£5',
    '-00:05:00',
    '-1 days +02:03:04.5',
    '-1 years -2 mons',
  ])
    it(`does not damage ${text}`, () => {
      assert.equal(guardFormula(text), text);
    });

  for (const text of [
    '-1+1',
    '-$1*2',
    '-A1',
    '-1 days+A1',
    '-1 days =1',
    '=1',
    '+cmd|x',
    '@SUM(1)',
    '-',
    '- 1',
    '-1 2 3x',
    '-1:2',
    '-(1)',
    '-$$1',
    '-1!A1',
    // Currencies of letters and other styles of intervals: a spreadsheet reads names of cells, or calculates.
    '-kr5',
    '-CHF 5',
    '-P1Y2M',
    '-1-2 +3 -4:05:06',
    '@ 1 day ago',
  ])
    it(`guards ${text}, which reads back`, () => {
      assert.equal(guardFormula(text), `'${text}`);
      assert.equal(unguardFormula(guardFormula(text)), text);
    });
});
