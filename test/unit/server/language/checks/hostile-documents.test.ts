/** Documents that were made to keep the server busy: what never reaches the parser, and what is shown of them. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { FindingCode } from '#base/finding-severities.ts';
import { Analyser } from '#server/language/checks/analyser.ts';
import { finding } from '#server/language/checks/finding.ts';
import type { SqlParser } from '#server/language/checks/parser.ts';
import { shownFindings } from '#server/language/checks/shown-findings.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 20_000] });
after(() => parser.dispose());

/** Records the texts that are parsed. */
function recorder() {
  const parsed: string[] = [];
  const recording: SqlParser = {
    parse: (texts, isCancelled) => {
      for (const text of texts) parsed.push(text);
      return parser.parse(texts, isCancelled);
    },
    readNames: (texts, ...rest) => parser.readNames(texts, ...rest),
  };
  return { parsed, analyser: new Analyser(recording) };
}

describe('comments', () => {
  for (const [name, comment] of [
    ['open', '/*'.repeat(40_000)],
    ['closed', `${'/*'.repeat(20_000)}${'*/'.repeat(20_000)}`],
    ['just too deep', `${'/*'.repeat(101)}${'*/'.repeat(101)}`],
  ] as const)
    it(`that are nested too deeply and ${name} do not reach the parser`, async () => {
      for (const text of [comment, `SELECT 1 ${comment}`, `${comment} SELECT 1`, `SELECT ${comment} 1`]) {
        const { parsed, analyser } = recorder();
        const analysis = await analyser.analyse(text, { isSavedQuery: false });
        assert.deepEqual(
          parsed.filter((each) => each.includes('/*/*/*')),
          [],
        );
        if (text.startsWith('SELECT'))
          assert.notEqual(analysis?.statements[0]?.verdict, text.endsWith('1') ? 'read-only' : undefined);
      }
    });

  it('of a depth that people write are parsed, and others beside deep ones, too', async () => {
    const { parsed, analyser } = recorder();
    const deep = `${'/*'.repeat(200)}${'*/'.repeat(200)}`;
    const fine = `${'/*'.repeat(50)}${'*/'.repeat(50)}`;
    const text = `SELECT 1 ${fine}; SELECT ${deep} 2; SELECT 3`;
    const analysis = await analyser.analyse(text, { isSavedQuery: false });
    assert.deepEqual(
      analysis?.statements.map(({ verdict }) => verdict),
      ['read-only', 'unverified', 'read-only'],
    );
    assert.equal(parsed.length, 2);
  });
});

describe('the findings of a document', () => {
  const many = (code: FindingCode, count: number, at: number) =>
    Array.from({ length: count }, (_, index) => finding(code, 'x', at + index, at + index + 1));

  it('are at most a hundred of a code, errors first, with the number of the others', () => {
    const shown = shownFindings([
      ...many('SELECT_STAR', 250, 0),
      ...many('UNKNOWN_COLUMN', 101, 1_000),
      ...many('UNUSED_CTE', 100, 5_000),
    ]);
    const counts = Map.groupBy(shown, ({ code }) => code);
    assert.deepEqual(
      [...counts].map(([code, list]) => [code, list.length, list.at(-1)?.message]),
      [
        ['UNKNOWN_COLUMN', 100, 'x 1 more finding of this kind is not shown.'],
        ['SELECT_STAR', 100, 'x 150 more findings of this kind are not shown.'],
        ['UNUSED_CTE', 100, 'x'],
      ],
    );
    for (const [, list] of counts)
      assert.deepEqual(
        list.map(({ start }) => start),
        list.map(({ start }) => start).toSorted((a, b) => a - b),
      );
  });

  it('are shown as they are if there are few', () => {
    const few = [...many('SELECT_STAR', 100, 0), ...many('UNKNOWN_COLUMN', 3, 50)];
    assert.equal(shownFindings(few), few);
  });

  it('are limited also while they are made', async () => {
    const { analyser } = recorder();
    const analysis = await analyser.analyse('\u200b'.repeat(95_000), { isSavedQuery: false });
    assert.ok((analysis?.findings.length ?? 0) <= 10_001);
  });
});
