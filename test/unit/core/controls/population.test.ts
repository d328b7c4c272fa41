/** The population of a control: counted as carefully as its rows, and never empty by accident. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { ServiceClient } from '#api/client/client.ts';
import { ExactNumber } from '#api/client/json.ts';
import { sharedAnalyser } from '#cli/checks.ts';
import { checkControl } from '#cli/controls/check-controls.ts';
import { resultLines } from '#cli/controls/result-lines.ts';
import { styleFor } from '#cli/terminal/style.ts';
import { noFacts } from '#core/controls/control-rows.ts';
import { readControl } from '#core/controls/control.ts';
import { jsonOfControls } from '#core/controls/reports/json.ts';
import { runControl, type RunControlOptions } from '#core/controls/run-control.ts';

const countQuery = 'SELECT count(*) FROM accounts WHERE created > :since';
const head = [
  '-- @control A-1 Admins',
  "-- @param since date = '2026-01-01'",
  `-- @population ${countQuery}`,
];

interface Answered {
  /** The rows of the population's query, or an error. */
  readonly population?: readonly (readonly unknown[])[] | Error;
  readonly type?: string;
  readonly columns?: readonly string[];
  /** The rows of the control; an error if it never answers. */
  readonly rows?: readonly (readonly unknown[])[] | Error;
  readonly lines?: readonly string[];
  readonly options?: Partial<RunControlOptions>;
}

async function run({
  population = [[4211]],
  type = 'int8',
  columns = ['count'],
  rows = [],
  lines = head,
  options = {},
}: Answered) {
  const text = [...lines, 'SELECT id FROM accounts WHERE is_admin'].join('\n');
  const control = readControl(text);
  assert.ok(control !== undefined);
  const sent: { readonly query_string: string; readonly parameters?: unknown }[] = [];
  const execute = (request: (typeof sent)[number], { signal }: { readonly signal: AbortSignal }) => {
    sent.push(request);
    const isCount = request.query_string.includes('count(');
    if (isCount && population instanceof Error) return Promise.reject(population);
    if (!isCount && rows instanceof Error)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(rows)));
    return Promise.resolve(
      isCount
        ? { columns: columns.map((name) => ({ name, type })), rows: population }
        : { columns: [{ name: 'id', type: 'int4' }], rows },
    );
  };
  const client = { queries: { execute } } as unknown as Pick<ServiceClient, 'queries'>; // nothing else is called
  const place = { name: 'a.identity.sql' };
  const result = await runControl(
    {
      control,
      place,
      text,
      checked: await checkControl(sharedAnalyser(), { control, place, text }),
      facts: noFacts,
    },
    { client, signal: new AbortController().signal, ...options },
  );
  return { result, sent };
}

describe('the population of a control', () => {
  it('stands in the outcome and the report, with its time', async () => {
    const { result, sent } = await run({ rows: [[1], [2]] });
    assert.equal(result.message, '2 rows of a population of 4,211; expected: no rows.');
    assert.equal(result.population?.count, '4211');
    assert.deepEqual(sent[0]?.query_string, countQuery);
    assert.deepEqual(sent[0].parameters, { since: '2026-01-01' });
    const report = { results: [result], startedAt: new Date(0), ms: 0, connection: 'eu', problems: [] };
    const json = JSON.parse(JSON.stringify(jsonOfControls(report))) as {
      results: [{ population: { count: string; countedAt: string } }];
    };
    assert.equal(json.results[0].population.count, '4211');
    assert.ok(Date.parse(json.results[0].population.countedAt) > 0);
  });

  it('is an error if it is empty, unless that is allowed', async () => {
    const { result, sent } = await run({ population: [[0]] });
    assert.equal(result.outcome, 'error');
    assert.equal(result.code, 'POPULATION_TOO_SMALL');
    assert.equal(sent.length, 1, 'the control itself was not asked');
    const allowed = await run({ population: [[0]], lines: [...head, '-- @population >= 0'] });
    assert.equal(allowed.result.outcome, 'pass');
    const least = await run({ population: [[99]], lines: [...head, '-- @population >= 100'] });
    assert.equal(least.result.message, 'The population is 99, but must be 100 or more.');
  });

  const counts: Readonly<Record<string, Answered>> = {
    'no row': { population: [] },
    'two rows': { population: [[1], [2]] },
    NULL: { population: [[null]] },
    text: { population: [['4211']], type: 'text' },
    'a word of a number column': { population: [['many']] },
    'a fraction': { population: [[new ExactNumber('1.5')]] },
    'a negative number': { population: [[-1]] },
    'two columns': { population: [[1, 2]], columns: ['a', 'b'] },
    'a truth value': { population: [[true]], type: 'bool' },
    'an object': { population: [[{ count: 1 }]], type: 'json' },
    'an error': { population: new Error('down') },
  };
  for (const [name, answer] of Object.entries(counts))
    it(`is an error if the count is ${name}`, async () => {
      const { result, sent } = await run(answer);
      assert.equal(result.outcome, 'error', result.message);
      assert.match(result.message, /^The population is unknown: /);
      assert.equal(sent.length, 1);
    });

  it('may be a number as text, as services send large ones, of any size', async () => {
    assert.equal(
      (await run({ population: [['9007199254740993']] })).result.population?.count,
      '9007199254740993',
    );
    const exact = await run({ population: [[new ExactNumber('9007199254740993')]] });
    assert.equal(exact.result.message, 'No rows of a population of 9007199254740993.');
  });

  it('is told at its own line if it is wrong, and beside a pass', async () => {
    const wrong = await run({ population: [] });
    assert.equal(wrong.result.line, 3);
    const { result } = await run({});
    assert.equal(result.line, 1);
    const [, told] = resultLines(result, styleFor(new PassThrough(), {})).split('\n');
    assert.equal(told?.trim(), 'a.identity.sql:1: No rows of a population of 4,211.');
  });

  it('leaves a warning at the rule that warns', async () => {
    const lines = [...head, '-- @warn_if rows > 0', '-- @error_if rows > 5'];
    const { result } = await run({ rows: [[1]], lines });
    assert.equal(result.outcome, 'warn');
    assert.equal(result.line, 4);
    const failed = await run({ rows: [1, 2, 3, 4, 5, 6].map((id) => [id]), lines });
    assert.equal(failed.result.line, 5);
  });

  it('has its share of one time limit, which is told as it was set', async () => {
    const hangs = new Error('hangs');
    const { result } = await run({ rows: hangs, options: { timeLimitMs: 1_000 } });
    assert.equal(result.code, 'TIME_LIMIT');
    assert.match(result.message, /after 1 s,/);
  });

  it('passes the same gate', async () => {
    for (const query of [
      'DELETE FROM accounts',
      'SELECT pg_terminate_backend(1)',
      'SELECT 1; SELECT 2',
      'SELEC 1',
    ]) {
      const { result, sent } = await run({ lines: ['-- @control A-1', `-- @population ${query}`] });
      assert.equal(result.outcome, 'error', query);
      assert.equal(sent.length, 0, query);
    }
  });

  const mistakes = [
    ['-- @population'],
    ['-- @population >= 0'],
    ['-- @population > 0', `-- @population ${countQuery}`],
    ['-- @population >= many', `-- @population ${countQuery}`],
    [`-- @population ${countQuery}`, `-- @population ${countQuery}`],
    [`-- @population ${countQuery}`, '-- @population >= 0', '-- @population >= 1'],
  ];
  for (const lines of mistakes)
    it(`is a mistake as ${lines.map((line) => line.slice(3, 24)).join(' and ')}`, () => {
      const control = readControl(['-- @control A-1', ...lines, 'SELECT 1'].join('\n'));
      assert.equal(control?.problems.length, 1, JSON.stringify(control?.problems));
    });
});
