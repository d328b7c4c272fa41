/**
 * `export`: downloads a data set that the service prepares as a file, or lists the exports requested from this machine.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { downloadContexts, downloadFormats, type DownloadContext } from '#api/contract/downloads.ts';
import { typedText } from '#base/advice.ts';
import { targetPath } from '#base/files/target-file.ts';
import { isContext } from '#core/exports/export-contexts.ts';
import { advice } from '../advice.ts';
import { CliError, type CliContext } from '../context.ts';
import type { SaveOptions } from '../exports/save-export.ts';
import { exitCodes } from '../output.ts';
import { requireOwnTargets } from '../report-files.ts';
import { requireFolder } from '../require-folder.ts';
import { withConnectionOptions, withService, type ConnectionOptions } from '../service.ts';

type Format = (typeof downloadFormats)[number];

interface ExportOptions extends ConnectionOptions {
  readonly format?: Format;
  readonly out?: string;
  readonly fresh?: boolean;
  readonly id?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

export function exportCommand(context: CliContext): Command {
  const dataSet = new Argument('[context]', 'the data set').choices(downloadContexts).argParser(contextOf);
  const command = new Command('export')
    .summary('have the service prepare a data set, and save its file')
    .description('Has the service prepare a data set as a file, waits for it, and saves it.')
    .addArgument(dataSet)
    .addOption(new Option('--format <format>', 'the format of the file').choices(downloadFormats))
    .option('--out <file>', 'the file, written completely or not at all (default: CONTEXT.csv)')
    .option('--fresh', 'request a new export, even if an earlier one could be resumed')
    .option('--id <id>', 'an export that was already requested, here or elsewhere; needs --out')
    .option('--list', 'list the exports requested from this machine, with their state')
    .option('--json', 'print the outcome as JSON')
    .addHelpText(
      'after',
      `
The extension of --out (.csv or .jsonl) sets the format; the default is csv.
An interrupted export is kept for a day: run the same command again to resume it.

Examples:
  identity-queries export employees
  identity-queries export accessInventoryAccounts --out accounts.jsonl
  identity-queries export --id 7f1c --out accounts.csv
  identity-queries export --list`,
    );
  return withConnectionOptions(command).action(
    async (dataSetName: DownloadContext | undefined, options: ExportOptions) => {
      if (options.list === true) await list(context, dataSetName, options);
      else await save(context, dataSetName, options);
      context.end(exitCodes.clean);
    },
  );
}

async function list(
  context: CliContext,
  dataSet: DownloadContext | undefined,
  options: ExportOptions,
): Promise<void> {
  if (
    dataSet !== undefined ||
    options.id !== undefined ||
    options.out !== undefined ||
    options.fresh === true
  )
    throw new CliError('--list takes no data set, no --id, no --out and no --fresh.');
  const { listExports } = await import('../exports/list-exports.ts');
  await withService(context, options, (service) => listExports(context, service, options.json === true));
}

async function save(
  context: CliContext,
  dataSet: DownloadContext | undefined,
  options: ExportOptions,
): Promise<void> {
  const { id, out } = options;
  if (id !== undefined) {
    if (dataSet !== undefined || options.format !== undefined || options.fresh === true)
      throw new CliError('--id takes no data set, no --format and no --fresh: the export has them already.');
    if (out === undefined) throw new CliError('Name the file of the export with --out.');
    await saveAs(context, options, { id }, targetPath(context.cwd, out));
    return;
  }
  if (dataSet === undefined)
    throw new CliError('Name a data set, --id or --list.', [
      `See them with: ${typedText(advice.exportHelp())}`,
    ]);
  const fileFormat = options.format ?? formatOfEnding(options.out);
  const target = targetPath(context.cwd, options.out ?? `${dataSet}.${fileFormat}`);
  // A default name never replaces a file.
  if (options.out === undefined && existsSync(target))
    throw new CliError(`${path.basename(target)} already exists.`, ['To replace it, name it with --out.']);
  await saveAs(context, options, { context: dataSet, fileFormat }, target);
}

async function saveAs(
  context: CliContext,
  options: ExportOptions,
  request: SaveOptions['request'],
  target: string,
): Promise<void> {
  await requireOwnTargets([options.out ?? target], [], context.cwd);
  const { path: resolved } = await requireFolder(target);
  const { saveExportTo } = await import('../exports/save-export.ts');
  await withService(context, options, (service) =>
    saveExportTo(context, service, {
      request,
      target: resolved,
      isFresh: options.fresh === true,
      isJson: options.json === true,
    }),
  );
}

function formatOfEnding(file: string | undefined): Format {
  if (file === undefined) return 'csv';
  const ending = path.extname(file).toLowerCase();
  const format = downloadFormats.find((each) => ending === `.${each}`);
  if (format !== undefined) return format;
  throw new CliError(`The extension of "${file}" is not an export format.`, [
    `Use .csv or .jsonl, or add --format ${downloadFormats.join(' or ')}.`,
  ]);
}

/** Parses the name of a data set; an error suggests only close names, since the help lists them all. */
function contextOf(text: string): DownloadContext {
  if (isContext(text)) return text;
  const part = text.toLowerCase();
  const close = downloadContexts.filter((each) => each.toLowerCase().includes(part));
  throw new InvalidArgumentError(
    close.length === 0 || part === ''
      ? 'It is not a data set; --help lists them.'
      : `It is not a data set. Did you mean ${close.join(' or ')}?`,
  );
}
