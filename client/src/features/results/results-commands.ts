/**
 * The result panel commands. They apply to the focused result tab if there is one, otherwise to the view below the
 * editors.
 */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { commands, type CommandId } from '#client/contributions.ts';
import { anything, instanceOf, object, oneOf, optional, recordOf, unfit } from '#client/ui/arguments.ts';
import { chooseCommand } from '#client/ui/choose-command.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { formatChoices } from '#core/rows/files/file-formats.ts';
import type { CopyFormat } from '#core/rows/files/text-writer.ts';
import type { ColumnFilter, GroupSpec, SortKey } from '#core/rows/rows.ts';
import type { PanelTool, ResultState } from '#panel-protocol/messages.ts';
import type { TextDocuments } from './as-text/text-documents.ts';
import type { LastFormat } from './export/last-format.ts';
import { AmbiguousColumnError, narrowed } from './filter-sql.ts';
import type { ResultsPanel } from './panel/results-panel.ts';
import type { Result } from './result.ts';

export interface ResultsCommandsDependencies {
  readonly log: Logger;
  readonly activePanel: () => ResultsPanel;
  readonly onDidChange: vscode.Event<Result>;
  readonly texts: TextDocuments;
  readonly lastFormat: LastFormat;
  readonly group: (result: Result, grouping: GroupSpec) => Promise<void>;
  /** Changes where results are shown, including the visible one. */
  readonly move: () => Promise<void>;
  /** Moves the focus to the rows of a document, or to the visible rows if it has none. Shows a hidden panel. */
  readonly focusRows: (key: string | undefined) => Promise<void>;
  readonly openFile: (file: vscode.Uri) => Promise<void>;
}

/** Formats of **Copy As**, and whether the names of the columns belong to them. */
const copies = [
  [commands.resultsCopyAsCsv, 'CSV', 'csv', true],
  [commands.resultsCopyAsJson, 'JSON', 'json', true],
  [commands.resultsCopyAsMarkdown, vscode.l10n.t('Markdown Table'), 'markdown', true],
  [commands.resultsCopyAsInList, vscode.l10n.t('SQL IN List'), 'in-list', false],
  [commands.resultsCopyAsInsert, 'SQL INSERT', 'insert', false],
] as const;

const tools: readonly (readonly [CommandId, PanelTool])[] = [
  [commands.resultsFind, 'find'],
  [commands.resultsFilter, 'filter'],
  [commands.resultsChooseColumns, 'columns'],
  [commands.resultsShowRecord, 'record'],
  [commands.resultsShowChart, 'chart'],
  [commands.resultsHideChart, 'rows'],
  [commands.resultsFilterByValue, 'filter-by-value'],
  [commands.resultsAddWhere, 'add-where'],
  [commands.resultsAddOrderBy, 'add-order-by'],
];

/** The choices already made in an export command's argument. */
const exportChoice = optional(
  object({
    format: optional(oneOf(formatChoices)),
    uri: optional(instanceOf(vscode.Uri)),
    scope: optional(oneOf(['selection', 'view', 'here', 'all'])),
  }),
);
export type ExportRequest = Exclude<ReturnType<typeof exportChoice>, symbol>;

export function registerResultsCommands(deps: ResultsCommandsDependencies): DisposableLike {
  const disposables = new DisposableStore();
  const { log, activePanel } = deps;
  const on = commandsIn(disposables, log);
  const shownRows = (): Result => {
    const result = activePanel().shown;
    if (result?.state.kind !== 'rows') throw noRows(result?.state);
    return result;
  };
  const copy = async (format: CopyFormat, withHeaders: boolean) => {
    await deps.focusRows(shownRows().key);
    activePanel().copySelection(format, withHeaders);
  };
  on(commands.resultsCopy, [], () => copy('tsv', false));
  on(commands.resultsCopyWithHeaders, [], () => copy('tsv', true));
  on(commands.resultsCopyAs, [], () => {
    shownRows();
    const choices = copies.map(([command, label]) => ({ command, label }));
    return chooseCommand(vscode.l10n.t('Copy As'), choices);
  });
  for (const [id, , format, withHeaders] of copies) on(id, [], () => copy(format, withHeaders));
  const showTool = async (result: Result, tool: PanelTool) => {
    await deps.focusRows(result.key);
    activePanel().showTool(tool);
  };
  for (const [id, tool] of tools) {
    // The argument is parsed like a panel message, in a module that loads on first use.
    on(id, [anything], async (argument) => {
      const result = shownRows();
      const added = tool === 'add-where' || tool === 'add-order-by' ? await addedOf(argument) : undefined;
      if (added === undefined) await showTool(result, tool);
      else await addToQuery(result, added);
    });
  }
  on(commands.resultsOpenFile, [instanceOf(vscode.Uri)], (file) => deps.openFile(file));
  on(commands.resultsGroup, [anything], async (argument) => {
    const result = shownRows();
    const grouping = argument === undefined ? undefined : await groupingOf(argument);
    if (grouping === undefined) await showTool(result, 'group');
    else await deps.group(result, grouping);
  });
  on(commands.resultsAddToQuery, [], () =>
    chooseCommand(vscode.l10n.t('Add to Query'), [
      { label: 'WHERE', command: commands.resultsAddWhere },
      { label: 'ORDER BY', command: commands.resultsAddOrderBy },
    ]),
  );
  on(commands.resultsMove, [], () => deps.move());
  on(commands.resultsFocusRows, [], () =>
    deps.focusRows(vscode.window.activeTextEditor?.document.uri.toString()),
  );
  on(commands.resultsShowAsText, [], async () => {
    const result = activePanel().shown;
    if (result === undefined || !(await deps.texts.show(result, {}))) throw noRows(result?.state);
  });
  on(commands.resultsExport, [exportChoice], (request) => exportShown(activePanel(), { ...deps, request }));
  return disposables;
}

/** @param state of the result that was meant. */
function noRows(state?: ResultState): ExpectedError {
  if (state?.kind === 'parameters')
    return new ExpectedError(
      vscode.l10n.t('The query has not run yet. Enter its parameters and choose Run first.'),
    );
  return new ExpectedError(vscode.l10n.t('There are no rows here. Run a query first.'));
}

async function exportShown(
  panel: ResultsPanel,
  options: Pick<ResultsCommandsDependencies, 'onDidChange' | 'lastFormat'> & {
    readonly request: ExportRequest;
  },
): Promise<vscode.Uri | undefined> {
  const { exportResult } = await import('./export/export-result.ts');
  const result = panel.shown;
  return await exportResult(result, {
    ...options.request,
    selection: result === undefined ? undefined : panel.selectionOf(result),
    onDidChange: options.onDidChange,
    lastFormat: options.lastFormat,
  });
}

/** Parses additions to use instead of the panel's filters and sort order: `{ filters?, sort? }`. */
async function addedOf(argument: unknown): Promise<Parameters<typeof addToQuery>[1] | undefined> {
  const added = recordOf(anything)(argument);
  if (added === unfit) return undefined;
  const { parsePanelMessage } = await import('#panel-protocol/panel-message.ts');
  const message = parsePanelMessage({ filters: [], sort: [], ...added, kind: 'addToQuery', result: '' });
  return message?.kind === 'addToQuery' ? message : undefined;
}

/** Parses a grouping: `{ by: [{ column }], across?, measure: { kind, column? } }`. */
async function groupingOf(argument: unknown): Promise<GroupSpec | undefined> {
  const { parsePanelMessage } = await import('#panel-protocol/panel-message.ts');
  const message = parsePanelMessage({ kind: 'group', result: '', grouping: argument });
  return message?.kind === 'group' ? message.grouping : undefined;
}

/** Adds filters or a sort order to the query that was run, by making it a subquery. */
export async function addToQuery(
  result: Result,
  added: { readonly filters: readonly ColumnFilter[]; readonly sort: readonly SortKey[] },
): Promise<void> {
  const { state, actions } = result;
  if (state.kind !== 'rows') return;
  if (actions?.editQuery === undefined) {
    throw new ExpectedError(
      vscode.l10n.t("These rows don't come from a query, so there is nothing to add to."),
    );
  }
  try {
    await actions.editQuery((statement) => narrowed(statement, { columns: state.columns, ...added }));
    result.addedToQuery(added);
  } catch (error) {
    if (!(error instanceof AmbiguousColumnError)) throw error;
    throw new ExpectedError(
      vscode.l10n.t('Two columns are named "{0}". Rename one with AS, then try again.', error.column),
      [],
      { cause: error },
    );
  }
}
