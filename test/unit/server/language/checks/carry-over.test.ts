/** Findings that are shown while a large statement is rechecked. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Analyser } from '#server/language/checks/analyser.ts';
import { withCarriedOver } from '#server/language/checks/carry-over.ts';
import { WorkerParser } from '#server/parser/worker-parser.ts';

const parser = new WorkerParser({ timeLimitsMs: [10_000, 10_000] });
after(() => parser.dispose());

/** Columns of a statement so long that its second pass is deferred. */
const filler = Array.from({ length: 80 }, (_, index) => `column_${index}`).join(', ');

/** Returns the code and text of each finding, right after an edit and after the full check. */
async function shownAfter(before: string, edited: string): Promise<readonly (readonly string[])[]> {
  const analyser = new Analyser(parser);
  const first = await analyser.analyse(before, { isSavedQuery: false });
  const next = await analyser.analyse(edited, { isSavedQuery: false, isFirstLook: true });
  assert.ok(first !== undefined && next !== undefined);
  assert.equal(next.isPartial, true);
  const atOnce = withCarriedOver(next, { text: before, findings: first.findings });
  const whole = await analyser.analyse(edited, { isSavedQuery: false });
  return [atOnce, whole?.findings ?? []].map((findings) =>
    findings.map(({ code, start, end }) => `${code} ${edited.slice(start, end)}`),
  );
}

describe('findings during the second pass', () => {
  const text = `SELECT ${filler} FROM t WHERE a = NULL AND b = 1 AND c = NULL`;

  it('are kept before and after the edit, at their new positions', async () => {
    const expected = ['NULL_COMPARISON = NULL', 'NULL_COMPARISON = NULL'];
    assert.deepEqual(await shownAfter(text, text.replace('b = 1', 'bee = 1000')), [expected, expected]);
  });

  it('are removed if the edit touches them', async () => {
    assert.deepEqual(await shownAfter(text, text.replace('c = NULL', 'c IS NULL')), [
      ['NULL_COMPARISON = NULL'],
      ['NULL_COMPARISON = NULL'],
    ]);
  });

  it('are not kept for a statement that no longer parses, or for another text', async () => {
    const two = `${text}; SELECT ${filler} FROM u`;
    assert.deepEqual(
      (await shownAfter(two, two.replace('SELECT', 'SELEC').replace(' FROM u', ' FROM v')))[0],
      ['QUERY_PARSE_ERROR SELEC'],
    );
    assert.deepEqual((await shownAfter(text, `SELECT ${'x'.repeat(500)} FROM elsewhere`))[0], []);
  });

  it('do not report a suppression that may silence an unchecked finding', async () => {
    const silenced = `SELECT ${filler} FROM t\nWHERE a = NULL AND b = 1 -- identity-queries-ignore NULL_COMPARISON: so`;
    assert.deepEqual(await shownAfter(silenced, silenced.replace('b = 1', 'b = 2')), [[], []]);
    const idle = silenced.replace('= NULL', 'IS NULL');
    const [atOnce] = await shownAfter(idle, idle.replace('b = 1', 'b = 2'));
    assert.deepEqual(atOnce, ['UNUSED_SUPPRESSION -- identity-queries-ignore NULL_COMPARISON: so']);
  });
});
