/** Sends rows to the requested target: a table, a stream in a format, or an atomically written file. */
import { Option, type Command } from 'commander';
import { typedText } from '#base/advice.ts';
import { saveFile, targetPath } from '#base/files/target-file.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import { valuesSetting } from '#core/reading/rows-writer.ts';
import { fileFormats, type FileFormat } from '#core/rows/files/file-formats.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, isTerminal, write, writeJson } from '../output.ts';
import { requireFolder } from '../require-folder.ts';
import { formatOfEnding } from './format-of-ending.ts';
import { positiveInteger } from './numbers.ts';
import {
  fileTarget,
  streamTarget,
  tableTarget,
  type FinishingTarget,
  type FormatOptions,
} from './rows-target.ts';
import { rowsText } from './rows-text.ts';
import type { RunResult } from './write-rows.ts';

/** `table` is for reading in a terminal; the others are file formats. */
const formats = ['table', ...fileFormats] as const;
type Format = (typeof formats)[number];

export interface RowsOptions {
  readonly format?: Format;
  readonly out?: string;
  readonly limit?: number;
  readonly nullAs: string;
  readonly guardFormulas: boolean;
  readonly bom?: boolean;
  readonly json?: boolean;
}

export function withRowsOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'the format of the rows').choices(formats))
    .option('--out <file>', 'write the rows to this file, completely or not at all')
    .option('--limit <rows>', 'stop after this many rows', positiveInteger)
    .option('--null-as <text>', 'the text for NULL in csv, tsv and markdown', '')
    .option(
      '--no-guard-formulas',
      'do not guard text in csv and tsv that a spreadsheet would run as a formula',
    )
    .option('--bom', 'start csv with a byte order mark, by which Excel recognizes UTF-8')
    .option('--json', 'print the outcome as JSON; without --out, print the rows as JSON');
}

/** Help text about formats, shared by all commands with these options. */
export const formatHelp =
  'The extension of --out (.csv, .tsv, .json, .jsonl, .md, .parquet, .xlsx, .sql) sets the format; the default is a table.';

/** Checks the format before any request is sent. @throws CliError */
export function requireFormat(context: CliContext, options: RowsOptions): Format {
  const format = formatOf(options);
  if (format !== 'table' && isBinary(format) && options.out === undefined && isTerminal(context.stdout))
    throw new CliError(`${format} cannot be printed in a terminal. Add --out FILE.`);
  if (format === 'table' && options.out !== undefined)
    throw new CliError('A table is for the terminal. Choose another --format for a file.');
  return format;
}

export interface SentRows {
  /** Subject of the message that there are more rows, for example `The query`. */
  readonly subject: string;
  /**
   * @param isSilent whether to omit progress.
   * @param draft the file that becomes the target, if there is one.
   */
  readonly send: (target: FinishingTarget, isSilent: boolean, draft?: string) => Promise<RunResult>;
}

export async function sendRows(context: CliContext, options: RowsOptions, rows: SentRows): Promise<number> {
  const format = requireFormat(context, options);
  const outcome =
    options.out === undefined || format === 'table'
      ? await toStream(context, { format, options, rows })
      : await toFile(context, { format, file: targetPath(context.cwd, options.out), options, rows });
  await say(context, rows.subject, outcome);
  return exitCodes.clean;
}

async function toStream(
  context: CliContext,
  {
    format,
    options,
    rows,
  }: { readonly format: Format; readonly options: RowsOptions; readonly rows: SentRows },
): Promise<RunResult> {
  const target =
    format === 'table'
      ? tableTarget(context.stdout)
      : streamTarget(context.stdout, formatOptions(format, options));
  // On a terminal, the table itself shows progress; a progress line would disrupt it.
  const outcome = await rows.send(target, isTerminal(context.stdout));
  if (format === 'table') await write(context.stderr, `(${rowsText(outcome.rowCount)})\n`);
  return outcome;
}

async function toFile(
  context: CliContext,
  {
    format,
    file,
    options,
    rows,
  }: {
    readonly format: FileFormat;
    readonly file: string;
    readonly options: RowsOptions;
    readonly rows: SentRows;
  },
): Promise<RunResult> {
  await requireFolder(file);
  const factory = createWorkerData(new URL('results-worker.cjs', import.meta.url));
  try {
    const outcome = await saveFile(
      file,
      (draft) => rows.send(fileTarget(draft, formatOptions(format, options), factory), false, draft),
      { signal: context.signal },
    );
    if (options.json === true) await writeJson(context.stdout, { file, format, ...outcome });
    else await write(context.stderr, `${rowsText(outcome.rowCount)} in ${forTerminal(file)}.\n`);
    return outcome;
  } finally {
    await factory.dispose();
  }
}

/** Writes notes about the rows. */
async function say(
  { stderr }: CliContext,
  subject: string,
  { isComplete, isPerhapsPartial, areValuesUnknown, rowCount, cutCells, oddColumns = [] }: RunResult,
): Promise<void> {
  const reason =
    areValuesUnknown === true
      ? `the service does not show whether it uses the values of parameters. If it uses them, add ${valuesSetting} to the connection.`
      : `the service does not tell how a result ends. See: ${typedText(advice.examine())}`;
  if (isPerhapsPartial === true)
    await write(stderr, `${rowsText(rowCount)}. ${subject} may have more: ${reason}\n`);
  else if (!isComplete) await write(stderr, `First ${rowsText(rowCount)}. ${subject} has more.\n`);
  if (cutCells > 0)
    await write(
      stderr,
      `${cutCells === 1 ? '1 cell was' : `${cutCells} cells were`} truncated: Excel allows 32,767 characters per cell.\n`,
    );
  for (const { name, texts } of oddColumns)
    await write(
      stderr,
      `${forTerminal(`Values of "${name}" that its type in Parquet cannot hold are texts in the column "${texts}".`)}\n`,
    );
}

function formatOptions(
  format: FileFormat,
  { nullAs, guardFormulas, bom = false }: RowsOptions,
): FormatOptions {
  return { format, nullText: nullAs, guardFormulas, tableName: 'result', byteOrderMark: bom };
}

function formatOf({ format, out, json }: RowsOptions): Format {
  if (format !== undefined) return format;
  if (out === undefined) return json === true ? 'json' : 'table';
  return formatOfEnding(out);
}

function isBinary(format: FileFormat): boolean {
  return format === 'parquet' || format === 'xlsx';
}
