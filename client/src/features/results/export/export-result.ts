/** Exports a result: chooses which rows to export, and warns about missing ones. */
import * as vscode from 'vscode';
import { ColumnAligner } from '#api/client/align-columns.ts';
import { locale } from '#client/ui/locale.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ResultDataFactory } from '#core/rows/result-data-factory.ts';
import type { ExportRequest } from '#core/rows/row-calls.ts';
import type { RowsPage } from '#core/rows/rows-page.ts';
import type { StoreColumn } from '#core/rows/rows.ts';
import { versionTitle } from '#core/runs/run-title.ts';
import type { RowsState } from '#panel-protocol/messages.ts';
import { loadAll } from '../load-all.ts';
import type { Result } from '../result.ts';
import { exportRows, type ExportChoice, type ExportJob } from './export-rows.ts';

export type ExportScope = 'selection' | 'view' | 'here' | 'all';

export interface SelectedCells {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly columns: readonly number[];
}

export async function exportResult(
  result: Result | undefined,
  options: ExportChoice & {
    readonly scope?: ExportScope | undefined;
    readonly selection: SelectedCells | undefined;
    readonly onDidChange: vscode.Event<Result>;
  },
): Promise<vscode.Uri | undefined> {
  const state = result?.state;
  if (result?.data === undefined || state?.kind !== 'rows') {
    throw new ExpectedError(vscode.l10n.t('There are no rows to export. Run a query first.'));
  }
  const scope = options.scope ?? (await chooseScope(state, options.selection));
  if (scope === undefined) return undefined;
  if (scope === 'all' && !state.isComplete && !(await loadAll(result, options.onDidChange))) return undefined;
  return await exportRows(jobOf(result, { scope, selection: options.selection }), options);
}

/** Asks for the scope if there is a choice. */
async function chooseScope(
  state: RowsState,
  selection: SelectedCells | undefined,
): Promise<ExportScope | undefined> {
  const number = (value: number) => value.toLocaleString(locale());
  const items: (vscode.QuickPickItem & { readonly scope: ExportScope })[] = [];
  const isFiltered = state.viewRowCount < state.rowCount;
  if (isFiltered || state.isComplete) {
    items.push({
      scope: 'view',
      label: vscode.l10n.t('Rows and columns as shown'),
      description: number(state.viewRowCount),
      detail: isFiltered ? vscode.l10n.t('Rows that match the filters, in their current order') : undefined,
    });
  }
  if (isFiltered || !state.isComplete) {
    items.push({
      scope: 'here',
      label: vscode.l10n.t('All loaded rows'),
      description: number(state.rowCount),
      detail: state.isComplete
        ? undefined
        : vscode.l10n.t('The service has more rows, which the file will not contain'),
    });
  }
  if (!state.isComplete) {
    items.push({
      scope: 'all',
      label: vscode.l10n.t('All rows of the query'),
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

function jobOf(
  result: Result,
  { scope, selection }: { readonly scope: ExportScope; readonly selection: SelectedCells | undefined },
): ExportJob {
  const { state, data, header } = result;
  if (state.kind !== 'rows' || data === undefined) {
    throw new ExpectedError(vscode.l10n.t('The rows are gone because the query ran again. Export again.'));
  }
  const request = requestOf(result, state, { scope, selection });
  const isPart = !state.isComplete;
  return {
    name: versionTitle(header),
    rowCount:
      request.rows !== undefined
        ? request.rows.last - request.rows.first + 1
        : request.scope === 'view'
          ? state.viewRowCount
          : state.rowCount,
    warning: isPart
      ? vscode.l10n.t('The service has more rows than the {0} that were loaded.', state.rowCount)
      : undefined,
    write: (file, options) => data.ask('export', { ...request, file }, options),
  };
}

function requestOf(
  result: Result,
  state: RowsState,
  { scope, selection }: { readonly scope: ExportScope; readonly selection: SelectedCells | undefined },
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
  /** Columns of the first page. Later pages are matched by column name; new columns are added if the format allows. */
  readonly columns: readonly StoreColumn[];
  /** Yields the pages. `say` reports why a page takes a long time. */
  readonly pages: (
    signal: AbortSignal | undefined,
    say: (note: string) => void,
  ) => AsyncIterable<Pick<RowsPage, 'columns' | 'rows'>>;
  readonly totalRows?: number | undefined;
}

export async function exportPages(
  rows: PagedRows,
  factory: ResultDataFactory,
  choice: ExportChoice = {},
): Promise<vscode.Uri | undefined> {
  return await exportRows(
    {
      name: rows.name,
      rowCount: rows.totalRows,
      write: async (options, { signal, onProgress, onNote }) => {
        const file = await factory.createFile(rows.columns, options);
        const aligner = new ColumnAligner<StoreColumn>();
        aligner.align({ columns: rows.columns, rows: [] });
        const leftOutColumns: string[] = [];
        try {
          let done = 0;
          for await (const page of rows.pages(signal, onNote ?? (() => undefined))) {
            signal?.throwIfAborted();
            const aligned = aligner.align(page);
            if (aligned.added.length > 0 && !(await file.grow(aligned.added)))
              for (const { name } of aligned.added) leftOutColumns.push(name);
            await file.write(aligned.rows);
            done += aligned.rows.length;
            onProgress?.(done);
          }
          return { ...(await file.finish()), leftOutColumns };
        } finally {
          await file.dispose();
        }
      },
    },
    choice,
  );
}
