/** All results of a window: where they are shown, and lookups for other features. */
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import type { Logger } from '#base/logger.ts';
import { commands, contextKeys, settings, settingsSection, views } from '#client/contributions.ts';
import { presentFailure } from '#client/ui/register-command.ts';
import { withProgress } from '#client/ui/shown/progress.ts';
import { returnFocusToPrompt } from '#client/ui/shown/prompt-focus.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { ResultOperations } from '#core/rows/result-operations.ts';
import type { GroupSpec } from '#core/rows/rows.ts';
import { createWorkerData } from '#core/rows/worker/worker-data.ts';
import type { RunHeader } from '#core/runs/run-header.ts';
import { fileTitle, runTitle } from '#core/runs/run-title.ts';
import { TextDocuments } from './as-text/text-documents.ts';
import { TextFallback } from './as-text/text-fallback.ts';
import { copiesNames, textOptions } from './as-text/text-options.ts';
import type { PagedRows } from './export/export-result.ts';
import type { ExportChoice } from './export/export-rows.ts';
import { LastFormat } from './export/last-format.ts';
import { groupsKeyOf } from './groups-key.ts';
import { KeptFiles } from './kept/kept-files.ts';
import { keptFolderOf } from './kept/kept-folder.ts';
import { KeptResults, UnclaimedResults, type KeptResult } from './kept/kept-results.ts';
import { restoreResult } from './kept/restore-result.ts';
import { openKept, runKept } from './kept/run-kept.ts';
import type { PanelServices } from './panel/panel-services.ts';
import { editorTitleOf, ResultEditor, resultViewType } from './panel/result-editor.ts';
import type { ResultsPanel } from './panel/results-panel.ts';
import { ResultsView } from './panel/results-view.ts';
import { readSelected } from './read-selected.ts';
import { Result } from './result.ts';
import { addToQuery, registerResultsCommands } from './results-commands.ts';
import type { RecordLinks, ResultsDependencies, ResultsFeature, SelectedRows } from './results-feature.ts';
import { SourceReading, type RowsSource } from './rows-source.ts';

export class Results implements ResultsFeature {
  readonly #disposables = new DisposableStore();
  readonly #log: Logger;
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Result>());
  readonly #data: ReturnType<typeof createWorkerData>;
  readonly #duckDbScript: vscode.Uri;
  readonly #texts = this.#disposables.add(new TextDocuments());
  readonly #fallback: TextFallback;
  readonly #lastFormat: LastFormat;
  readonly #webview: ConstructorParameters<typeof ResultsView>[1];
  readonly #services: PanelServices;
  readonly #keptFiles: KeptFiles;
  readonly #kept: KeptResults;
  readonly #unclaimed: UnclaimedResults;
  readonly #view: ResultsView;
  readonly #editors = new Set<ResultEditor>();
  /** Results that have not been shown yet. */
  readonly #waiting = new Set<Result>();
  #recordLinks: RecordLinks | undefined;
  #hasResults = false;
  /** The result whose rows led to a record last. */
  #led: Result | undefined;
  /** The document that was active last, even while a page is. */
  #followed: string | undefined;

  readonly onDidChange = this.#changed.event;

  constructor({ context, log }: ResultsDependencies) {
    this.#log = log;
    const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'results-worker.cjs').fsPath;
    this.#duckDbScript = vscode.Uri.joinPath(context.extensionUri, 'dist', 'duckdb-process.cjs');
    this.#data = this.#disposables.add(createWorkerData(script, vscode.l10n.bundle));
    this.#fallback = new TextFallback(this.#texts, log);
    this.#webview = { extensionUri: context.extensionUri, log, fallback: this.#fallback };
    this.#services = this.#panelServices();
    this.#keptFiles = new KeptFiles(keptFolderOf(context));
    this.#lastFormat = new LastFormat(context.globalState);
    this.#kept = new KeptResults(this.#keptFiles);
    this.#unclaimed = new UnclaimedResults(this.#kept);
    this.#view = this.#disposables.add(
      new ResultsView(this.#services, this.#webview, () => this.#restoreBelow()),
    );
    this.#disposables.add({ dispose: () => [...this.#editors].forEach((editor) => editor.dispose()) });
  }

  register(): void {
    this.#disposables.add(
      vscode.window.registerWebviewPanelSerializer(resultViewType, {
        deserializeWebviewPanel: (panel) => {
          this.#restoreTab(panel);
          return Promise.resolve();
        },
      }),
    );
    this.#disposables.add(
      registerResultsCommands({
        log: this.#log,
        activePanel: () => this.#activePanel,
        onDidChange: this.onDidChange,
        texts: this.#texts,
        lastFormat: this.#lastFormat,
        group: (result, grouping) => this.#group(result, grouping),
        move: () => this.#move(),
        focusRows: async (key) => {
          const result = this.#rowsBehind(key) ?? this.current(key);
          if (result === undefined) await vscode.commands.executeCommand(`${views.results}.focus`);
          else await this.reveal(result, { takeFocus: true });
        },
        openFile: async (file) => {
          const { fileSource } = await import('./files/open-file.ts');
          await this.open(await fileSource(file, this.#duckDbScript), { takeFocus: true });
        },
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
        // The URI may be reused: the next draft may be called Untitled-1 again. A change of language closes nothing.
        if (uri.scheme !== 'untitled' || !isClosed) return;
        for (const result of this.results) if (result.key === uri.toString()) result.orphan();
      }),
    );
    this.#disposables.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#follow(editor)));
  }

  dispose(): void {
    this.#keptFiles.release();
    this.#disposables.dispose();
  }

  get results(): readonly Result[] {
    return [
      ...this.#view.panel.results,
      ...[...this.#editors].map((editor) => editor.result),
      ...this.#waiting,
    ];
  }

  get shown(): Result | undefined {
    return this.#activePanel.shown;
  }

  get operations(): ResultOperations {
    return this.#data;
  }

  resultFor(
    key: string,
    header: RunHeader,
    { isNew }: { readonly isNew: boolean } = { isNew: false },
  ): Result {
    const own = isNew ? [] : this.results.filter((result) => result.key === key && !result.isPinned);
    // If there are several, prefer the visible one.
    const known = own.find((result) => result === this.#view.panel.shown) ?? lastShown(own);
    if (known !== undefined) return known;
    const result = this.#create(key, header);
    this.#waiting.add(result);
    return result;
  }

  async open(
    source: RowsSource,
    { isNew = false, takeFocus = false }: { readonly isNew?: boolean; readonly takeFocus?: boolean } = {},
  ): Promise<Result> {
    const result = this.resultFor(source.key, source.header, { isNew });
    const reading = new SourceReading(source, {
      result,
      rowLimit: readRowLimit(),
      runCommand: (command, argument) => void vscode.commands.executeCommand(command, argument),
    });
    await this.reveal(result, { takeFocus });
    await reading.start();
    return result;
  }

  async exportRows(rows: PagedRows, choice?: ExportChoice): Promise<vscode.Uri | undefined> {
    const { exportPages } = await import('./export/export-result.ts');
    return await exportPages(rows, this.#data, { lastFormat: this.#lastFormat, ...choice });
  }

  async loadAll(result: Result): Promise<boolean> {
    const { loadAll } = await import('./load-all.ts');
    return await loadAll(result, this.onDidChange);
  }

  get hasSelection(): boolean {
    const panel = this.#activePanel;
    const { shown } = panel;
    const isInView = panel !== this.#view.panel || this.#view.isVisible;
    return isInView && shown?.state.kind === 'rows' && panel.areaOf(shown) !== undefined;
  }

  async selectedRows(): Promise<SelectedRows> {
    const panel = this.#activePanel;
    const result = panel.shown;
    if (result !== undefined && panel.isCovered(result))
      throw new ExpectedError(vscode.l10n.t('The chart covers the rows. Close it to select rows.'), [
        { title: vscode.l10n.t('Hide Chart'), command: commands.resultsHideChart },
      ]);
    const area = result === undefined ? undefined : panel.areaOf(result);
    if (result?.data === undefined || result.state.kind !== 'rows' || area === undefined)
      throw new ExpectedError(vscode.l10n.t('Select rows in the result panel first.'));
    this.#led = result;
    const { columns } = result.state;
    return {
      columns,
      ...(await readSelected(result.data, area, columns.length)),
      firstColumn: area.columns[0] ?? 0,
      connections: connectionsOf(result),
      key: result.key,
      facts: result.actions?.facts?.(),
    };
  }

  markOlderThanChange(connection: string): void {
    for (const result of this.results) {
      const { header, state } = result;
      if (header.connection === connection && state.kind === 'rows') result.markOlderThanChange();
    }
  }

  linkRecords(links: RecordLinks): void {
    this.#recordLinks = links;
  }

  async reveal(
    result: Result,
    { takeFocus }: { readonly takeFocus: boolean } = { takeFocus: false },
  ): Promise<void> {
    const location = vscode.workspace
      .getConfiguration(settingsSection)
      .get<string>(settings.resultsLocation, 'below');
    const editor = this.#editorOf(result);
    const isBelow = this.#view.panel.results.includes(result);
    if (editor !== undefined) {
      result.shownAt = performance.now();
      editor.reveal(takeFocus);
    } else if (isBelow || location === 'below') {
      await this.#view.reveal(result, takeFocus);
    } else {
      const column = location === 'active' ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
      const opened = this.#openEditor(result, column);
      if (takeFocus) opened.reveal(true);
    }
    this.#waiting.delete(result);
  }

  current(key: string | undefined): Result | undefined {
    const active = [...this.#editors].find((editor) => editor.isActive);
    if (active !== undefined) return active.result;
    const { shown } = this.#activePanel;
    const own = this.results.filter((result) => key !== undefined && result.key === key);
    // If a document has several results, prefer the visible one.
    if (shown !== undefined && own.includes(shown)) return shown;
    return lastShown(own) ?? shown;
  }

  close(result: Result): void {
    const editor = this.#editorOf(result);
    if (editor === undefined) this.#view.panel.remove(result);
    else if (this.#editors.delete(editor)) editor.dispose();
  }

  /** Returns the rows that led to a document without its own, such as a record. */
  #rowsBehind(key: string | undefined): Result | undefined {
    if (key === undefined || this.results.some((result) => result.key === key)) return undefined;
    return this.results.find((result) => result === this.#led);
  }

  #panelServices(): PanelServices {
    const log = this.#log;
    return {
      copy: async (text) =>
        await withProgress(
          { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Copying...') },
          async () => await vscode.env.clipboard.writeText(await text),
        ),
      failed: (what, error) => log.error(`result panel: ${what} failed: ${errorName(error)}`),
      textOptions: (result) => textOptions(result, 'copied'),
      copiesNames,
      language: vscode.env.language,
      translate: (message, ...values) => vscode.l10n.t(message, ...values),
      identify: async (globalId, from) => await this.#recordLinks?.describe(globalId, connectionsOf(from)),
      openRecord: (globalId, from) => {
        this.#led = from;
        this.#recordLinks?.open(globalId, connectionsOf(from));
      },
      showDetails: (details) => void vscode.commands.executeCommand(commands.failureDetails, details),
      export: () => void vscode.commands.executeCommand(commands.resultsExport),
      whatChanged: ({ id }) =>
        void vscode.commands.executeCommand(commands.resultsCompare, {
          of: id,
          with: { kind: 'before' },
          load: true,
        }),
      focused: () => void returnFocusToPrompt(),
      maximize: () => void vscode.commands.executeCommand('workbench.action.toggleMaximizedPanel'),
      savePicture: async (result, picture) => {
        const { savePicture } = await import('./export/save-picture.ts');
        await savePicture(fileTitle(result.header), picture).catch((error: unknown) =>
          presentFailure(log, 'save picture', error),
        );
      },
      group: async (result, grouping, replaces) => {
        await this.#group(result, grouping, replaces).catch((error: unknown) =>
          presentFailure(log, 'group rows', error),
        );
      },
      addToQuery: async (result, added) => {
        await addToQuery(result, added).catch((error: unknown) => presentFailure(log, 'add to query', error));
      },
    };
  }

  #create(key: string, header: RunHeader): Result {
    if (!this.#hasResults) void vscode.commands.executeCommand('setContext', contextKeys.hasResults, true);
    this.#hasResults = true;
    return new Result({
      id: crypto.randomUUID(),
      key,
      header,
      factory: this.#data,
      changed: (result) => this.#draw(result),
      renamed: (result, before) => this.#renameGroups(result, before),
    });
  }

  #restored(one: KeptResult): Result {
    const result = this.#create(one.key, one.header);
    const now = () => ({ key: result.key ?? one.key, header: result.header });
    restoreResult(result, one, {
      runAgain: () => runKept(now(), this.#log),
      open: async () => {
        await openKept(now(), this.#log);
      },
    });
    return result;
  }

  /** Restores the results from before a window reload in the view below the editors. */
  #restoreBelow(): void {
    for (const one of this.#unclaimed.claim((kept) => kept.isInEditor !== true)) {
      if (!this.results.some((result) => result.key === one.key)) this.#view.panel.add(this.#restored(one));
    }
  }

  #restoreTab(panel: vscode.WebviewPanel): void {
    // Only a tab's title survives a reload, so if two results have the same title, either may match.
    const isOfTab = (one: KeptResult) => one.isInEditor === true && editorTitleOf(one) === panel.title;
    const found = this.#unclaimed.left.find(isOfTab);
    if (found === undefined) panel.dispose();
    for (const one of this.#unclaimed.claim((each) => each === found))
      this.#openEditor(this.#restored(one), panel);
  }

  #editorOf(result: Result): ResultEditor | undefined {
    return [...this.#editors].find((editor) => editor.result === result);
  }

  /** The panel that commands apply to: the active page, that with the active query's rows, or the only one in view. */
  get #activePanel(): ResultsPanel {
    const editors = [...this.#editors];
    const active = editors.find(({ isActive }) => isActive);
    if (active !== undefined) return active.panel;
    const below = this.#view.panel;
    const key = vscode.window.activeTextEditor?.document.uri.toString();
    if (below.shown !== undefined && below.shown.key === key) return below;
    const inView = editors.filter(({ isVisible }) => isVisible);
    const own = inView.find(({ result }) => result.key === key);
    const isOnly = inView.length === 1 && !(this.#view.isVisible && below.shown !== undefined);
    return (own ?? (isOnly ? inView[0] : undefined))?.panel ?? below;
  }

  #draw(result: Result): void {
    const editor = this.#editorOf(result);
    if (editor !== undefined) editor.draw();
    else if (this.#view.panel.results.includes(result)) this.#view.panel.draw();
    this.#fallback.update(result);
    this.#changed.fire(result);
    this.#keep();
  }

  /** The groups of a result are named after it. */
  #renameGroups(result: Result, before: string): void {
    const after = runTitle(result.header);
    for (const groups of this.results) {
      const { header, key } = groups;
      if (key?.startsWith(groupsKeyOf(result)) !== true || header.summarized !== before) continue;
      groups.rename({ title: header.title.replace(before, () => after), summarized: after });
    }
  }

  #keep(): void {
    const all = this.results;
    if (!all.some((one) => one.state.kind === 'rows')) return;
    const placed = all.map((one) => ({
      key: one.key,
      isInEditor: this.#editorOf(one) !== undefined,
      view: () => one.view(),
    }));
    this.#kept.write(placed, this.#unclaimed.left).then(undefined, (error: unknown) => {
      this.#log.warn(`results were not kept: ${errorName(error)}`);
    });
  }

  async #group(result: Result, grouping: GroupSpec, replaces?: string): Promise<void> {
    const { openGroups } = await import('./group-rows.ts');
    await openGroups(this, result, grouping, {
      replaced: this.results.find(({ id }) => id === replaces),
      change: async (groups) => {
        await this.reveal(result, { takeFocus: true });
        (this.#editorOf(result)?.panel ?? this.#view.panel).showTool('group', groups?.id);
      },
    });
  }

  /** Moves the result that commands apply to, if there is one, to the other place, where later ones will also open. */
  async #move(): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(settingsSection);
    const isOfFolder = configuration.inspect(settings.resultsLocation)?.workspaceValue !== undefined;
    const result = this.shown ?? this.current(vscode.window.activeTextEditor?.document.uri.toString());
    const editor = result && this.#editorOf(result);
    const isBelow =
      result === undefined
        ? configuration.get<string>(settings.resultsLocation) === 'below'
        : editor === undefined;
    await configuration.update(settings.resultsLocation, isBelow ? 'beside' : 'below', !isOfFolder);
    if (result === undefined) return;
    if (editor !== undefined) {
      this.#editors.delete(editor);
      editor.release();
      await this.#view.reveal(result, true);
    } else {
      this.#view.panel.release(result);
      this.#openEditor(result, vscode.ViewColumn.Beside).reveal(true);
      if (this.#view.panel.results.length === 0)
        await vscode.commands.executeCommand('workbench.action.closePanel');
    }
    this.#keep();
  }

  #openEditor(result: Result, place: vscode.ViewColumn | vscode.WebviewPanel): ResultEditor {
    const closed = (one: ResultEditor) => {
      if (this.#editors.delete(one)) one.dispose();
    };
    const opened = new ResultEditor(result, {
      place,
      services: this.#services,
      webview: this.#webview,
      closed,
    });
    this.#editors.add(opened);
    return opened;
  }

  /**
   * Shows the active query's rows in the view below the editors. A query that is active again after a page keeps what is
   * there: the page may have been a result that has just moved there.
   */
  #follow(editor: vscode.TextEditor | undefined): void {
    const key = editor?.document.uri.toString();
    if (key === undefined || key === this.#followed) return;
    this.#followed = key;
    const { panel } = this.#view;
    const next = lastShown(panel.results.filter((result) => result.key === key));
    if (next !== undefined && panel.shown?.key !== key) panel.show(next);
  }
}

function connectionsOf({ header, actions }: Result): readonly string[] {
  return header.connection === undefined ? (actions?.connections?.() ?? []) : [header.connection];
}

/** Returns the result that was in front last; of those that never were, the newest. */
function lastShown(some: readonly Result[]): Result | undefined {
  const [first, ...others] = some;
  return others.reduce((last, one) => (one.shownAt >= (last?.shownAt ?? 0) ? one : last), first);
}

function readRowLimit(): number {
  const value = vscode.workspace.getConfiguration(settingsSection).get<unknown>(settings.resultsRowLimit);
  return typeof value === 'number' && value >= 1 ? Math.floor(value) : 1_000_000;
}
