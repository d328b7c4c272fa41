/**
 * A service that never holds a whole result: the first rows are shown before the last ones exist, and every cell
 * arrives unchanged, no matter how a page is split into chunks.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createClient } from '#api/client/client.ts';
import type { RowsProgress, RowsWriter } from '#core/reading/rows-writer.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { cellText } from '#core/rows/chunk.ts';
import type { PageRows } from '#core/rows/packed-rows.ts';
import { isPacked } from '#core/rows/page-rows.ts';
import { PageScanner } from '#core/rows/scan/page-scanner.ts';
import { QueryRun } from '#core/runs/query-run.ts';
import { Digits } from '../service/json.ts';
import { startService } from '../service/service.ts';
import { streamedRow, type StreamedRows } from '../service/streamed-result.ts';

const pageSize = 1_000;

/** Counts the rows and keeps the text of some of them. */
class SeenRows implements RowsWriter {
  rowCount = 0;
  columnCount = 0;
  progress: RowsProgress | undefined;
  readonly texts: (readonly (string | null)[])[] = [];

  set(): void {
    // The header is not needed.
  }
  open(columns: readonly unknown[]): void {
    this.columnCount = columns.length;
  }
  grow(columns: readonly unknown[]): void {
    this.columnCount += columns.length;
  }
  append(rows: PageRows) {
    assert.ok(isPacked(rows), 'the page was packed from its bytes');
    for (let row = 0; row < rows.rowCount; row += 1)
      this.texts.push(rows.columns.map((column) => cellText(column, row) ?? null));
    this.rowCount += rows.rowCount;
    return Promise.resolve({ rowCount: this.rowCount });
  }
  setRows(progress: RowsProgress): void {
    this.progress = progress;
  }
}

async function withRun(
  streamedRows: StreamedRows,
  use: (run: QueryRun, at: { readonly seen: SeenRows; readonly made: () => number }) => Promise<void>,
): Promise<void> {
  const service = await startService({ streamedRows });
  const client = createClient(service);
  const scanner = new PageScanner('texts');
  const seen = new SeenRows();
  const run = new QueryRun({
    deadline: limitedByCaller(),
    signal: new AbortController().signal,
    execute: (request, options) => client.queries.executeBytes(request, scanner, options),
    request: { query_string: 'SELECT all_of_it FROM somewhere' },
    writer: seen,
    pageSize,
    rowLimit: streamedRows.count,
    explain: (error) => {
      throw error;
    },
  });
  try {
    await use(run, { seen, made: () => service.rowsMade() });
  } finally {
    await client.close();
    await service.stop();
  }
}

/** Returns a cell's exact text. */
function textOf(value: unknown): string | null {
  if (value === null) return null;
  if (value instanceof Digits) return value.text;
  assert.ok(typeof value === 'string');
  return value;
}

suite('a streamed result', () => {
  test('of 500,000 x 20 returns its first page before any other row is produced', async () => {
    await withRun({ count: 500_000, pieceBytes: 16_384 }, async (run, { seen, made }) => {
      const outcome = await run.start();
      assert.deepEqual(
        { ...outcome, ms: 0 },
        { kind: 'rows', rowCount: pageSize, totalRows: undefined, extent: 'more', ms: 0 },
      );
      assert.equal(made(), pageSize);
      assert.equal(seen.columnCount, 20);
      assert.deepEqual(seen.texts.at(-1), streamedRow(pageSize - 1).map(textOf));
    });
  });

  test('arrives exactly, wherever its chunks end', async () => {
    const count = 2_500;
    for (const pieceBytes of [61, 997]) {
      await withRun({ count, pieceBytes }, async (run, { seen }) => {
        await run.start();
        await run.load(true);
        assert.equal(seen.progress?.extent, 'complete');
        assert.deepEqual(
          seen.texts,
          Array.from({ length: count }, (_, row) => streamedRow(row).map(textOf)),
        );
      });
    }
  });
});
