/**
 * The process in which DuckDB runs, so that it cannot harm or outlive its parent: a limit of time ends it at once, and
 * a crash is only its own.
 */
import { messageOf } from '#base/errors.ts';
import type { FromDuckDb, ToDuckDb } from './duckdb-messages.ts';
import { columnTypeOf, valueOf } from './duckdb-values.ts';
import { runLocked, TaskError } from './locked-duckdb.ts';

async function main(): Promise<void> {
  const inbox: ToDuckDb[] = [];
  let wake: () => void = () => undefined;
  process.on('message', (message: ToDuckDb) => {
    inbox.push(message);
    wake();
  });
  // The parent that wanted the rows is gone.
  process.on('disconnect', () => process.exit(0));
  const received = async (): Promise<ToDuckDb> => {
    for (;;) {
      const message = inbox.shift();
      if (message !== undefined) return message;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const send = async (message: FromDuckDb) =>
    await new Promise<void>((resolve) => process.send?.(message, () => resolve()));
  const first = await received();
  if (first.kind !== 'start') return;
  try {
    const stream = await runLocked(first.task);
    const types = stream.columnTypes().map(columnTypeOf);
    const names = stream.deduplicatedColumnNames();
    await send({
      kind: 'columns',
      columns: types.map((type, index) => ({ name: names[index] ?? '', type })),
    });
    for (;;) {
      await received();
      const chunk = await stream.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      const rows = chunk.getRows().map((row) => row.map((value, index) => valueOf(value, types[index])));
      await send({ kind: 'rows', rows });
    }
    await send({ kind: 'end' });
  } catch (error) {
    const reason = error instanceof TaskError ? error.reason : 'query';
    await send({ kind: 'failed', reason, message: messageOf(error) });
  }
  process.exit(0);
}

if (process.send !== undefined) void main();
