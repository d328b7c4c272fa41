/** Copied cells, read back by a parser that knows nothing of the writer. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { serialize, type CopyFormat } from '../../../client/src/features/results/data/serialize.ts';

function tsv(rows: (string | null)[][], options: { withHeaders?: boolean; nullText?: string } = {}): string {
  const names = rows[0]?.map((_, index) => `c${index}`) ?? [];
  return serialize(
    { names, rows: () => rows.map((row) => row.map((text) => ({ text, isBare: false }))) },
    { format: 'tsv', withHeaders: options.withHeaders ?? false, nullText: options.nullText ?? 'NULL' },
  );
}

/** Tab-separated values as spreadsheets take them from the clipboard. */
function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  const row = () => rows[rows.length - 1]!;
  for (;;) {
    let field = '';
    if (text[at] === '"') {
      at += 1;
      while (at < text.length) {
        if (text[at] === '"' && text[at + 1] === '"') at += 1;
        else if (text[at] === '"') break;
        field += text.charAt(at);
        at += 1;
      }
      at += 1;
    } else {
      while (at < text.length && text[at] !== '\t' && text[at] !== '\n') {
        field += text.charAt(at);
        at += 1;
      }
    }
    row().push(field);
    if (at >= text.length) return rows;
    if (text[at] === '\n') rows.push([]);
    at += 1;
  }
}

suite('copying cells', () => {
  test('cells are divided by tabs and rows by line feeds', () => {
    assert.equal(
      tsv([
        ['a', 'b'],
        ['1', null],
      ]),
      'a\tb\n1\tNULL',
    );
    assert.equal(tsv([['a', 'b']], { withHeaders: true, nullText: '' }), 'c0\tc1\na\tb');
  });

  test('one cell alone is copied as it is', () => {
    assert.equal(tsv([['say "hi"\n\tthere']]), 'say "hi"\n\tthere');
    assert.equal(tsv([[null]]), 'NULL');
    assert.equal(tsv([['"a"']], { withHeaders: true }), 'c0\n"""a"""');
  });

  test('what would break the table is quoted, and only that', () => {
    assert.equal(tsv([['a\tb', 'it"s', '"x', 'l1\r\nl2']]), '"a\tb"\tit"s\t"""x"\t"l1\r\nl2"');
  });

  test('whatever the cells, a spreadsheet reads the same', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', '🙂', ' ', '=') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        assert.deepEqual(parseTsv(tsv(rows)), rows);
      }),
    );
  });

  const mixed = {
    names: ['id', 'name', 'name', 'attributes'],
    rows: () => [
      [
        { text: '9007199254740993', isBare: true },
        { text: 'O\'Neil, "Al"', isBare: false },
        { text: null, isBare: true },
        { text: '{"a":1.10}', isBare: true },
      ],
      [
        { text: 'NaN', isBare: true },
        { text: '', isBare: false },
        { text: 'NULL', isBare: false },
        { text: 'true', isBare: true },
      ],
    ],
  };
  const as = (format: CopyFormat) => serialize(mixed, { format, withHeaders: true, nullText: 'NULL' });

  test('CSV keeps NULL, the text NULL and the empty text apart', () => {
    assert.equal(
      as('csv'),
      'id,name,name,attributes\r\n' +
        '9007199254740993,"O\'Neil, ""Al""",NULL,"{""a"":1.10}"\r\n' +
        'NaN,"","NULL",true\r\n',
    );
  });

  test('JSON keeps every digit, and both columns of one name', () => {
    const text = as('json');
    assert.match(text, /"id": 9007199254740993,/);
    assert.match(text, /\{"a":1\.10\}/);
    assert.deepEqual(
      (JSON.parse(text) as object[]).map((row) => Object.keys(row)),
      [
        ['id', 'name', 'name_2', 'attributes'],
        ['id', 'name', 'name_2', 'attributes'],
      ],
    );
    assert.deepEqual((JSON.parse(text) as Record<string, unknown>[])[1], {
      id: 'NaN',
      name: '',
      name_2: 'NULL',
      attributes: true,
    });
  });

  test('Markdown keeps values in their cells', () => {
    const table = serialize(
      { names: ['a|b'], rows: () => [[{ text: 'x|y\n*z* <b>', isBare: false }]] },
      { format: 'markdown', withHeaders: true, nullText: 'NULL' },
    );
    assert.equal(table, '| a\\|b |\n| --- |\n| x\\|y<br>\\*z\\* \\<b\\> |');
  });

  test('an IN list holds each value once, as literals, without NULL', () => {
    assert.equal(as('in-list'), `(9007199254740993, 'O''Neil, "Al"', '{"a":1.10}', 'NaN', '', 'NULL', true)`);
  });
});
