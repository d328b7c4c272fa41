/** Exports a result: chooses which rows to export, and warns about missing ones. */
import * as vscode from 'vscode';
import { locale } from '#client/ui/locale.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { PageReader, type PageFeed } from '#core/reading/page-reader.ts';
import { limitedByCaller } from '#core/reading/time-limit.ts';
import type { FileOptions, FinishedFile } from '#core/rows/files/rows-encoder.ts';
import type { PageRows } from '#core/rows/packed-rows.ts';
import type { FileData, ResultDataFactory } from '#core/rows/result-data-factory.ts';
import type { ExportRequest } from '#core/rows/row-calls.ts';
import type { CellRange, StoreColumn } from '#core/rows/rows.ts';
import { PipedWriter, type RowsTarget } from '#core/runs/piped-writer.ts';
import { fileTitle } from '#core/runs/run-title.ts';
import type { RowsState } from '#panel-protocol/messages.ts';
import { loadAll } from '../load-all.ts';
import type { Result } from '../result.ts';
import { exportRows, type ExportChoice, type ExportJob } from './export-rows.ts';

export type ExportScope = 'selection' | 'view' | 'here' | 'all';

export async function exportResult(
  result: Result | undefined,
  options: ExportChoice & {
    readonly scope?: ExportScope | undefined;
    readonly selection: CellRange | undefined;
    readonly onDidChange: vscode.Event<Result>;
  },
): Promise<vscode.Uri | undefined> {
  const state = result?.state;
  if (result?.data === undefined || state?.kind !== 'rows')
    throw new ExpectedError(vscode.l10n.t('There are no rows to export. Run a query first.'));
  const scope = options.scope ?? (await chooseScope(state, options.selection));
  if (scope === undefined) return undefined;
  if (scope === 'all' && state.extent !== 'complete' && !(await loadAll(result, options.onDidChange)))
    return undefined;
  return await exportRows(jobOf(result, { scope, selection: options.selection }), options);
}

/** Asks for the scope if there is a choice. */
async function chooseScope(
  state: RowsState,
  selection: CellRange | undefined,
): Promise<ExportScope | undefined> {
  const number = (value: number) => value.toLocaleString(locale());
  const items: (vscode.QuickPickItem & { readonly scope: ExportScope })[] = [];
  const isFiltered = state.viewRowCount < state.rowCount;
  if (isFiltered || state.extent === 'complete') {
    items.push({
      scope: 'view',
      label: vscode.l10n.t('Rows and columns as shown'),
      description: number(state.viewRowCount),
      detail: isFiltered ? vscode.l10n.t('Rows that match the filters, in their current order') : undefined,
    });
  }
  if (isFiltered || state.extent !== 'complete') {
    items.push({
      scope: 'here',
      label: vscode.l10n.t('All loaded rows'),
      description: number(state.rowCount),
      detail: missingRows(state, vscode.l10n.t('There are more rows, which the file will not contain')),
    });
  }
  if (state.extent === 'more') {
    items.push({
      scope: 'all',
      label: isFilteredBySource(state)
        ? vscode.l10n.t('All rows that match the filters')
        : vscode.l10n.t('All rows'),
      description: state.totalRows === undefined ? undefined : number(state.totalRows),
      detail: vscode.l10n.t('Loads the rest first, up to the row limit'),
    });
  }
  if (selection !== undefined) {
    items.push({
      scope: 'selection',
      label: vscode.l10n.t('Selected cells'),
      description: `${number(selection.lastRow - selection.firstRow + 1)} × ${selection.columns.length}`,
    });
  }
  if (items.length === 1) return items[0]?.scope;
  const title = vscode.l10n.t('Export Rows: Rows to Include');
  return (await showQuickPick(items, { title }))?.scope;
}

/** Whether the rows were filtered where they come from, so that the others cannot be loaded. */
function isFilteredBySource({ filters, isArrangedBySource }: RowsState): boolean {
  return filters.length > 0 && isArrangedBySource === true;
}

/** Says which rows a file of the loaded ones lacks, or may lack: `unread` if the service has rows that were not read. */
function missingRows(
  { extent, rowCount, totalRows = 0, areValuesUnknown }: RowsState,
  unread: string,
): string | undefined {
  switch (extent) {
    case 'complete':
      return undefined;
    case 'more':
    case 'at-limit':
    case 'lost':
      return unread;
    case 'short':
      return vscode.l10n.t(
        'The service reports more rows ({0}) than it sent ({1}).',
        totalRows.toLocaleString(locale()),
        rowCount.toLocaleString(locale()),
      );
    case 'perhaps-short':
      return areValuesUnknown === true
        ? vscode.l10n.t(
            'The service does not show whether it uses the values of parameters, so rows may be missing.',
          )
        : vscode.l10n.t('The service does not tell whether there are more rows.');
    default:
      return extent satisfies never;
  }
}

function jobOf(
  result: Result,
  { scope, selection }: { readonly scope: ExportScope; readonly selection: CellRange | undefined },
): ExportJob {
  const { state, data, header } = result;
  if (state.kind !== 'rows' || data === undefined)
    throw new ExpectedError(vscode.l10n.t('The rows are gone because the query ran again. Export again.'));
  const request = requestOf(result, state, { scope, selection });
  return {
    name: fileTitle(header),
    rowCount:
      request.rows !== undefined
        ? request.rows.last - request.rows.first + 1
        : request.scope === 'view'
          ? state.viewRowCount
          : state.rowCount,
    warning: missingRows(
      state,
      vscode.l10n.t('There are more rows than the {0} that were loaded.', state.rowCount),
    ),
    write: (file, options) => data.ask('export', { ...request, file }, options),
  };
}

function requestOf(
  result: Result,
  state: RowsState,
  { scope, selection }: { readonly scope: ExportScope; readonly selection: CellRange | undefined },
): Omit<ExportRequest, 'file'> {
  const all = state.columns.map((_, column) => column);
  switch (scope) {
    case 'selection':
      return selection === undefined
        ? { scope: 'view', columns: result.shownColumns }
        : {
            scope: 'view',
            columns: selection.columns,
            rows: { first: selection.firstRow, last: selection.lastRow },
          };
    case 'view':
      return { scope: 'view', columns: withBefore(result.shownColumns, state) };
    case 'here':
    case 'all':
      return { scope: 'all', columns: all };
    default:
      return scope satisfies never;
  }
}

/** Adds the columns with earlier values before the current ones, since a file cannot show both in one cell. */
function withBefore(columns: readonly number[], { comparison }: RowsState): readonly number[] {
  if (comparison === undefined) return columns;
  const { beforeColumns } = comparison;
  return [...new Set(columns.flatMap((column) => [beforeColumns[column] ?? column, column]))];
}

/** Rows that belong to no result, to be streamed into a file page by page. */
export interface PagedRows {
  /** Base name of the file. */
  readonly name: string;
  /** @param say shows why a page takes a long time. */
  readonly feed: (say: (note: string) => void) => PageFeed;
}

export async function exportPages(
  rows: PagedRows,
  factory: ResultDataFactory,
  choice: ExportChoice = {},
): Promise<vscode.Uri | undefined> {
  let say: (note: string) => void = () => undefined;
  let onProgress: ((rowCount: number) => void) | undefined;
  const file = new ChosenFile(factory);
  const writer = new PipedWriter(file, (rowCount) => onProgress?.(rowCount));
  const feed = rows.feed((note) => say(note));
  const reader = new PageReader({
    feed,
    writer,
    signal: undefined, // cancelled by its progress
    rowLimit: Number.MAX_SAFE_INTEGER,
    deadline: limitedByCaller(),
  });
  try {
    // Before the person chooses a file: a list that cannot be read is told at once.
    const first = await withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading {0}', rows.name) },
      (progress) => {
        say = (message) => progress.report({ message });
        return reader.start();
      },
    );
    if (first.kind === 'failed') throw first.error;
    return await exportRows(
      {
        name: rows.name,
        write: async (options, call) => {
          if (call.signal?.aborted === true) reader.end();
          call.signal?.addEventListener('abort', () => reader.end(), { once: true });
          say = call.onNote ?? say;
          ({ onProgress } = call);
          await file.choose(options);
          const outcome = await writer.readAll(reader);
          if (outcome.kind === 'failed') throw outcome.error;
          return await file.finish();
        },
      },
      choice,
    );
  } finally {
    reader.end();
    await file.dispose();
  }
}

/** The rows wait for the file, which the person chooses while the first page is there already. */
class ChosenFile implements RowsTarget {
  readonly #factory: ResultDataFactory;
  readonly #chosen = Promise.withResolvers<FileData>();
  readonly #leftOutColumns: string[] = [];
  #columns: readonly StoreColumn[] = [];
  #file: FileData | undefined;

  constructor(factory: ResultDataFactory) {
    this.#factory = factory;
  }

  async choose(options: FileOptions): Promise<void> {
    this.#file = await this.#factory.createFile(this.#columns, options);
    this.#chosen.resolve(this.#file);
  }

  open(columns: readonly StoreColumn[]): Promise<void> {
    this.#columns = columns;
    return Promise.resolve();
  }

  async grow(columns: readonly StoreColumn[]): Promise<void> {
    const file = await this.#chosen.promise;
    if (!(await file.grow(columns))) for (const { name } of columns) this.#leftOutColumns.push(name);
  }

  async write(rows: PageRows): Promise<void> {
    await (await this.#chosen.promise).write(rows);
  }

  async finish(): Promise<FinishedFile> {
    const file = await this.#chosen.promise;
    return { ...(await file.finish()), leftOutColumns: this.#leftOutColumns };
  }

  async dispose(): Promise<void> {
    await this.#file?.dispose();
  }
}
