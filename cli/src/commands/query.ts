/** `query`: SQL over files of rows, with the person's own DuckDB. Reaches no service. */
import { rm } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { makeScratchFolder } from '#base/files/scratch-folder.ts';
import { findDuckDb } from '#core/duckdb/find-duckdb.ts';
import { givenFiles, GivenFileError } from '#core/duckdb/given-files.ts';
import { DuckDbError, queryFiles, type FileQuery } from '#core/duckdb/query-files.ts';
import { withSnapshots } from '#core/kept-runs/snapshots.ts';
import { IterationFeed } from '#core/reading/feeds.ts';
import { PageReader } from '#core/reading/page-reader.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import { CliError, type CliContext } from '../context.ts';
import { snapshotFiles } from '../query/snapshot-files.ts';
import { requireOwnTargets } from '../report-files.ts';
import { parameterOption } from '../run/parameters.ts';
import { formatHelp, requireFormat, sendRows, withRowsOptions, type RowsOptions } from '../run/send-rows.ts';
import { writeRows } from '../run/write-rows.ts';
import { readText } from '../text-file.ts';
import { withTimeLimit, type TimeLimitOptions } from '../time-limit.ts';

interface QueryOptions extends RowsOptions, TimeLimitOptions {
  readonly from: readonly string[];
  readonly duckdb?: string;
  readonly connection?: string;
  readonly param: readonly string[];
}

export function queryCommand(context: CliContext): Command {
  const command = new Command('query')
    .summary('query files of rows with your own DuckDB')
    .description(
      "Runs one SELECT of DuckDB over files (.parquet, .csv, .tsv, .json, .jsonl), each of which is a table with its name. snapshot('Admins', '2026-06-01') is what a query with -- @keep returned then. Nothing else can be read or written, and no network or extension is used.",
    )
    .argument('<sql>', 'the query, or - for standard input')
    .addOption(new Option('--from <file...>', 'files, folders of files, or NAME=FILE').default([], 'none'))
    .option('--connection <name>', 'the connection of the kept results that snapshot() names')
    .addOption(parameterOption('the value of a parameter of the kept results; repeat it for more'))
    .option(
      '--duckdb <folder>',
      'the folder of the npm package @duckdb/node-api (default: IDENTITY_QUERIES_DUCKDB, or the global one)',
    )
    .addHelpText(
      'after',
      `
${formatHelp}

DuckDB is not part of this program. Install it once: npm install --global @duckdb/node-api

Examples:
  identity-queries query "SELECT count(*) FROM admins" --from admins.parquet
  identity-queries query "SELECT count(*) FROM snapshot('Admins', '2026-06-01')"
  identity-queries query "SELECT * FROM now EXCEPT SELECT * FROM june" --from now=today.csv june.csv --out new.csv`,
    );
  withTimeLimit(withRowsOptions(command), context);
  return command.action(async (sql: string, options: QueryOptions) => {
    context.end(await query(context, sql, options));
  });
}

async function query(context: CliContext, text: string, options: QueryOptions): Promise<number> {
  const { cwd, environment } = context;
  requireFormat(context, options);
  const variable = environment['IDENTITY_QUERIES_DUCKDB']?.trim() ?? '';
  const named = options.duckdb ?? (variable === '' ? undefined : variable);
  const given = await givenFiles(options.from, cwd).catch((error: unknown) => {
    throw error instanceof GivenFileError ? new CliError(error.message) : error;
  });
  await requireOwnTargets(
    [options.out],
    given.map((file) => file.path),
    cwd,
  );
  const { sql, snapshots } = withSnapshots(text === '-' ? await readText(text, context) : text);
  const library = await findDuckDb({ named, environment, folders: [cwd] });
  if (library === undefined)
    throw new CliError(
      named === undefined
        ? 'DuckDB is not installed. It is the npm package @duckdb/node-api, and not part of this program.'
        : `"${named}" does not have the npm package @duckdb/node-api.`,
      ['  npm install --global @duckdb/node-api', 'Or name its folder with --duckdb.'],
    );
  const folder = await makeScratchFolder();
  try {
    const kept = await snapshotFiles(context, snapshots, {
      folder,
      connection: options.connection,
      param: options.param,
    });
    return await send(context, options, { sql, files: [...given, ...kept], library });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function send(
  context: CliContext,
  options: QueryOptions,
  { sql, files, library }: Pick<FileQuery, 'sql' | 'files' | 'library'>,
): Promise<number> {
  const { signal } = context;
  const script = new URL('duckdb-process.cjs', import.meta.url);
  return await sendRows(context, options, {
    subject: 'The query',
    send: (target, isSilent) =>
      writeRows(context, {
        ...{ target, isSilent },
        open: (writer) =>
          new PageReader({
            feed: new IterationFeed(queryFiles({ sql, files, library, script, signal })),
            ...{ writer, signal, rowLimit: options.limit ?? Number.MAX_SAFE_INTEGER },
            deadline: limitedByCaller(),
          }),
        inWords: (error) => (error instanceof DuckDbError ? new CliError(error.message) : error),
      }),
  });
}
