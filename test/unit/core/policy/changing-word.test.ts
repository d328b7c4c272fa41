/** Statements that certainly change data, and their command. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { changingWord } from '#core/policy/changing-word.ts';

/** A statement whose first error is at `|`. */
function refused(marked: string, start = { line: 3, character: 2 }) {
  const before = marked.slice(0, marked.indexOf('|')).split('\n');
  const last = before.at(-1)?.length ?? 0;
  const character = before.length === 1 ? start.character + last : last;
  const at = { line: start.line + before.length - 1, character };
  const error = { range: { start: at, end: at }, message: 'm' };
  return { text: marked.replace('|', ''), range: { start, end: at }, errors: [error] };
}

suite('the command that changes data', () => {
  for (const [marked, expected] of [
    ["|UPDATE accounts SET alias = 'x'", 'UPDATE'],
    ['|delete FROM accounts', 'DELETE'],
    ['|DROP TABLE accounts', 'DROP'],
    ['WITH d AS (\n  |DELETE FROM accounts RETURNING *\n) SELECT * FROM d', 'DELETE'],
    ['|EXPLAIN DELETE FROM accounts', undefined],
    ['EXPLAIN |DELETE FROM accounts', undefined],
    ['SELECT * FROM accounts |FOR UPDATE', undefined],
    ['SELECT 1 |INTO t', undefined],
    ['|SHOW search_path', undefined],
  ] as const) {
    test(marked, () => assert.equal(changingWord(refused(marked)), expected));
  }
});
