/** Copied cells, read back by a parser that knows nothing of the writer. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { serialize, type CopyFormat } from '../../../../core/src/rows/files/serialize.ts';

const plain = { guardFormulas: false, tableName: 'accounts' };

function tsv(rows: (string | null)[][], options: { withHeaders?: boolean; nullText?: string } = {}): string {
  const names = rows[0]?.map((_, index) => `c${index}`) ?? [];
  return serialize(
    { names, rows: () => rows.map((row) => row.map((text) => ({ text, isBare: false }))) },
    {
      format: 'tsv',
      withHeaders: options.withHeaders ?? false,
      nullText: options.nullText ?? 'NULL',
      ...plain,
    },
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
  const as = (format: CopyFormat) =>
    serialize(mixed, { format, withHeaders: true, nullText: 'NULL', ...plain });

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
      { format: 'markdown', withHeaders: true, nullText: 'NULL', ...plain },
    );
    assert.equal(table, '| a\\|b |\n| --- |\n| x\\|y<br>\\*z\\* \\<b\\> |');
  });

  test('an IN list holds each value once, as literals, without NULL', () => {
    assert.equal(as('in-list'), `(9007199254740993, 'O''Neil, "Al"', '{"a":1.10}', 'NaN', '', 'NULL', true)`);
  });

  test('JSON lines: one object a line', () => {
    const lines = as('jsonl').split('\n');
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? '', /^\{ "id": 9007199254740993, "name": "O'Neil, \\"Al\\"", "name_2": null/);
  });

  test('INSERT names what needs quotes in quotes, and quotes so that no value ends its literal', () => {
    const text = serialize(
      {
        names: ['id', 'Order', 'user', 'note'],
        rows: () => [
          [
            { text: '7', isBare: true },
            { text: "it's", isBare: false },
            { text: null, isBare: true },
            { text: "back\\'; DELETE", isBare: false },
          ],
          [
            { text: 'true', isBare: true },
            { text: 'NaN', isBare: true },
            { text: '1', isBare: false },
            { text: '{"a":1}', isBare: true },
          ],
        ],
      },
      { format: 'insert', withHeaders: true, nullText: 'NULL', ...plain },
    );
    assert.equal(
      text,
      'INSERT INTO accounts (id, "Order", "user", note) VALUES\n' +
        "  (7, 'it''s', NULL, E'back\\\\''; DELETE'),\n" +
        "  (true, 'NaN', '1', '{\"a\":1}');",
    );
  });

  test('what a spreadsheet would calculate gets an apostrophe; numbers do not', () => {
    const cells = ['=1+1', '+49 170 1', '-2+3', '@SUM(A1)', '\tx', '-5', '+1.5e3', 'a=b', '-Infinity', '＝1'];
    const text = serialize(
      {
        names: cells.map((_, index) => `c${index}`),
        rows: () => [cells.map((text) => ({ text, isBare: false }))],
      },
      { format: 'csv', withHeaders: true, nullText: '', tableName: 't', guardFormulas: true },
    );
    const expected = "'=1+1,'+49 170 1,'-2+3,'@SUM(A1),'\tx,-5,+1.5e3,a=b,-Infinity,'＝1";
    assert.equal(text.split('\r\n')[1], expected);
  });

  test('whatever the cells, an RFC 4180 parser reads the same from CSV', () => {
    const cell = fc.oneof(
      fc.constant(null),
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '🙂', ' ', ';') }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const text = serialize(
          {
            names: ['a', 'b'],
            rows: () => rows.map((row) => row.map((one) => ({ text: one, isBare: false }))),
          },
          { format: 'csv', withHeaders: true, nullText: '', ...plain },
        );
        const read = parse(text, {
          bom: false,
          cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
        });
        assert.deepEqual(read, [['a', 'b'], ...rows]);
      }),
    );
  });
});
