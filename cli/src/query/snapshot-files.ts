/** Writes the kept results that a query over files names into files that DuckDB reads, for the time of the query. */
import path from 'node:path';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { recordedText } from '#base/words/moment-text.ts';
import type { GivenFile } from '#core/duckdb/duckdb-messages.ts';
import { runSince, runsOfValues, sinceMoment } from '#core/kept-runs/since.ts';
import type { Snapshot } from '#core/kept-runs/snapshots.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { CliError, type CliContext } from '../context.ts';
import { write } from '../output.ts';
import { keptRunsOf } from '../run/keep-run.ts';
import { enteredParameters } from '../run/parameters.ts';

interface SnapshotChoice {
  readonly connection: string | undefined;
  /** Values of parameters, each as `name=value`. */
  readonly param: readonly string[];
}

/** @param folder a private one. @throws CliError if a snapshot is not there. */
export async function snapshotFiles(
  context: CliContext,
  snapshots: readonly Snapshot[],
  { folder, ...choice }: SnapshotChoice & { readonly folder: string },
): Promise<readonly GivenFile[]> {
  if (snapshots.length === 0) return [];
  const factory = createWorkerData(new URL('results-worker.cjs', import.meta.url));
  try {
    const files: GivenFile[] = [];
    for (const [index, snapshot] of snapshots.entries()) {
      const kept = await keptFileOf(context, snapshot, choice);
      const { data, columns } = await factory.read(
        { path: kept, format: 'kept', rowLimit: Number.MAX_SAFE_INTEGER, nullText: '', isGuarded: false },
        { signal: context.signal },
      );
      const file = path.join(folder, `snapshot-${index + 1}.parquet`);
      await data.ask(
        'export',
        {
          scope: 'all',
          columns: columns.map((_, column) => column),
          file: {
            ...{ format: 'parquet', path: file, nullText: '', guardFormulas: false },
            ...{ tableName: 'snapshot', byteOrderMark: false },
          },
        },
        { signal: context.signal },
      );
      data.dispose();
      files.push({ name: snapshot.table, path: file, format: 'parquet' });
    }
    return files;
  } finally {
    await factory.dispose();
  }
}

async function keptFileOf(
  context: CliContext,
  { name, since }: Snapshot,
  { connection, param }: SnapshotChoice,
): Promise<string> {
  const moment = sinceMoment(since, new Date());
  if (moment === undefined)
    throw new CliError(`"${since}" is not a moment. Write '2026-10-01', or 'today - 30 days'.`);
  const store = keptRunsOf(context);
  const all = (await store.named(name)).filter(
    ({ runs }) => connection === undefined || runs[0]?.connection === connection,
  );
  const [found, ...others] = all;
  if (found === undefined)
    throw new CliError(
      `No result of "${name}" was kept. Write "-- @keep 10 runs" above the query, and run it.`,
    );
  if (others.length > 0) {
    const each = all.map(({ runs: [run] }) => `"${run?.title ?? ''}" on "${run?.connection ?? ''}"`).sort();
    throw new CliError(
      `Several queries "${name}" keep results: ${each.join(', ')}. Write the whole name, or choose one with --connection.`,
    );
  }
  const entered = Object.fromEntries(enteredParameters(param).map((one) => [one.name, one.text]));
  const runs = runsOfValues(found.runs, entered);
  if (runs === 'none')
    throw new CliError(
      `No result of "${name}" was kept with these parameter values. Name all of its values.`,
    );
  if (runs === 'several')
    throw new CliError(
      `"${name}" keeps results with several parameter values, which are different questions. Name all values of one with --param name=value.`,
    );
  const run = runSince(runs, moment);
  const file = run === undefined ? undefined : await store.rowsOf(found.query, run);
  if (run === undefined || file === undefined)
    throw new CliError(`The kept result of "${name}" is damaged, so it is not read.`);
  const when = recordedText(run.at);
  const note =
    run.at > moment
      ? `Of "${name}", nothing was kept so early: its first kept result is of ${when}.`
      : `"${name}" is the result of ${when}.`;
  await write(context.stderr, `${forTerminal(note)}\n`);
  return file;
}
