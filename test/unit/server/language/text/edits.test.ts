import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits, withoutOthers, type Edit } from '#server/language/text/edits.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { splitStatements } from '#server/language/text/statements.ts';

const replaced = (text: string, ...pairs: readonly (readonly [string, string])[]): readonly Edit[] =>
  pairs.map(([old, newText]) => {
    const start = text.indexOf(old);
    return { start, end: start + old.length, newText };
  });

describe('edits', () => {
  const text = "-- @param n\nSELECT 1; -- one\nSELECT ';', two;\n/* c */ SELECT 3;; SELECT 4";
  for (const [edits, shortened] of [
    [replaced(text, ['two', 'zwei']), "-- @param n\n; -- one\nSELECT ';', zwei;\n/* c */ ;; "],
    [replaced(text, ['4', '44'], ['n\n', 'm\n']), '-- @param m\nSELECT 1; -- one\n;\n/* c */ ;; SELECT 44'],
    [replaced(text, ['1; -- one\nSELECT', '']), "-- @param n\nSELECT  ';', two;\n/* c */ ;; "],
    [
      [{ start: text.length, end: text.length, newText: ' + 1' }],
      '-- @param n\n; -- one\n;\n/* c */ ;; SELECT 4 + 1',
    ],
    [[], '-- @param n\n; -- one\n;\n/* c */ ;; '],
  ] as const)
    it(`are proven with the statements that they change: ${JSON.stringify(edits.map(({ newText }) => newText))}`, () => {
      const own = withoutOthers(text, splitStatements(lex(text)), edits);
      assert.equal(applyEdits(own.text, own.edits), shortened);
    });

  it('at one place come in the opposite order', () => {
    const at = { start: 1, end: 1 };
    const edits = [
      { start: 1, end: 2, newText: 'x' },
      { ...at, newText: 'y' },
      { ...at, newText: 'z' },
    ];
    assert.equal(applyEdits('abc', edits), 'azyxc');
  });
});
