/** Copied cells, read back by a parser that knows nothing of the writer. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { serialize } from '../../../client/src/features/results/data/serialize.ts';

function tsv(rows: (string | null)[][], options: { withHeaders?: boolean; nullText?: string } = {}): string {
  const names = rows[0]?.map((_, index) => `c${index}`) ?? [];
  return serialize(
    { names, rows: () => rows },
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
});
