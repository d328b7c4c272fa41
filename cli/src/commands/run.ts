/** `run`: one query, from a file or saved on the service, to a table, a stream or a file that is whole or not there. */
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { saveFile } from '../../../core/src/rows/files/save-file.ts';
import { fileFormats, type FileFormat } from '../../../core/src/rows/files/rows-file.ts';
import { createWorkerData } from '../../../core/src/rows/worker/worker-data.ts';
import { forTerminal } from '../../../core/src/shown-text/for-terminal.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, isTerminal, write, writeJson } from '../output.ts';
import { allowances, type Allowance } from '../run/allow.ts';
import { executeQuery, prepareQuery, type RunResult } from '../run/execute.ts';
import { formatOfEnding } from '../run/format-of-ending.ts';
import { parameterOption } from '../run/parameters.ts';
import { readQuery } from '../run/read-query.ts';
import {
  fileTarget,
  streamTarget,
  tableTarget,
  type FinishingTarget,
  type FormatOptions,
} from '../run/rows-target.ts';
import { withConnectionOptions, withService, type ConnectionOptions } from '../service.ts';

/** `table` is for people; the others are those of files. */
const formats = ['table', ...fileFormats] as const;
type Format = (typeof formats)[number];

export interface RunOptions extends ConnectionOptions {
  readonly saved?: string;
  readonly model?: string;
  readonly param: readonly string[];
  readonly null: readonly string[];
  readonly format?: Format;
  readonly out?: string;
  readonly limit?: number;
  readonly timeout?: number;
  readonly nullAs: string;
  readonly guardFormulas: boolean;
  readonly allow: readonly Allowance[];
  readonly json?: boolean;
}

export function runCommand(context: CliContext): Command {
  const command = new Command('run')
    .summary('run a query and print its rows, or write them to a file')
    .description(
      'Runs one query, from FILE (- for standard input) or saved on the service, and prints its rows or writes them to a file.',
    )
    .argument('[file]', 'the file with the query')
    .option('--saved <name>', 'run the saved query of this name, or id')
    .option('--model <name>', 'the model, where the query does not name one')
    .addOption(parameterOption())
    .addOption(
      new Option('--null <name>', 'a parameter that is NULL; repeat it for more')
        .argParser(collect)
        .default([], 'none'),
    )
    .addOption(new Option('--format <format>', 'the format of the rows').choices(formats))
    .option('--out <file>', 'write the rows to this file, which is there whole or not at all')
    .option('--limit <rows>', 'stop after this many rows', positiveInteger)
    .option('--timeout <seconds>', 'how long the service may take for a page', positiveNumber)
    .option('--null-as <text>', 'what stands for NULL in csv, tsv and markdown', '')
    .option(
      '--no-guard-formulas',
      'leave texts in csv and tsv that a spreadsheet would calculate as they are',
    )
    .addOption(
      new Option('--allow <what...>', 'send a query although it is not proven to only read')
        .choices(allowances)
        .default([], 'nothing'),
    )
    .option('--json', 'print what became of the run as JSON; without --out, print the rows as JSON')
    .addHelpText(
      'after',
      `
The format is that of the ending of --out (.csv, .tsv, .json, .jsonl, .md, .parquet, .xlsx, .sql), else a table.

Examples:
  identity-queries run leavers.identity.sql --param since=2026-01-01
  identity-queries run --saved "Admins without MFA" --out admins.csv
  echo "SELECT count(*) FROM accounts" | identity-queries run -`,
    );
  return withConnectionOptions(command).action(async (file: string | undefined, options: RunOptions) => {
    context.end(await run(context, file, options));
  });
}

async function run(context: CliContext, file: string | undefined, options: RunOptions): Promise<number> {
  const format = formatOf(options);
  if (format !== 'table' && isBinary(format) && options.out === undefined && isTerminal(context.stdout))
    throw new CliError(`${format} is no text for a terminal. Add --out FILE.`);
  return await withService(context, options, async (service) => {
    const query = await readQuery(context, service, { file, saved: options.saved, model: options.model });
    const prepared = await prepareQuery(query, {
      entries: options.param,
      nulls: options.null,
      allowed: options.allow,
    });
    // A table on a terminal moves by itself; a line about it would only be in the way.
    const isSilent = options.out === undefined && isTerminal(context.stdout);
    const send = (target: FinishingTarget) =>
      executeQuery(context, service, {
        prepared,
        target,
        isSilent,
        limit: options.limit,
        timeout: options.timeout,
      });
    if (options.out === undefined) return await toStream(context, { format, options, send });
    return await toFile(context, { format, file: path.resolve(context.cwd, options.out), options, send });
  });
}

type Send = (target: FinishingTarget) => Promise<RunResult>;

async function toStream(
  context: CliContext,
  { format, options, send }: { readonly format: Format; readonly options: RunOptions; readonly send: Send },
): Promise<number> {
  const target =
    format === 'table'
      ? tableTarget(context.stdout)
      : streamTarget(context.stdout, formatOptions(format, options));
  const outcome = await send(target);
  if (format === 'table') {
    const rows = outcome.rowCount === 1 ? '1 row' : `${outcome.rowCount.toLocaleString('en-US')} rows`;
    await write(context.stderr, `(${rows})\n`);
  }
  await say(context, outcome);
  return exitCodes.clean;
}

async function toFile(
  context: CliContext,
  {
    format,
    file,
    options,
    send,
  }: { readonly format: Format; readonly file: string; readonly options: RunOptions; readonly send: Send },
): Promise<number> {
  if (format === 'table')
    throw new CliError('A table is for the terminal. Choose another --format for a file.');
  const factory = createWorkerData(new URL('results-worker.cjs', import.meta.url));
  try {
    const outcome = await saveFile(file, (draft) =>
      send(fileTarget(draft, formatOptions(format, options), factory)),
    );
    const { rowCount, isComplete, ms, cutCells } = outcome;
    if (options.json === true)
      await writeJson(context.stdout, { file, format, rowCount, isComplete, ms, cutCells });
    else
      await write(context.stderr, `${rowCount.toLocaleString('en-US')} rows are in ${forTerminal(file)}.\n`);
    await say(context, outcome);
    return exitCodes.clean;
  } finally {
    await factory.dispose();
  }
}

/** What the rows do not say of themselves. */
async function say({ stderr }: CliContext, { isComplete, rowCount, cutCells }: RunResult): Promise<void> {
  if (!isComplete)
    await write(stderr, `First ${rowCount.toLocaleString('en-US')} rows. The query has more.\n`);
  if (cutCells > 0)
    await write(stderr, `${cutCells} cells were cut: Excel holds 32,767 characters in one.\n`);
}

function formatOptions(format: FileFormat, { nullAs, guardFormulas }: RunOptions): FormatOptions {
  return { format, nullText: nullAs, guardFormulas, tableName: 'result' };
}

function formatOf({ format, out, json }: RunOptions): Format {
  if (format !== undefined) return format;
  if (out === undefined) return json === true ? 'json' : 'table';
  return formatOfEnding(out);
}

function isBinary(format: FileFormat): boolean {
  return format === 'parquet' || format === 'xlsx';
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('Enter a whole number from 1.');
  return value;
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('Enter a number above 0.');
  return value;
}
