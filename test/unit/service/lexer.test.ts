/** Placeholder positions under PostgreSQL's lexical rules. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { scan } from '#service/query/lexer.ts';

function placeholders(text: string): string[] {
  return scan(text)
    .filter((token) => token.kind === 'placeholder')
    .map((token) => text.slice(token.start, token.end));
}

const cases: readonly (readonly [name: string, text: string, found: readonly string[]])[] = [
  ['plain', 'SELECT :a, :b_2', [':a', ':b_2']],
  ['a cast is none', "SELECT a::text, '1'::int, :x::date", [':x']],
  ['an assignment is none', 'SELECT f(a := 1)', []],
  ['inside a string', "SELECT ':a', ':b'':c'", []],
  ['after an escape string', String.raw`SELECT E'\':a', :b`, [':b']],
  ['a backslash does not escape in a plain string', String.raw`SELECT 'x\', :b`, [':b']],
  ['a string that goes on in the next line', "SELECT 'x'\n  ':a', :b", [':b']],
  ['inside quotes', 'SELECT ":a", "b"":c"', []],
  ['inside comments, which nest', 'SELECT /* :a /* :b */ :c */ :d -- :e\n, :f', [':d', ':f']],
  ['a lone carriage return ends a comment', 'SELECT 1 -- :a\r, :b', [':b']],
  ['dollar quotes', 'SELECT $$ :a $$, $x$ :b $$ $x$, :c', [':c']],
  ['a slice with numbers', 'SELECT a[1:2], a[:n]', [':n']],
  ['a slice with a name behind an operand is none', 'SELECT a[i:j]', []],
  ['json_object with colons', "SELECT json_object('k': v, 'l': :x)", [':x']],
  ['an operator next to it', 'SELECT a=:b, c<>:d, -:e', [':b', ':d', ':e']],
  ['after an emoji', "SELECT '🙂', :a", [':a']],
  ['unicode strings', String.raw`SELECT U&'\0041:a', U&":b", :c`, [':c']],
  ['an unended string', "SELECT ':a", []],
  ['a colon at the end', 'SELECT :', []],
];

suite('scan', () => {
  for (const [name, text, found] of cases) {
    test(name, () => assert.deepEqual(placeholders(text), found));
  }

  test('100 KB are scanned in one pass and tokens do not overlap', () => {
    const text = 'SELECT a.b, \'x\' || :p /* c */ -- d\nFROM "t" WHERE n >= 1.5e3;\n'.repeat(1_700);
    let last = 0;
    for (const token of scan(text)) {
      assert.ok(token.start >= last && token.end > token.start);
      last = token.end;
    }
  });
});
