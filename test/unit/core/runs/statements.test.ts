/** The statement to run, and mapping the service's error positions to the document. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { chooseStatement } from '#core/runs/choose-statement.ts';
import { offsetWithin, positionInDocument, relocate } from '#core/runs/source-positions.ts';
import type { StatementInfo } from '#server/protocol.ts';

function statement(startLine: number, start: number, endLine: number, end: number): StatementInfo {
  const range = { start: { line: startLine, character: start }, end: { line: endLine, character: end } };
  return { range, text: '', verdict: 'read-only', placeholders: [], parameters: [], errors: [] };
}

const two = [statement(0, 0, 0, 8), statement(2, 0, 4, 5)];
const chosen = (line: number, character: number, statements = two) => {
  const choice = chooseStatement(statements, { cursor: { line, character }, isSelection: false });
  return choice.kind === 'chosen' ? statements.indexOf(choice.statement) : choice.kind;
};

suite('choosing a statement', () => {
  test('picks the one that contains or touches the cursor', () => {
    assert.equal(chosen(0, 3), 0);
    assert.equal(chosen(0, 8), 0);
    assert.equal(chosen(3, 99), 1);
  });

  test('picks the preceding one after its semicolon', () => {
    assert.equal(chosen(0, 9), 0);
  });

  test('picks the next one between two, and the last one after all', () => {
    assert.equal(chosen(1, 0), 1);
    assert.equal(chosen(9, 0), 1);
  });

  test('picks none in an empty document', () => {
    assert.equal(chosen(0, 0, []), 'none');
  });

  test('picks none if several are selected', () => {
    assert.deepEqual(chooseStatement(two, { cursor: { line: 0, character: 0 }, isSelection: true }), {
      kind: 'several',
      count: 2,
    });
  });
});

suite('positions from the service', () => {
  test('the first line is shifted, later ones are not', () => {
    const sent = 'SELECT 1,\r\n  emial\r\nFROM x';
    assert.deepEqual(positionInDocument({ sent }, { line: 10, character: 4 }, { line: 1, column: 8 }), {
      line: 10,
      character: 11,
    });
    assert.deepEqual(positionInDocument({ sent }, { line: 10, character: 4 }, { line: 2, column: 3 }), {
      line: 11,
      character: 2,
    });
  });

  test('columns are characters; the editor counts UTF-16 units', () => {
    assert.equal(
      positionInDocument({ sent: "SELECT '🙂🙂', x" }, { line: 0, character: 0 }, { line: 1, column: 13 })
        .character,
      14,
    );
  });

  test('positions outside the text are moved inside', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), fc.integer(), (sent, line, column) => {
        const lines = sent.split(/\r\n|\n|\r/);
        const at = positionInDocument({ sent }, { line: 0, character: 0 }, { line, column });
        assert.ok(at.line >= 0 && at.line < lines.length);
        assert.ok(at.character >= 0 && at.character <= lines[at.line]!.length);
      }),
    );
  });

  test('values written into the sent text do not move later positions', () => {
    const typed = 'SELECT :a,\n  :b, emial';
    const sent = "SELECT 'long\nvalue',\n  'x', emial";
    const toTyped = (offset: number) => typed.length - (sent.length - offset);
    assert.deepEqual(
      positionInDocument({ sent, typed, toTyped }, { line: 4, character: 2 }, { line: 3, column: 8 }),
      { line: 5, character: 6 },
    );
  });

  test('a moved statement is found at its nearest occurrence; a changed one is not found', () => {
    const statement = 'SELECT a,\n  b';
    const place = { line: 4, character: 2 };
    const start = { line: 3, character: 4 };
    const at = (text: string) => relocate(place, { statement, start, text });
    assert.deepEqual(at(`-- new\n\n\n\nx; ${statement}`), { line: 5, character: 2 });
    assert.deepEqual(at(`${statement}\n\n\n${statement}`), { line: 5, character: 2 });
    assert.equal(at('SELECT a,\n  c'), undefined);
    assert.deepEqual(relocate({ line: 3, character: 11 }, { statement, start, text: `12${statement}` }), {
      line: 0,
      character: 9,
    });
  });

  test('offsets and positions of a statement agree, whatever its line endings', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '🙂', ' ')), fc.nat(), (parts, seed) => {
        const text = parts.join('');
        const offset = parts.slice(0, seed % (parts.length + 1)).join('').length;
        const start = { line: 7, character: 3 };
        const lines = text.slice(0, offset).split(/\r\n|\n/);
        const character = (lines.at(-1)?.length ?? 0) + (lines.length === 1 ? start.character : 0);
        assert.equal(offsetWithin(text, start, { line: start.line + lines.length - 1, character }), offset);
      }),
    );
  });
});
