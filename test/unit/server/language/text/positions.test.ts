import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { readDirectives } from '#server/language/text/directives.ts';
import { lex } from '#server/language/text/lexer/lex.ts';
import { endOfLineAt, LineIndex } from '#server/language/text/lines.ts';
import { offsetOfByte, offsetOfCodePoint } from '#server/language/text/offsets.ts';
import { replacePlaceholders, splitStatements } from '#server/language/text/statements.ts';

const anyText = fc
  .array(fc.constantFrom('a', 'é', '€', '💥', '\r', '\n', '\r\n', ' '))
  .map((parts) => parts.join(''));

describe('positions', () => {
  it('count lines as in the protocol', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, offset) => {
        const document = TextDocument.create('a:b', 'sql', 1, text);
        const lines = new LineIndex(text);
        assert.equal(lines.lineCount, document.lineCount);
        // There is no position between CR and LF: the package moves back, but LineIndex does not.
        if (text[offset - 1] !== '\r') {
          assert.deepEqual(lines.positionAt(offset), document.positionAt(offset));
          assert.equal(lines.offsetAt(lines.positionAt(offset)), Math.min(offset, text.length));
        }
      }),
    );
  });

  it('are clamped to the text', () => {
    const lines = new LineIndex('ab\r\nc');
    assert.equal(lines.offsetAt({ line: 0, character: 99 }), 2);
    assert.equal(lines.offsetAt({ line: 9, character: 0 }), 5);
    assert.equal(lines.offsetAt({ line: -1, character: 0 }), 0);
    assert.equal(lines.offsetAt({ line: 1, character: -5 }), 4);
    assert.equal(endOfLineAt('ab\rc', 0), 2);
  });

  it('are mapped from code points and bytes to UTF-16', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, index) => {
        const before = [...text].slice(0, index).join('');
        assert.equal(offsetOfCodePoint(text, index), before.length);
        assert.equal(offsetOfByte(text, Buffer.byteLength(before)), before.length);
      }),
    );
  });
});

const split = (text: string): string[] =>
  splitStatements(lex(text)).map(({ start, end }) => text.slice(start, end));

describe('statements', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    [' -- nothing\n', []],
    [';;', []],
    ['a', ['a']],
    [' a ; b ', ['a', 'b']],
    ["a ';' b; c", ["a ';' b", 'c']],
    ['/* ; */ a /* ; */; b -- ;', ['a', 'b']],
    ['a (b; c) d', ['a (b', 'c) d']],
    ['CREATE RULE r DO (a; b); c', ['CREATE RULE r DO (a; b)', 'c']],
    [
      'CREATE FUNCTION f() BEGIN ATOMIC a; CASE b END; END; c',
      ['CREATE FUNCTION f() BEGIN ATOMIC a; CASE b END; END', 'c'],
    ],
    ['BEGIN; a; END; b', ['BEGIN', 'a', 'END', 'b']],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => {
      assert.deepEqual(split(text), expected);
    });
  }
});

describe('replaced placeholders', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['x = :name', 'x = .0000'],
    ['x = :n', 'x = .0'],
    ['x = $12', 'x = .00'],
    [':rows[1]', '$1   [1]'],
    [':row.field', '$1  .field'],
    ['1:x', '1$1'],
    ['t.:x', 't.$1'],
    ["':a' :b", "':a' .0"],
    ["'a' -- it's\n'b' :x", "'a'        \n'b' .0"],
    ["'a'--x\n--y\n 'b--c' -- d", "'a'   \n   \n 'b--c'"],
    ["E'\\'--' --x\r\n'b'--y\r\n'c'", "E'\\'--'    \r\n'b'   \r\n'c'"],
    ["'a--\n', 'b''--' -- x\n, 'c'", "'a--\n', 'b''--' -- x\n, 'c'"],
    ["U&'a' --x\n'b', B'1' --x\n'0'", "U&'a'    \n'b', B'1'    \n'0'"],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => {
      const lexed = lex(text);
      const [span] = splitStatements(lexed);
      assert.ok(span !== undefined);
      assert.equal(replacePlaceholders(lexed, span), expected);
    });
  }
});

describe('directives', () => {
  it('are in the comments at the top', () => {
    const text =
      '-- @model  platform_governance \r\n--@param since date = 2026-01-01 Only later\n\n-- note\n-- @end\nSELECT 1 -- @model other';
    const directives = readDirectives(lex(text));
    assert.deepEqual(
      directives.map(({ name, argument }) => [name, argument]),
      [
        ['model', 'platform_governance'],
        ['param', 'since date = 2026-01-01 Only later'],
        ['end', ''],
      ],
    );
    for (const { argument, argumentStart, argumentEnd } of directives) {
      assert.equal(text.slice(argumentStart, argumentEnd), argument);
    }
  });

  it('may have an argument that repeats the name', () => {
    const [directive] = readDirectives(lex('-- @model model'));
    assert.equal(directive?.argumentStart, 10);
  });
});
