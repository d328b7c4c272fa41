/** Rows that the service reports but never sends. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { QueryPage } from '#api/client/query-page.ts';
import { executeQuery } from '#cli/run/execute.ts';
import { tableTarget } from '#cli/run/rows-target.ts';
import { sendRows } from '#cli/run/send-rows.ts';
import { answerRows } from '#core/agents/answers/rows-answer.ts';
import { defaultAgentLimits } from '#core/policy/agent-levels.ts';
import { Masker } from '#core/policy/masking/masker.ts';
import { permit } from '#core/policy/send-query.ts';
import { inTurn } from '#test/helpers/query-pages.ts';

const pageOf = (sent: number, rowCount?: number): QueryPage => ({
  columns: [{ name: 'id', type: 'text' }],
  rows: Array.from({ length: sent }, (_, index) => [String(index)]),
  ...(rowCount === undefined ? {} : { rowCount }),
});

/** Rows sent, rows reported, whether the result counts as complete, and the limit. */
const cases: readonly (readonly [number, number | undefined, boolean, number?])[] = [
  [0, 5, false],
  // Nobody asked for more rows than the limit.
  [2, 3, false, 2],
  [2, 3, false],
  [2, 2, true],
  [2, undefined, true],
  // Some services report the row count of the page.
  [2, 1, true],
];

const run = (
  page: QueryPage,
  { stream, limit }: { readonly stream: PassThrough; readonly limit?: number | undefined },
) =>
  executeQuery(
    { stderr: stream, signal: new AbortController().signal } as never, // a run uses nothing else
    { client: { queries: { executeBytes: () => Promise.resolve(page) } } } as never, // a run uses nothing else
    {
      prepared: {
        title: 'Query',
        request: { query_string: 'SELECT 1' },
        permit: permit({ kind: 'go', isProven: true }, 'not-asked'),
        locate: () => ({ line: 0, character: 0 }),
      },
      target: tableTarget(stream),
      isSilent: true,
      limit,
    },
  );

describe('a result', () => {
  for (const [areValuesUnknown, words] of [
    [undefined, /^2 rows\. The query may have more: the service does not tell how a result ends/m],
    [true, /^2 rows\. The query may have more: the service does not show whether it uses the values/m],
  ] as const)
    it(`that may be a part says why${areValuesUnknown === true ? ', if values are' : ''}`, async () => {
      const [stream, stderr] = [new PassThrough().resume(), new PassThrough()];
      const page = { ...pageOf(2), isPerhapsPartial: true, areValuesUnknown } as const;
      const send = () => run(page, { stream });
      const options = { nullAs: '', guardFormulas: true };
      await sendRows({ stdout: stream, stderr } as never, options, { subject: 'The query', send }); // uses nothing else
      assert.match(String(stderr.read()), words);
    });

  for (const [sent, reported, isComplete, limit] of cases) {
    const page = pageOf(sent, reported);
    const what = `of ${sent} rows, ${reported ?? 'none'} reported${limit === undefined ? '' : `, limited to ${limit}`}`;
    it(`${what}, is ${isComplete ? '' : 'not '}complete`, async () => {
      const stream = new PassThrough().resume();
      const result = run(page, { stream, limit });
      if (isComplete || limit !== undefined)
        assert.deepEqual(await result.then((own) => [own.rowCount, own.isComplete]), [sent, isComplete]);
      else
        await assert.rejects(
          result,
          new RegExp(
            `reports ${reported} rows, but sent only ${sent}: the others.*run: identity-queries doctor`,
          ),
        );
    });

    it(`${what}, is reported to an agent as such`, async () => {
      const { status, reason = '' } = await answerRows(inTurn([page]), {
        expected: { list: [{ name: 'id', origin: undefined }] },
        masker: new Masker(),
        limits: defaultAgentLimits,
        maxRows: limit,
      });
      assert.equal(status, isComplete ? 'complete' : 'truncated');
      assert.equal(/but sent only/.test(reason), !isComplete && limit === undefined);
    });
  }
});
