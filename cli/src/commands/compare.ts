/** `compare`: prints the differences between two sides, each a file of rows or a query to run. */
import { Command, Option } from 'commander';
import { saveFile, targetPath } from '#base/files/target-file.ts';
import { forTerminal } from '#base/shown-text/for-terminal.ts';
import {
  changesOnly,
  compareSides,
  comparisonNotes,
  pairsOf,
  type ComparedSides,
} from '#core/rows/compare/compare-sides.ts';
import { changeKinds, type DiffCounts } from '#core/rows/compare/diff.ts';
import { fileFormats, type FileFormat } from '#core/rows/files/file-formats.ts';
import type { ResultDataFactory } from '#core/rows/result-data-factory.ts';
import type { ComparedResults, HeldRows } from '#core/rows/result-operations.ts';
import { recordsMax } from '#core/rows/rows.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import { isQueryFile, readSide, type SideOptions } from '../compare/read-side.ts';
import { readSinceSides } from '../compare/read-since.ts';
import { CliError, type CliContext } from '../context.ts';
import { exitCodes, isTerminal, write, writeJson } from '../output.ts';
import { requireOwnTargets } from '../report-files.ts';
import { formatOfEnding } from '../run/format-of-ending.ts';
import { withQueryValues } from '../run/query-values.ts';
import { withConnectionOptions } from '../service.ts';
import { TextTable } from '../terminal/text-table.ts';
import { withTimeLimit, type TimeLimitOptions } from '../time-limit.ts';

interface CompareOptions extends SideOptions, TimeLimitOptions {
  readonly since?: string;
  readonly saved?: string;
  readonly key?: readonly string[];
  readonly ignore?: readonly string[];
  readonly out?: string;
  readonly format?: FileFormat;
  readonly json?: boolean;
}

/** Number of rows read and printed at a time. */
const windowRows = 1_000;

export function compareCommand(context: CliContext): Command {
  const command = new Command('compare')
    .summary('compare two files of rows, or two queries')
    .description(
      'Compares two sides row by row: what was added, removed and changed. A side is a file that was exported (.csv, .tsv, .json, .jsonl) or a query file (.sql), which is run now. With --since, the earlier side is a result that the query kept (-- @keep 10 runs).',
    )
    .argument('[before]', 'the earlier side; with --since, the query')
    .argument('[after]', 'the later side')
    .option('--since <moment>', 'compare with what the query returned then: 2026-10-01, "today - 30 days"')
    .option('--saved <name>', 'with --since: the saved query with this name or ID')
    .option('--key <columns...>', 'the columns that match rows (default: chosen by their values)')
    .option('--ignore <columns...>', 'columns to leave out of the comparison')
    .option('--null-as <text>', 'the text for NULL in csv and tsv', '')
    .option('--encoding <name>', 'the encoding of the files, such as latin1 (default: utf-8)')
    .option('--out <file>', 'write the differences to this file')
    .addOption(new Option('--format <format>', 'the format of --out').choices(fileFormats))
    .option('--json', 'print the counts as JSON')
    .addHelpText(
      'after',
      `
Examples:
  identity-queries compare before.csv after.csv --key account_id
  identity-queries compare --since 2026-10-01 admins.identity.sql

Exit code: 0 no differences, 1 differences (in rows or columns), 2 the sides could not be read.`,
    );
  withTimeLimit(withQueryValues(command), context);
  return withConnectionOptions(command).action(
    async (before: string | undefined, after: string | undefined, options: CompareOptions) => {
      context.end(await compare(context, { before, after }, options));
    },
  );
}

async function compare(
  context: CliContext,
  names: Readonly<Record<'before' | 'after', string | undefined>>,
  options: CompareOptions,
): Promise<number> {
  const files = [names.before, names.after].filter((name) => name !== undefined);
  await requireOwnTargets([options.out], files, context.cwd);
  const factory = createWorkerData(new URL('results-worker.cjs', import.meta.url));
  try {
    const sides = await readSides(context, names, options, factory);
    const pairs = pairsOf(sides);
    requireColumns(sides, options.key ?? []);
    requireIgnored(sides, options.ignore ?? []);
    if (pairs.pairs.length === 0)
      throw new CliError('The two sides have no column of the same name, so nothing can be compared.');
    const { compared, keys } = await compareSides(
      factory,
      sides,
      { keys: options.key, ignored: options.ignore },
      { signal: context.signal },
    );
    const { counts } = compared.summary;
    await compared.data.ask('sortAndFilter', { sort: [], filters: [changesOnly] });
    await printDifferences(context, compared, options);
    const notes = comparisonNotes(compared.summary, pairs, keys);
    for (const note of notes) await write(context.stderr, `${forTerminal(note)}\n`);
    if (options.json === true) await writeJson(context.stdout, { counts, keys, notes });
    else await write(context.stderr, `${countWords(counts, keys)}\n`);
    // A column that is missing or has another name is a difference too.
    const isMissing = [...pairs.onlyBefore, ...pairs.onlyAfter].some(
      (name) => options.ignore?.includes(name) !== true,
    );
    return isMissing || counts.added + counts.removed + counts.changed > 0
      ? exitCodes.errorsFound
      : exitCodes.clean;
  } finally {
    await factory.dispose();
  }
}

/** @throws CliError if a side is missing or cannot be read. */
async function readSides(
  context: CliContext,
  { before, after }: Readonly<Record<'before' | 'after', string | undefined>>,
  options: CompareOptions,
  factory: ResultDataFactory,
): Promise<ComparedSides> {
  const { since, saved } = options;
  if (since === undefined) {
    if (saved !== undefined) throw new CliError('--saved is for --since.');
    if (before === undefined || after === undefined)
      throw new CliError('Name two sides, or one query with --since.');
    if (![before, after].some(isQueryFile) && options.param.length + options.null.length > 0)
      throw new CliError('Only queries (.sql) have parameters, and no side is one.');
    return {
      before: await readSide(context, before, options, factory),
      after: await readSide(context, after, options, factory),
    };
  }
  if (after !== undefined)
    throw new CliError('With --since, name one query: its kept result is the other side.');
  return await readSinceSides(context, { since, saved, file: before }, options, factory);
}

/** @throws CliError if neither side has the column. */
function requireColumns({ before, after }: ComparedSides, named: readonly string[]): void {
  const has = ({ columns }: HeldRows, name: string) => columns.some((column) => column.name === name);
  const missing = named.filter((name) => !has(before, name) || !has(after, name));
  if (missing.length > 0)
    throw new CliError(`Not a column of both sides: ${missing.map((name) => `"${name}"`).join(', ')}.`);
}

/** A column of one side only can be ignored. @throws CliError */
function requireIgnored({ before, after }: ComparedSides, named: readonly string[]): void {
  const names = new Set([...before.columns, ...after.columns].map(({ name }) => name));
  const missing = named.filter((name) => !names.has(name));
  if (missing.length > 0)
    throw new CliError(`Not a column of either side: ${missing.map((name) => `"${name}"`).join(', ')}.`);
}

async function printDifferences(
  context: CliContext,
  { data, columns, summary }: ComparedResults,
  options: CompareOptions,
): Promise<void> {
  const all = columns.map((_, column) => column);
  const { added, removed, changed } = summary.counts;
  const rowCount = added + removed + changed;
  if (options.out !== undefined) {
    const format = options.format ?? formatOfEnding(options.out);
    const file = targetPath(context.cwd, options.out);
    await saveFile(
      file,
      (draft) =>
        data.ask(
          'export',
          {
            scope: 'view',
            columns: all,
            file: {
              format,
              path: draft,
              nullText: options.nullAs,
              guardFormulas: true,
              tableName: 'differences',
              byteOrderMark: false,
            },
          },
          { signal: context.signal },
        ),
      { signal: context.signal },
    );
    return;
  }
  if (options.json === true || rowCount === 0) return;
  // A window has the start of long values, which a pipe gets in full.
  const isWhole = !isTerminal(context.stdout);
  const table = new TextTable(
    columns.map(({ name }) => ({ name })),
    isWhole ? 'whole' : 'start',
  );
  for (let first = 0; isWhole && first < rowCount; first += recordsMax) {
    const rows = Array.from({ length: Math.min(recordsMax, rowCount - first) }, (_, row) => first + row);
    const records = await data.ask('records', { rows });
    await write(context.stdout, table.rows(records.map(({ values }) => values.map(({ text }) => text))));
  }
  if (isWhole) return;
  for (let firstRow = 0; firstRow < rowCount; firstRow += windowRows) {
    const window = await data.ask('window', {
      firstRow,
      rowCount: Math.min(windowRows, rowCount - firstRow),
      columns: all,
    });
    const count = window.columns[0]?.cells.length ?? 0;
    const rows = Array.from({ length: count }, (_, row) =>
      window.columns.map(({ cells }) => cells[row] ?? null),
    );
    await write(context.stdout, table.rows(rows));
  }
}

function countWords(counts: DiffCounts, keys: readonly string[]): string {
  const said = changeKinds.map((kind) => `${counts[kind].toLocaleString('en-US')} ${kind}`).join(', ');
  return keys.length === 0 ? `${said}.` : `${said}, by ${keys.map((key) => forTerminal(key)).join(', ')}.`;
}
