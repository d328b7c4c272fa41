/** Reads one side of a comparison: the rows of a file, or the result of running a query. */
import path from 'node:path';
import { unreadableWords } from '#base/files/disk-messages.ts';
import type { TextRowsFormat } from '#core/rows/files/rows-file-source.ts';
import type { ResultDataFactory } from '#core/rows/result-data-factory.ts';
import type { HeldRows } from '#core/rows/result-operations.ts';
import { CliError, type CliContext } from '../context.ts';
import { executeQuery, prepareQuery } from '../run/execute.ts';
import { givenOf, type QueryValues } from '../run/query-values.ts';
import { storeTarget } from '../run/store-target.ts';
import { withService, type ConnectionOptions } from '../service.ts';
import { readText } from '../text-file.ts';

export interface SideOptions extends ConnectionOptions, QueryValues {
  readonly nullAs: string;
  readonly encoding?: string;
}

const fileFormats: ReadonlyMap<string, TextRowsFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'tsv'],
  ['.json', 'json'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
]);

/** @throws CliError if the side is neither a readable file of rows nor a query. */
export async function readSide(
  context: CliContext,
  side: string,
  options: SideOptions,
  factory: ResultDataFactory,
): Promise<HeldRows> {
  if (isQueryFile(side)) return await runSide(context, side, options, factory);
  const format = fileFormats.get(path.extname(side).toLowerCase());
  if (format === undefined)
    throw new CliError(
      `"${side}" is neither a file of rows (${[...fileFormats.keys()].join(', ')}) nor a query (.sql).`,
    );
  try {
    return await factory.read(
      {
        path: path.resolve(context.cwd, side),
        format,
        rowLimit: Number.MAX_SAFE_INTEGER,
        nullText: options.nullAs,
        encoding: options.encoding,
        isGuarded: true,
      },
      { signal: context.signal },
    );
  } catch (error) {
    if (context.signal.aborted) throw error;
    const unreadable = unreadableWords(error);
    const own = error instanceof Error ? error.message : String(error);
    const reason = unreadable === undefined ? own : `${unreadable}.`;
    throw new CliError(`Cannot read "${side}": ${reason}`, [], { cause: error });
  }
}

export function isQueryFile(side: string): boolean {
  return path.extname(side).toLowerCase() === '.sql';
}

async function runSide(
  context: CliContext,
  file: string,
  options: SideOptions,
  factory: ResultDataFactory,
): Promise<HeldRows> {
  const text = await readText(file, context);
  return await withService(context, options, async (service) => {
    const query = { text, title: file };
    const prepared = await prepareQuery(query, givenOf(options), service, context.signal);
    const target = storeTarget(factory);
    await executeQuery(context, service, { prepared, target, isSilent: false, limit: undefined });
    return target.held();
  });
}
