/**
 * Results: where rows are kept and shown. The default place is the panel below the editors: the query stays in sight
 * above its rows, wide rows get the whole width, and opening it never takes the focus. A setting puts each result into an
 * editor tab beside the query, or into the query's own group.
 */
import * as vscode from 'vscode';
import { commands, settings, settingsSection } from '../../contributions.ts';
import { ExpectedError } from '../../../../core/src/util/failure.ts';
import { presentFailure } from '../../ui/register-command.ts';
import { showDocument } from '../../ui/show-document.ts';
import { DisposableStore, type DisposableLike } from '../../../../core/src/util/disposables.ts';
import type { Logger } from '../../../../core/src/util/logger.ts';
import type { PagedRows } from './export/export-result.ts';
import type { ExportChoice } from './export/export-rows.ts';
import { KeptResults, UnclaimedResults, type KeptResult } from './kept-results.ts';
import { restoreResult } from './restore-result.ts';
import { createWorkerData } from '../../../../core/src/rows/worker/worker-data.ts';
import type { StoreColumn } from '../../../../core/src/rows/rows.ts';
import type { ResultOperations } from '../../../../core/src/rows/result-operations.ts';
import type { RunHeader } from '../../../../core/src/runs/run-header.ts';
import { SourceReading, type RowsSource } from './rows-source.ts';
import { editorTitleOf, ResultEditor, resultViewType } from './result-editor.ts';
import { Result } from './result.ts';
import type { PanelServices } from './results-panel.ts';
import { addToQuery, registerResultsCommands } from './results-commands.ts';
import { TextDocuments } from './text-documents.ts';
import { TextFallback } from './text-fallback.ts';
import { SelectionStatus } from './selection-status.ts';
import { textOptions } from './text-options.ts';
import { ResultsView } from './results-view.ts';
import { errorName } from '../../../../core/src/util/errors.ts';

export type {
  ComparedSide,
  ComparisonState,
  FormRequest,
  ParameterFormState,
  ResultState,
} from '../../../../panel-protocol/messages.ts';
export type { Result, ResultActions, ResultWriter } from './result.ts';
export type { PagedRows } from './export/export-result.ts';
export type { ExportChoice } from './export/export-rows.ts';
export type { RowsPage } from '../../../../core/src/rows/rows-page.ts';
export type { RowsSource } from './rows-source.ts';

export interface ResultsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
}

export interface ResultsFeature extends DisposableLike {
  /** The result a document's next run goes to: its own unless that is pinned, else a new one; always a
   * new one when told so. */
  resultFor(key: string, header: RunHeader, options?: { readonly isNew: boolean }): Result;
  /** Reads rows from any source into a result and brings it into view; resolves with the first page, or its failure, in it. */
  open(
    source: RowsSource,
    options?: { readonly isNew?: boolean; readonly takeFocus?: boolean },
  ): Promise<Result>;
  /** Writes rows that are in no result into a file, page by page; asks which format and where. */
  exportRows(rows: PagedRows, choice?: ExportChoice): Promise<vscode.Uri | undefined>;
  /** What whole results can do: be held, kept, read back, compared. */
  readonly operations: ResultOperations;
  /** Loads all rows of a result, with progress. @returns false when it was stopped or failed, which the panel says. */
  loadAll(result: Result): Promise<boolean>;
  /** The rows that the selection touches, whole, as texts; undefined when no cell is selected. */
  selectedRows(): Promise<SelectedRows | undefined>;
  /** Who knows what global ids in cells name, and opens what is behind them. */
  linkRecords(links: RecordLinks): void;
  /** Brings a result into view; the focus stays where it is unless told to be taken. */
  reveal(result: Result, options?: { readonly takeFocus: boolean }): Promise<void>;
  /** The result a person is most likely to mean: of the active result tab, else of this document, else the one shown. */
  current(key: string | undefined): Result | undefined;
  /** Fires for every change of any result. */
  readonly onDidChange: vscode.Event<Result>;
  readonly results: readonly Result[];
  /** The one that is looked at: of the active result tab, else of the view below. */
  readonly shown: Result | undefined;
}

export interface RecordLinks {
  /** In a few words; undefined when that is not known now. Never rejects. */
  describe(globalId: string): Promise<string | undefined>;
  /** Failures are shown by it. */
  open(globalId: string): void;
}

/** Rows of a result as they are looked at: null for NULL, long texts cut. */
export interface SelectedRows {
  readonly columns: readonly StoreColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Of the selected cells the first: its column, and its text in the first row. */
  readonly firstColumn: number;
}

/** Rows that are read from a selection at once; a larger selection is cut. */
const selectedRowsMax = 1_001;

export function registerResults({ context, log }: ResultsDependencies): ResultsFeature {
  const disposables = new DisposableStore();
  const changed = disposables.add(new vscode.EventEmitter<Result>());
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'results-worker.cjs').fsPath;
  const factory = disposables.add(createWorkerData(script, vscode.l10n.bundle));
  const texts = disposables.add(new TextDocuments());
  const fallback = new TextFallback(texts, log);
  const webview = { extensionUri: context.extensionUri, log, fallback };
  let recordLinks: RecordLinks | undefined;
  const selectionStatus = disposables.add(new SelectionStatus());
  const services: PanelServices = {
    copy: async (text) => {
      await vscode.env.clipboard.writeText(text);
    },
    failed: (what, error) => log.error(`result panel: ${what} failed: ${errorName(error)}`),
    textOptions: (result) => textOptions(result, settings.resultsCopyNullAs),
    language: vscode.env.language,
    translate: (message, ...values) => vscode.l10n.t(message, ...values),
    selected: (aggregate) => selectionStatus.show(aggregate),
    identify: async (globalId) => await recordLinks?.describe(globalId),
    openRecord: (globalId) => recordLinks?.open(globalId),
    showDetails: (details) => void vscode.commands.executeCommand(commands.failureDetails, details),
    export: () => void vscode.commands.executeCommand(commands.resultsExport),
    savePicture: async (result, picture) => {
      const { savePicture } = await import('./export/save-picture.ts');
      await savePicture(result.header.title, picture).catch((error: unknown) =>
        presentFailure(log, 'save picture', error),
      );
    },
    addToQuery: async (result, added) => {
      await addToQuery(result, added).catch((error: unknown) => presentFailure(log, 'add to query', error));
    },
  };
  const kept = new KeptResults(context.workspaceState);
  const unclaimed = new UnclaimedResults(kept);
  const view: ResultsView = disposables.add(new ResultsView(services, webview, () => restore()));
  const restored = (one: KeptResult): Result => {
    const { key, header } = one;
    const result = new Result({ id: crypto.randomUUID(), key, header, factory, changed: draw });
    restoreResult(result, one, () => runKept(one, log));
    return result;
  };
  /** When the view shows: results of this window that are older than its loading. */
  const restore = () => {
    for (const one of unclaimed.claim((kept) => kept.isInEditor !== true)) {
      if (!all().some((result) => result.key === one.key)) view.panel.add(restored(one));
    }
  };
  const editors = new Set<ResultEditor>();
  disposables.add({ dispose: () => [...editors].forEach((editor) => editor.dispose()) });
  const waiting = new Set<Result>();

  const editorOf = (result: Result) => [...editors].find((editor) => editor.result === result);
  const all = () => [...view.panel.results, ...[...editors].map((editor) => editor.result), ...waiting];
  const draw = (result: Result) => {
    const editor = editorOf(result);
    if (editor !== undefined) editor.draw();
    else if (view.panel.results.includes(result)) view.panel.draw();
    fallback.update(result);
    changed.fire(result);
    if (all().some((one) => one.state.kind === 'rows')) {
      const placed = all().map((one) => ({
        key: one.key,
        isInEditor: editorOf(one) !== undefined,
        view: () => one.view(),
      }));
      kept.write(placed, unclaimed.left).then(undefined, (error: unknown) => {
        log.warn(`results were not kept: ${errorName(error)}`);
      });
    }
  };

  const openEditor = (result: Result, place: vscode.ViewColumn | vscode.WebviewPanel): ResultEditor => {
    const closed = (one: ResultEditor) => {
      if (editors.delete(one)) one.dispose();
    };
    const opened = new ResultEditor(result, { place, services, webview, closed });
    editors.add(opened);
    return opened;
  };
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(resultViewType, {
      deserializeWebviewPanel: (panel) => {
        // Tabs have no other name that outlives a window; of two with the same name either may be either.
        const isOfTab = (one: KeptResult) => one.isInEditor === true && editorTitleOf(one) === panel.title;
        const found = unclaimed.left.find(isOfTab);
        if (found === undefined) panel.dispose();
        for (const one of unclaimed.claim((each) => each === found)) openEditor(restored(one), panel);
        return Promise.resolve();
      },
    }),
  );

  const activePanel = () => [...editors].find((editor) => editor.isActive)?.panel ?? view.panel;
  disposables.add(registerResultsCommands({ log, activePanel, onDidChange: changed.event, texts }));
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      // The next draft may be called Untitled-1 again.
      if (uri.scheme !== 'untitled') return;
      for (const result of all()) if (result.key === uri.toString()) result.orphan();
    }),
  );
  disposables.add(
    // The rows below follow the query that is being looked at.
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      const key = editor?.document.uri.toString();
      const own = view.panel.results.filter((result) => key !== undefined && result.key === key);
      const next = own.findLast((result) => !result.isPinned) ?? own.at(-1);
      if (next !== undefined && view.panel.shown?.key !== key) view.panel.show(next);
    }),
  );

  const feature: ResultsFeature = {
    onDidChange: changed.event,
    get results() {
      return all();
    },
    get shown() {
      return activePanel().shown;
    },
    resultFor(key, header, { isNew } = { isNew: false }) {
      const own = isNew ? [] : all().filter((result) => result.key === key && !result.isPinned);
      // Of several the one that is looked at.
      const known = own.find((result) => result === view.panel.shown) ?? own.at(-1);
      if (known !== undefined) return known;
      const result = new Result({ id: crypto.randomUUID(), key, header, factory, changed: draw });
      waiting.add(result);
      return result;
    },
    async open(source, { isNew = false, takeFocus = false } = {}) {
      const result = feature.resultFor(source.key, source.header, { isNew });
      const reading = new SourceReading(source, {
        result,
        rowLimit: readRowLimit(),
        runCommand: (command, argument) => void vscode.commands.executeCommand(command, argument),
      });
      await feature.reveal(result, { takeFocus });
      await reading.start();
      return result;
    },
    async exportRows(rows, choice) {
      const { exportPages } = await import('./export/export-result.ts');
      return await exportPages(rows, factory, choice);
    },
    operations: factory,
    async loadAll(result) {
      const { loadAll } = await import('./load-all.ts');
      return await loadAll(result, changed.event);
    },
    async selectedRows() {
      const panel = activePanel();
      const result = panel.shown;
      const area = result === undefined ? undefined : panel.areaOf(result);
      if (result?.data === undefined || result.state.kind !== 'rows' || area === undefined) return undefined;
      const { columns } = result.state;
      const rowCount = Math.min(selectedRowsMax, area.lastRow - area.firstRow + 1);
      const all = columns.map((_, index) => index);
      const window = await result.data.ask('window', { firstRow: area.firstRow, rowCount, columns: all });
      const cells = new Map(window.columns.map((one) => [one.column, one.cells]));
      return {
        columns,
        rows: Array.from({ length: rowCount }, (_, row) =>
          all.map((column) => cells.get(column)?.[row] ?? null),
        ),
        firstColumn: area.columns[0] ?? 0,
      };
    },
    linkRecords(links) {
      recordLinks = links;
    },
    async reveal(result, { takeFocus } = { takeFocus: false }) {
      const location = vscode.workspace
        .getConfiguration(settingsSection)
        .get<string>(settings.resultsLocation, 'below');
      const editor = editorOf(result);
      const isBelow = view.panel.results.includes(result);
      if (editor !== undefined) {
        editor.reveal(takeFocus);
      } else if (isBelow || location === 'below') {
        await view.reveal(result, takeFocus);
      } else {
        const column = location === 'active' ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
        const opened = openEditor(result, column);
        if (takeFocus) opened.reveal(true);
      }
      waiting.delete(result);
    },
    current(key) {
      const active = [...editors].find((editor) => editor.isActive);
      if (active !== undefined) return active.result;
      const own = all().filter((result) => key !== undefined && result.key === key);
      // Of several runs of a document the one that is looked at.
      if (view.panel.shown !== undefined && own.includes(view.panel.shown)) return view.panel.shown;
      return own.findLast((result) => !result.isPinned) ?? own.at(-1) ?? view.panel.shown;
    },
    dispose: () => disposables.dispose(),
  };
  return feature;
}

function readRowLimit(): number {
  const value = vscode.workspace.getConfiguration(settingsSection).get<unknown>(settings.resultsRowLimit);
  return typeof value === 'number' && value >= 1 ? Math.floor(value) : 1_000_000;
}

/** Runs the query of a kept result as if the person had: what it says now, in the lines that were run. */
async function runKept({ key, header }: KeptResult, log: Logger): Promise<void> {
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(key));
    const { lines } = header;
    const last =
      lines === undefined ? undefined : document.lineAt(Math.min(lines.last, document.lineCount) - 1);
    const selection =
      lines === undefined || last === undefined
        ? undefined
        : new vscode.Range(
            Math.min(lines.first, document.lineCount) - 1,
            0,
            last.lineNumber,
            last.text.length,
          );
    await showDocument(document, selection);
    await vscode.commands.executeCommand(commands.queryRun);
  } catch (error) {
    void presentFailure(
      log,
      'run again',
      new ExpectedError(vscode.l10n.t('The query {0} cannot be opened any more.', header.title), [], {
        cause: error,
      }),
    );
  }
}
