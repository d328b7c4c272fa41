/** The commands of the result panel. They act on the result tab that has the focus, else on the view below. */
import * as vscode from 'vscode';
import { commands, type CommandId } from '../../contributions.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { registerCommand } from '../../ui/register-command.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { ColumnFilter, SortKey } from '../../../../core/src/rows/rows.ts';
import type { CopyFormat } from '../../../../core/src/rows/files/text-writer.ts';
import type { ExportScope } from './export/export-result.ts';
import { AmbiguousColumnError, narrowed } from './filter-sql.ts';
import type { PanelTool } from '../../../../panel-protocol/messages.ts';
import type { Result } from './result.ts';
import type { ResultsPanel } from './results-panel.ts';
import type { TextDocuments } from './text-documents.ts';

export interface ResultsCommandsDependencies {
  readonly log: Logger;
  readonly activePanel: () => ResultsPanel;
  readonly onDidChange: vscode.Event<Result>;
  readonly texts: TextDocuments;
}

const copies: readonly (readonly [CommandId, CopyFormat, boolean])[] = [
  [commands.resultsCopy, 'tsv', false],
  [commands.resultsCopyWithHeaders, 'tsv', true],
  [commands.resultsCopyAsCsv, 'csv', true],
  [commands.resultsCopyAsJson, 'json', true],
  [commands.resultsCopyAsMarkdown, 'markdown', true],
  [commands.resultsCopyAsInList, 'in-list', false],
  [commands.resultsCopyAsInsert, 'insert', false],
];

const tools: readonly (readonly [CommandId, PanelTool])[] = [
  [commands.resultsFind, 'find'],
  [commands.resultsFilter, 'filter'],
  [commands.resultsChooseColumns, 'columns'],
  [commands.resultsShowRecord, 'record'],
  [commands.resultsShowChart, 'chart'],
  [commands.resultsFilterByValue, 'filter-by-value'],
  [commands.resultsAddWhere, 'add-where'],
  [commands.resultsAddOrderBy, 'add-order-by'],
];

export function registerResultsCommands(deps: ResultsCommandsDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const { log, activePanel } = deps;
  for (const [id, format, withHeaders] of copies) {
    disposables.add(registerCommand(log, id, () => activePanel().copySelection(format, withHeaders)));
  }
  for (const [id, tool] of tools) {
    disposables.add(
      registerCommand(log, id, async (argument) => {
        const result = activePanel().shown;
        if (result?.state.kind !== 'rows') throw noRows();
        const added = tool === 'add-where' || tool === 'add-order-by' ? await addedOf(argument) : undefined;
        if (added === undefined) activePanel().showTool(tool);
        else await addToQuery(result, added);
      }),
    );
  }
  disposables.add(
    registerCommand(log, commands.resultsShowAsText, async () => {
      const result = activePanel().shown;
      if (result === undefined || !(await deps.texts.show(result, {}))) throw noRows();
    }),
  );
  disposables.add(
    registerCommand(log, commands.resultsExport, (argument) =>
      exportShown(activePanel(), deps.onDidChange, argument),
    ),
  );
  return disposables;
}

function noRows(): ExpectedError {
  return new ExpectedError(vscode.l10n.t('There are no rows here. Run a query first.'));
}

const scopes: readonly ExportScope[] = ['selection', 'view', 'here', 'all'];

/** @param argument what is decided already: `{ format, uri, scope }`, each of which may be missing. */
export async function exportShown(
  panel: ResultsPanel,
  onDidChange: vscode.Event<Result>,
  argument?: unknown,
): Promise<vscode.Uri | undefined> {
  const [{ exportResult }, { parseChoice }] = await Promise.all([
    import('./export/export-result.ts'),
    import('./export/export-rows.ts'),
  ]);
  const result = panel.shown;
  const asked =
    typeof argument === 'object' && argument !== null && 'scope' in argument ? argument.scope : undefined;
  return await exportResult(result, {
    ...parseChoice(argument),
    scope: scopes.find((one) => one === asked),
    selection: result === undefined ? undefined : panel.selectionOf(result),
    onDidChange,
  });
}

/** What a caller wants to have added, in place of what the panel filters and sorts by: `{ filters?, sort? }`. */
async function addedOf(argument: unknown): Promise<Parameters<typeof addToQuery>[1] | undefined> {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { parsePanelMessage } = await import('../../../../panel-protocol/panel-message.ts');
  const message = parsePanelMessage({ filters: [], sort: [], ...argument, kind: 'addToQuery', result: '' });
  return message?.kind === 'addToQuery' ? message : undefined;
}

/** Puts filters or an order into the query that was run, as a subquery around it. */
export async function addToQuery(
  result: Result,
  added: { readonly filters: readonly ColumnFilter[]; readonly sort: readonly SortKey[] },
): Promise<void> {
  const { state, actions } = result;
  if (state.kind !== 'rows') return;
  if (actions?.editQuery === undefined) {
    throw new ExpectedError(vscode.l10n.t('These rows are not of a query, so there is none to add to.'));
  }
  try {
    await actions.editQuery((statement) => narrowed(statement, { columns: state.columns, ...added }));
  } catch (error) {
    if (!(error instanceof AmbiguousColumnError)) throw error;
    throw new ExpectedError(
      vscode.l10n.t(
        'Two columns are called {0}. Give one of them another name with AS, then add again.',
        error.column,
      ),
      [],
      { cause: error },
    );
  }
}
