/** A short text of an agent may name any number of columns. The gate gives up before that keeps the program busy. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { WorkerParser } from '#server/parser/worker-parser.ts';
import { agentCatalogue, agentSensitivity } from '#test/helpers/agent-models.ts';
import { startCounting } from '#test/helpers/count-steps.ts';

const steps = startCounting('core/src/policy/masking');
const { readQueryOrigins } = await import('#core/policy/masking/query-origins.ts');
const { tableOrigins } = await import('#core/policy/masking/table-origins.ts');
const parser = new WorkerParser({ timeLimitsMs: [60_000, 60_000] });
after(() => {
  steps.stop();
  return parser.dispose();
});
const tables = tableOrigins(agentCatalogue, 'platform_identity', agentSensitivity);

const times = (count: number, part: (nth: number) => string, separator = ', '): string =>
  Array.from({ length: count }, (_, nth) => part(nth)).join(separator);
const doubled = (first: string, count: number, star: string): string =>
  `WITH t0 AS (${first}), ${times(count, (nth) => `t${nth + 1} AS (SELECT ${star} FROM t${nth} a, t${nth} b)`)} SELECT count(*) FROM t${count}`;

const shapes: Readonly<Record<string, string>> = {
  'columns that double': doubled('SELECT 1 AS x', 20, 'a.*, b.*'),
  'columns of tables that double': doubled('SELECT * FROM accounts', 17, '*'),
  'stars of many tables': `SELECT ${times(300, () => '*')} FROM ${times(300, (nth) => `accounts a${nth}`)}`,
  'stars of names': `SELECT ${times(3_000, () => 'a.*')} FROM accounts a`,
  joins: `SELECT 1 FROM accounts ${times(500, (nth) => `JOIN accounts x${nth} USING (id)`, ' ')}`,
  'joins by columns': `SELECT a.email FROM accounts a ${times(300, (nth) => `JOIN memberships m${nth} ON m${nth}.account_id = a.id`, ' ')}`,
  'joins that have names': `SELECT j.email FROM ${'('.repeat(90)}accounts a ${times(90, (nth) => `JOIN roles r${nth} ON r${nth}.id = a.id) j${nth}`, ' ').replaceAll(/ON (r\d+)\.id = a\.id/g, 'USING (id)')}`,
  'columns that lead through joins': `WITH t0 AS (SELECT id, email FROM accounts), ${times(80, (nth) => `t${nth + 1} AS (SELECT id, a.email FROM t${nth} a JOIN t${nth} b USING (id))`)} SELECT email FROM t80`,
  'natural joins': `SELECT 1 FROM accounts ${times(500, (nth) => `NATURAL JOIN (SELECT id b${nth}) x${nth}`, ' ')}`,
  'names of outputs in groups': `SELECT ${times(700, (nth) => `id a${nth}`)} FROM accounts GROUP BY ${times(700, (nth) => `a${nth}`)}`,
  'one name of outputs in groups': `SELECT ${times(1_500, () => 'id a')} FROM accounts GROUP BY ${times(1_500, () => 'a')}`,
  'sets of groups': `SELECT ${times(700, (nth) => `id a${nth}`)} FROM accounts GROUP BY ROLLUP (${times(700, (nth) => `a${nth}`)})`,
};

describe('a short query with many columns', () => {
  for (const [what, sql] of Object.entries(shapes))
    it(`ends soon: ${what}`, async () => {
      assert.ok(sql.length < 20_000, 'an agent may ask it');
      const tree: unknown = JSON.parse((await parser.readTree(sql)) ?? '{}');
      steps.take();
      assert.ok(readQueryOrigins(tree, tables) !== undefined);
      const taken = steps.take();
      assert.ok(taken < 5_000_000, `${taken}: ${steps.most().join('; ')}`);
    });

  it('is read if PostgreSQL reads it', async () => {
    const sql = `SELECT ${times(110, (nth) => `x${nth}.*`)} FROM ${times(110, (nth) => `accounts x${nth}`)} WHERE x1.id = '1'`;
    const origins = readQueryOrigins(JSON.parse((await parser.readTree(sql)) ?? '{}'), tables);
    assert.equal(origins?.columns.list.length, 110 * 12);
    assert.ok(!origins.problems.some(({ kind }) => kind === 'too-complex'));
  });
});
