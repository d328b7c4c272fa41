/** 100 KB queries whose parts refer to each other: inferring their types must not take quadratic time. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { WorkerParser } from '#server/parser/worker-parser.ts';

/** Timeout to detect hangs; generous, for a machine under load. */
const hangMs = 10_000;
const size = 100_000;

const parser = new WorkerParser({ timeLimitsMs: [hangMs, hangMs] });
after(() => parser.dispose());
const columns = ['id', 'name', 'status'].map((name) => ({ name, type: 'text' }));
const wideColumns = Array.from({ length: 300 }, (_, index) => ({ name: `w${index}`, type: 'integer' }));
const tables = [
  { model: 'm', table: 'accounts', columns },
  { model: 'm', table: 'roles', columns },
  { model: 'm', table: 'wide', columns: wideColumns },
];

/** Returns parts up to about the given total length. */
function many(part: (index: number) => string, separator: string, length = size): string {
  const parts: string[] = [];
  for (let index = 0, sum = 0; sum < length; index++) {
    const own = part(index);
    parts.push(own);
    sum += own.length + separator.length;
  }
  return parts.join(separator);
}

const half = (part: (index: number) => string, separator = ', '): string => many(part, separator, size / 2);
const lower = (index: number): string => `lower(name || '${index}')`;
const joins = (kind: string): string =>
  `SELECT id FROM accounts a ${many((index) => `${kind} JOIN roles r${index} USING (id)`, ' ')}`;

const texts: Readonly<Record<string, string>> = {
  'a chain, grouped by its start': `SELECT ${many(() => 'status', ' || ')} FROM accounts GROUP BY name || status`,
  'a chain of short names': `SELECT ${many(() => 'id', '||')} FROM accounts GROUP BY name || status`,
  'many grouped columns': `SELECT ${half((index) => `w${index % 300}`)} FROM wide GROUP BY ${half((index) => `w${index % 300}`)}`,
  'many stars, grouped': `SELECT ${many(() => 'w.*', ', ')} FROM wide w GROUP BY ${wideColumns.map(({ name }) => name).join(', ')}`,
  'many stars beside an aggregate': `SELECT count(*), ${many(() => 'w.*', ', ')} FROM wide w`,
  'many rows': `SELECT ${many(() => 't', ', ')} FROM (SELECT * FROM wide) t`,
  'DISTINCT with a long ORDER BY': `SELECT DISTINCT ${half(lower)} FROM accounts ORDER BY ${half(lower)}`,
  'a long DISTINCT ON': `SELECT DISTINCT ON (${half(lower)}) name FROM accounts ORDER BY ${half(lower)}`,
  'names of outputs': `SELECT ${half((index) => `id AS x${index}`)} FROM accounts ORDER BY ${half((index) => `x${index}`)}`,
  'calls over a window with a long ORDER BY': `SELECT ${half(() => 'count(*) OVER w')} FROM accounts WINDOW w AS (ORDER BY ${half(() => 'id')})`,
  'joins that merge': joins('INNER'),
  'outer joins that merge': joins('FULL'),
  'natural joins': `SELECT id FROM accounts a ${many((index) => `NATURAL JOIN roles r${index}`, ' ')}`,
  'right joins': `SELECT a.id FROM accounts a ${many((index) => `RIGHT JOIN roles r${index} ON a.id = r${index}.id`, ' ')}`,
  'bare names of many subqueries': `SELECT ${many((index) => `x${index}`, ', ', size / 3)} FROM ${many((index) => `(SELECT 1 AS x${index}) t${index}`, ', ', (size * 2) / 3)}`,
  'many unknown tables': `SELECT 1 FROM ${many((index) => `t${index}`, ', ')}`,
};

describe('types of a long text', () => {
  for (const [name, sql] of Object.entries(texts)) {
    it(`do not hang: ${name}`, async () => {
      const outcomes = await parser.readTypes([
        { text: sql, context: { model: 'm', tables, parameters: [] } },
      ]);
      assert.ok(outcomes?.[0]);
    });
  }
});
