/** Packing pages directly from bytes gives exactly the same cells as parsing them. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ContractError } from '#api/client/errors.ts';
import { parseJson } from '#api/client/json.ts';
import { decodeQueryPage, type QueryPage } from '#api/client/query-page.ts';
import { cellText } from '#core/rows/chunk.ts';
import { columnKindOf } from '#core/rows/column-kind.ts';
import { CsvBytes } from '#core/rows/files/csv-bytes.ts';
import { batchesOf } from '#core/rows/files/file-store.ts';
import { createTextWriter } from '#core/rows/files/serialize.ts';
import { cellTag, type Chunk, type PageRows } from '#core/rows/packed-rows.ts';
import { packed } from '#core/rows/page-rows.ts';
import { PageScanner, type PackedPage } from '#core/rows/scan/page-scanner.ts';
import { brokenPages, plainPages } from '#test/helpers/json-documents.ts';

const context = { status: 200, requestId: undefined, request: 'POST /v1/query/execute' };
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

/** Parses a page without a scanner; undefined if the bytes are not a page. */
function parsedPage(bytes: Uint8Array): QueryPage | undefined {
  try {
    return decodeQueryPage(parseJson(new TextDecoder().decode(bytes)), context);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ContractError) return undefined;
    throw error;
  }
}

function chunkOf(rows: PageRows, { columns }: Pick<QueryPage, 'columns'>): Chunk {
  return packed(
    rows,
    columns.map(({ type }) => ({ isJson: columnKindOf(type) === 'json' })),
  );
}

/** Returns the tag and text of each cell. */
function cellsOf({ rowCount, columns }: Chunk) {
  return columns.map((column) =>
    Array.from({ length: rowCount }, (_, row) => [column.tags[row], cellText(column, row)] as const),
  );
}

/** Returns the tag and text of each cell, with the tag of a double for exact numbers. */
function shownOf(chunk: Chunk) {
  return cellsOf(chunk).map((column) =>
    column.map(([tag, text]) => [tag === cellTag.exact ? cellTag.number : tag, text]),
  );
}

function assertSame(page: PackedPage, parsed: QueryPage): void {
  const { rows, ...head } = page;
  const { rows: values, ...expected } = parsed;
  assert.deepEqual(head, expected);
  assert.equal(rows.rowCount, values.length);
  const look = rows.done === undefined ? cellsOf : shownOf;
  assert.deepEqual(look(chunkOf(rows, page)), look(chunkOf(values, parsed)));
}

/** Scanners that are reused for many pages, to test that they reuse their memory safely. */
const scanners = (['texts', 'doubles'] as const).map((numbers) => new PageScanner(numbers));

suite('page scanner', () => {
  test('returns what parsing returns, whatever the page contains', () => {
    let scanned = 0;
    fc.assert(
      fc.property(plainPages, (text) => {
        for (const scanner of scanners) {
          const page = scanner.scan(bytesOf(text));
          if (page === undefined) continue;
          scanned += 1;
          const parsed = parsedPage(bytesOf(text));
          assert.ok(parsed !== undefined);
          assertSame(page, parsed);
        }
      }),
      { numRuns: 1_500 },
    );
    assert.ok(scanned > 1_000, `${scanned} pages of 3,000`);
  });

  test('leaves broken pages to the parser', () => {
    fc.assert(
      fc.property(brokenPages, (bytes) => {
        for (const scanner of scanners) {
          const page = scanner.scan(bytes);
          if (page === undefined) continue;
          const parsed = parsedPage(bytes);
          assert.ok(parsed !== undefined, 'it was no page');
          assertSame(page, parsed);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  const left = [
    ['rows that are objects', '{"rows":[{"a":1}]}'],
    ['a row among lists that is none', '{"rows":[[1],2]}'],
    ['rows twice', '{"rows":[[1]],"rows":[[2]]}'],
    ['rows of two names', '{"rows":null,"items":[[1]]}'],
    ['no rows beside rows', '{"data":[],"results":[[1]]}'],
    ['no rows', '{"columns":[]}'],
    ['a list at the top', '[[1]]'],
    ['an escaped name', '{"row\\u0073":[[1]]}'],
    ['a byte order mark', '\ufeff{"rows":[[1]]}'],
    ['nothing', ''],
    ['a page of a site', '<html></html>'],
    ['more behind the end', '{"rows":[[1]]} x'],
    ['a comma too many', '{"rows":[[1],]}'],
    ['a number with a zero in front', '{"rows":[[01]]}'],
    ['a control character', '{"rows":[["\u0001"]]}'],
    ['half an escape', '{"rows":[["\\u12"]]}'],
    ['a text without an end', '{"rows":[["a'],
    ['brackets that do not match', '{"rows":[[[}]]}'],
  ] as const;
  for (const [what, text] of left) {
    test(`leaves ${what} to the parser`, () =>
      assert.equal(new PageScanner('texts').scan(bytesOf(text)), undefined));
  }

  for (const name of ['rows', 'items', 'data', 'results'])
    test(`reads rows that are called ${name}, as the parser does`, () => {
      const bytes = bytesOf(`{"columns":["x"],"${name}":[[1],[2]],"rowCount":2}`);
      const page = new PageScanner('texts').scan(bytes);
      assert.ok(page !== undefined);
      const parsed = parsedPage(bytes);
      assert.ok(parsed !== undefined);
      assertSame(page, parsed);
      assert.deepEqual(parsed.rows, [[1], [2]]);
    });

  test('an empty list of rows beside one that is not empty is no result', () => {
    assert.equal(parsedPage(bytesOf('{"rows":[],"results":[[1]]}')), undefined);
    assert.deepEqual(parsedPage(bytesOf('{"rows":[],"items":[]}'))?.rows, []);
    assert.deepEqual(parsedPage(bytesOf('{"data":{"id":1},"results":[[1]]}'))?.rows, [[1]]);
  });

  test('leaves invalid UTF-8 to the parser', () => {
    const bytes = new Uint8Array(Buffer.from('{"rows":[["\xff"]]}', 'latin1'));
    assert.equal(new PageScanner('texts').scan(bytes), undefined);
  });

  for (const body of [
    '{"data":{"columns":["a"],"rows":[[1]]},"status":"ok"}',
    '{"result":{"columns":["a"],"results":[[1]]}}',
    '{"response":{"columns":["a"],"items":[{"a":1}],"more":false}}',
  ])
    test(`the rows of ${body} are in a member`, () => {
      assert.equal(new PageScanner('texts').scan(bytesOf(body)), undefined);
      const page = parsedPage(bytesOf(body));
      assert.deepEqual([page?.columns.map(({ name }) => name), page?.rows], [['a'], [[1]]]);
    });

  test('a token in the member counts where the answer has none, and a count that differs is kept', () => {
    const page = parsedPage(
      bytesOf('{"nextPageToken":null,"rowCount":9,"data":{"nextPageToken":"abc","rowCount":1,"rows":[[1]]}}'),
    );
    assert.equal(page?.nextPageToken, 'abc');
    assert.deepEqual(page.others?.get('outcome'), { rowCount: 9 });
  });

  for (const body of [
    '{"error":{"rows":[[1]]}}',
    '{"data":{"rows":[[1]],"error":"x"}}',
    '{"one":{"rows":[[1]]},"two":{"rows":[[2]]}}',
    '{"status":"ok","result":{"status":"FAILED","rows":[]}}',
    '{"status":"FAILED","result":{"status":"ok","rows":[]}}',
    '{"code":7,"result":{"code":0,"rows":[]}}',
    '{"errors":null,"data":{"errors":[{"message":"x"}],"rows":[[1]],"columns":["n"]}}',
    '{"jobId":"42","diagnostics":{"items":[]}}',
    '{"columns":["a","b"],"statistics":{"data":[]}}',
    '{"columns":["a"],"hints":{"items":[]}}',
    '{"preview":{"columns":["a"],"rows":[[1]]}}',
  ])
    test(`the rows of ${body} are none`, () => {
      assert.equal(parsedPage(bytesOf(body)), undefined);
    });

  for (const [columns, data] of [
    ['["a"]', '[[1,2,3]]'],
    ['["a"]', '[[]]'],
    ['["a","b"]', '[[1,2,3],["x","y","z"]]'],
    ['["a","b","c"]', '[[1,2],[3,4],[5,6]]'],
  ] as const)
    test(`${data} of the columns ${columns} are the values of each column, and no rows`, () => {
      const bytes = bytesOf(`{"columns":${columns},"data":${data}}`);
      assert.equal(new PageScanner('texts').scan(bytes), undefined);
      assert.equal(parsedPage(bytes), undefined);
    });

  test('accepts rows of any length, and names unnamed columns', () => {
    const page = new PageScanner('texts').scan(bytesOf('{"rows":[[],[1,null],["a"]],"columns":["x"]}'));
    assert.deepEqual(page?.columns, [
      { name: 'x', type: 'unknown' },
      { name: 'column 2', isUnnamed: true, type: 'unknown' },
    ]);
    assert.deepEqual(shownOf(page.rows), [
      [
        [cellTag.null, undefined],
        [cellTag.number, '1'],
        [cellTag.text, 'a'],
      ],
      [
        [cellTag.null, undefined],
        [cellTag.null, undefined],
        [cellTag.null, undefined],
      ],
    ]);
  });

  test('grows its buffers for a page with many rows and long texts', () => {
    const text = `{"rows":[${Array.from({ length: 5_000 }, (_, row) => `[${row},"${'x'.repeat(row % 700)}"]`).join(',')}]}`;
    for (const scanner of scanners) {
      const page = scanner.scan(bytesOf(text));
      const parsed = parsedPage(bytesOf(text));
      assert.ok(page !== undefined && parsed !== undefined);
      assertSame(page, parsed);
    }
  });
});

suite('memory of pages', () => {
  const pageOf = (text: string) => bytesOf(`{"rows":[["${text}"]]}`);

  test('is reused only after its rows are written', () => {
    const scanner = new PageScanner('texts');
    const first = scanner.scan(pageOf('first'))?.rows;
    const second = scanner.scan(pageOf('second'))?.rows;
    assert.ok(first !== undefined && second !== undefined);
    const textOf = ({ columns }: Chunk) => columns[0] && cellText(columns[0], 0);
    assert.deepEqual([textOf(first), textOf(second)], ['first', 'second']);
    first.done?.();
    first.done?.(); // calling it twice is harmless
    const third = scanner.scan(pageOf('third'))?.rows;
    const fourth = scanner.scan(pageOf('fourth'))?.rows;
    assert.ok(third !== undefined && fourth !== undefined);
    assert.equal(third.columns[0]?.tags.buffer, first.columns[0]?.tags.buffer);
    assert.deepEqual([second, third, fourth].map(textOf), ['second', 'third', 'fourth']);
  });

  test('is not reused if the rows are kept', () => {
    const scanner = new PageScanner('doubles');
    const [first, second] = [pageOf('a'), pageOf('b')].map((bytes) => scanner.scan(bytes)?.rows);
    assert.equal(first?.done, undefined);
    assert.ok(first?.columns[0]?.tags.buffer instanceof ArrayBuffer);
    assert.notEqual(first.columns[0].tags.buffer, second?.columns[0]?.tags.buffer);
  });
});

suite('CSV of packed rows', () => {
  const nullTexts = ['', 'NULL', 'true', '0', '=x', 'a,b', 'ä'];

  test('equals that of the texts, byte for byte', () => {
    const scanner = new PageScanner('texts');
    fc.assert(
      fc.property(
        plainPages,
        fc.constantFrom(...nullTexts),
        fc.boolean(),
        (text, nullText, guardFormulas) => {
          const page = scanner.scan(bytesOf(text)) ?? parsedPage(bytesOf(text));
          // Random members can say that there was an error, so that there are no rows to write.
          fc.pre(page !== undefined);
          const chunk = chunkOf(page.rows, page);
          const options = { nullText, guardFormulas };
          const writer = createTextWriter(
            page.columns.map(({ name }) => name),
            { ...options, format: 'csv', withHeaders: true, tableName: '' },
          );
          const expected = [...batchesOf(page.columns, chunk)].map((batch) => writer.rows(batch)).join('');
          assert.equal(Buffer.from(new CsvBytes(options).rows(chunk)).toString('utf8'), expected);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
