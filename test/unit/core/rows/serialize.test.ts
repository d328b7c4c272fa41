/** Copied cells, read back by an independent parser. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { serialize } from '#core/rows/files/serialize.ts';
import type { CopyFormat } from '#core/rows/files/text-writer.ts';

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

/** Parses tab-separated values as spreadsheets parse the clipboard. */
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
  test('cells are separated by tabs and rows by line feeds', () => {
    assert.equal(
      tsv([
        ['a', 'b'],
        ['1', null],
      ]),
      'a\tb\n1\tNULL',
    );
    assert.equal(tsv([['a', 'b']], { withHeaders: true, nullText: '' }), 'c0\tc1\na\tb');
  });

  test('a single cell is copied unchanged', () => {
    assert.equal(tsv([['say "hi"\n\tthere']]), 'say "hi"\n\tthere');
    assert.equal(tsv([[null]]), 'NULL');
    assert.equal(tsv([['"a"']], { withHeaders: true }), 'c0\n"""a"""');
  });

  test('only text that would break the table is quoted', () => {
    assert.equal(tsv([['a\tb', 'it"s', '"x', 'l1\r\nl2']]), '"a\tb"\tit"s\t"""x"\t"l1\r\nl2"');
  });

  test('a spreadsheet parses all cells unchanged', () => {
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

  test('CSV distinguishes NULL, the text NULL and the empty text', () => {
    assert.equal(
      as('csv'),
      'id,name,name,attributes\r\n' +
        '9007199254740993,"O\'Neil, ""Al""",NULL,"{""a"":1.10}"\r\n' +
        'NaN,"","NULL",true\r\n',
    );
  });

  test('JSON keeps every digit, and both columns with the same name', () => {
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

  test('Markdown escapes values, so that they stay in their cells', () => {
    const table = serialize(
      { names: ['a|b'], rows: () => [[{ text: 'x|y\n*z* <b>', isBare: false }]] },
      { format: 'markdown', withHeaders: true, nullText: 'NULL', ...plain },
    );
    assert.equal(table, '| a\\|b |\n| --- |\n| x\\|y<br>\\*z\\* \\<b\\> |');
  });

  test('an IN list contains each value once, as a literal, without NULL', () => {
    const values = (...texts: (string | null)[]) =>
      serialize(
        { names: ['name'], rows: () => texts.map((text) => [{ text, isBare: false }]) },
        { format: 'in-list', withHeaders: false, nullText: 'NULL', ...plain },
      );
    assert.equal(values("O'Neil", '', 'NULL', null, '', "O'Neil"), "('O''Neil', '', 'NULL')");
  });

  test('an IN list of several columns contains each row once, without those that have a NULL', () => {
    const row = (department: string, enabled: string | null) => [
      { text: department, isBare: false },
      { text: enabled, isBare: true },
    ];
    const text = serialize(
      {
        names: ['department', 'enabled'],
        rows: () => [
          row('IT Operations', 'false'),
          row('x', 'true'),
          row('x', null),
          row('IT Operations', 'false'),
        ],
      },
      { format: 'in-list', withHeaders: false, nullText: 'NULL', ...plain },
    );
    assert.equal(text, "(('IT Operations', false), ('x', true))");
  });

  test('JSON Lines has one object per line', () => {
    const lines = as('jsonl').split('\n');
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? '', /^\{ "id": 9007199254740993, "name": "O'Neil, \\"Al\\"", "name_2": null/);
  });

  test('JSON has no command for the log of a build, and means what it meant', () => {
    const cells = ['##vso[a]b', '{"##[c]":"##d["}'];
    for (const format of ['json', 'jsonl'] as const) {
      const text = serialize(
        {
          names: ['##[group]', 'b'],
          rows: () => [cells.map((cell, column) => ({ text: cell, isBare: column === 1 }))],
        },
        { format, withHeaders: true, nullText: 'NULL', ...plain },
      );
      assert.doesNotMatch(text, /##\w*\[/);
      const row = { '##[group]': '##vso[a]b', b: { '##[c]': '##d[' } };
      assert.deepEqual(JSON.parse(text), format === 'json' ? [row] : row);
    }
  });

  test('INSERT quotes names if needed, and no value terminates its literal', () => {
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

  test('INSERT writes rows without columns', () => {
    const text = serialize(
      { names: [], rows: () => [[], []] },
      { format: 'insert', withHeaders: true, nullText: 'NULL', ...plain },
    );
    assert.equal(text.trim(), 'INSERT INTO accounts DEFAULT VALUES;\nINSERT INTO accounts DEFAULT VALUES;');
  });

  test("INSERT writes a list as an array of its column's type, and JSON as JSON", () => {
    const cell = (value: string) => ({ text: value, isBare: true });
    const list = '["a b","it\'s \\"x\\"",null,"c,d"]';
    const text = serialize(
      {
        names: ['a', 'n', 'j', 'none'],
        rows: () => [[cell(list), cell('[1,[12345678901234567890]]'), cell(list), cell('[]')]],
      },
      {
        ...{ format: 'insert', withHeaders: true, nullText: 'NULL', ...plain },
        types: ['text[]', 'numeric[]', 'jsonb', 'text[]'],
      },
    );
    assert.match(text, /\(E'\{"a b","it''s \\\\"x\\\\"",NULL,"c,d"\}', '\{1,\{12345678901234567890\}\}', /);
    assert.match(text, /, '\{\}'\);$/);
    assert.ok(text.includes('["a b","it'));
  });

  const guarding = { nullText: '', tableName: 't', guardFormulas: true } as const;
  const guardedCells = (format: 'csv' | 'tsv', cells: readonly string[]) => {
    const source = {
      names: cells.map((_, index) => `c${index}`),
      rows: () => [cells.map((text) => ({ text, isBare: false }))],
    };
    return serialize(source, { ...guarding, format, withHeaders: true });
  };

  test('text that a spreadsheet would evaluate as a formula gets an apostrophe; numbers do not', () => {
    const cells = ['=1+1', '+49 170 1', '-2+3', '@SUM(A1)', '\tx', '-5', '+1.5e3', 'a=b', '-Infinity', '＝1'];
    const expected = "'=1+1,'+49 170 1,'-2+3,'@SUM(A1),'\tx,-5,+1.5e3,a=b,-Infinity,'＝1";
    assert.equal(guardedCells('csv', cells).split('\r\n')[1], expected);
  });

  test('a formula after spaces, quotes, marks, line breaks and other separators also gets an apostrophe', () => {
    const expected = [
      ['\n=1+1', "'\n'=1+1"],
      [' \u00a0=1', "' \u00a0=1"],
      ['\ufeff\u200b=1', "'\ufeff\u200b=1"],
      ['"=1', `'"=1`],
      ["'=1", "''=1"],
      [';=1', ";'=1"],
      ['x; @SUM(A1)', "x;' @SUM(A1)"],
      ["x;-cmd|' /C calc'!A0", "x;'-cmd|' /C calc'!A0"],
      ['a\r\n+HYPERLINK("http://x")', `a\r\n'+HYPERLINK("http://x")`],
      ['Steps:\n- one\n- two', 'Steps:\n- one\n- two'],
      ['1;-5', '1;-5'],
      ["it's", "it's"],
    ];
    const [cells, guarded] = [expected.map(([cell]) => cell!), expected.map(([, each]) => each!)];
    assert.deepEqual(parse(guardedCells('csv', cells)).at(1), guarded);
    assert.deepEqual(parseTsv(guardedCells('tsv', cells)).at(1), guarded);
  });

  test('a text in which another separator would start a formula is one cell in quotes', () => {
    const cells = ['["x","=r/p"]', 'a|@SUM(A1)', 'a, b', '1,-5'];
    const tsv = guardedCells('tsv', cells);
    assert.equal(tsv.split('\n')[1], `"[""x"",""=r/p""]"\t"a|@SUM(A1)"\ta, b\t"1,-5"`);
    assert.deepEqual(parseTsv(tsv).at(1), cells);
    const csv = guardedCells('csv', cells);
    assert.equal(csv.split('\r\n')[1], `"[""x"",""=r/p""]","a|@SUM(A1)","a, b","1,-5"`);
    assert.deepEqual(parse(csv).at(1), cells);
  });

  test('column names, the text for NULL and a single cell are guarded too', () => {
    const source = {
      names: ['=1', '-b'],
      rows: () => [
        [
          { text: null, isBare: false },
          { text: '', isBare: false },
        ],
      ],
    };
    const options = { ...guarding, nullText: '=NULL()', withHeaders: true };
    assert.equal(serialize(source, { ...options, format: 'csv' }), `'=1,'-b\r\n'=NULL(),""\r\n`);
    assert.equal(serialize(source, { ...options, format: 'tsv' }), "'=1\t'-b\n'=NULL()\t");
    const alone = (text: string | null) =>
      serialize(
        { names: ['a'], rows: () => [[{ text, isBare: false }]] },
        { ...options, format: 'tsv', withHeaders: false },
      );
    assert.deepEqual(['=1', null, '-1', 'a\n=1'].map(alone), ["'=1", "'=NULL()", '-1', "a\n'=1"]);
  });

  test('the text for NULL never breaks the table, and is never mistaken for text', () => {
    const source = {
      names: ['a', 'b'],
      rows: () => [[null, 'a,"b', "'-", '-'].map((text) => ({ text, isBare: false }))],
    };
    const text = (nullText: string) =>
      serialize(source, { ...guarding, nullText, format: 'csv', withHeaders: true });
    assert.equal(text('a,"b').split('\r\n')[1], `"a,""b","a,""b",''-,'-`);
    assert.equal(text('-').split('\r\n')[1], `'-,"a,""b",''-,"'-"`);
  });

  const hostile = fc.string({
    unit: fc.constantFrom(
      ...Array.from(`=+-@＝＋－＠;,|!('"\t\r\n a1.e`),
      '\u00a0',
      '\ufeff',
      '\u202e',
      '\0',
    ),
    maxLength: 8,
  });

  test('no cell becomes a formula, whatever the texts and the separator', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 2, maxLength: 2 }), hostile, (cells, nullText) => {
        const source = {
          names: cells,
          rows: () => [
            [...cells].map((text) => ({ text, isBare: false })),
            [null, null].map(() => ({ text: null, isBare: false })),
          ],
        };
        for (const format of ['csv', 'tsv'] as const) {
          const text = serialize(source, { ...guarding, nullText, format, withHeaders: true });
          const fields = format === 'csv' ? parse(text).flat() : parseTsv(text).flat();
          for (const field of fields) {
            assert.doesNotMatch(field, /^[=@＝＠\t\r\n]|^[+\-＋－](?!(\d*\.?\d*(e[+-]?\d+)?|Infinity)$)/);
          }
          // Other separators also split quoted fields, so only executable fields matter.
          for (const field of text.split(/[;\t\r\n]/)) {
            assert.doesNotMatch(field, /^["\s]*[=@＝＠]|^["\s]*[+\-＋－][^;\t\r\n,]*[|!(]/);
          }
        }
      }),
    );
  });

  test('an RFC 4180 parser reads all cells unchanged from CSV', () => {
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

  test('times of several cells are pasted as times: without a zone, in UTC, to the millisecond', () => {
    const types = ['timestamptz', 'timestamp', 'text'];
    const copied = (texts: readonly string[], names = ['a', 'b', 'c']) =>
      serialize(
        { names, rows: () => [texts.map((text) => ({ text, isBare: false }))] },
        { format: 'tsv', withHeaders: false, nullText: 'NULL', timesForSheets: true, types, ...plain },
      );
    for (const [text, expected] of [
      ['2026-01-31 08:00:00+00', '2026-01-31 08:00:00'],
      ['2026-01-31T08:00:00Z', '2026-01-31 08:00:00'],
      ['2026-01-01 00:30:00+02', '2025-12-31 22:30:00'],
      ['2026-01-31 08:00:00.123456-05:30', '2026-01-31 13:30:00.123'],
      ['1969-12-31 23:59:59.9999+00', '1969-12-31 23:59:59.999'],
      ['infinity', 'infinity'],
      ['0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00+00 BC'],
    ] as const)
      assert.equal(copied([text, text, text]), [expected, expected, text].join('\t'), text);
    // One cell is pasted into text.
    assert.equal(copied(['2026-01-31 08:00:00+00'], ['a']), '2026-01-31 08:00:00+00');
  });
});
