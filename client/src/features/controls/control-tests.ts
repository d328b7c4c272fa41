/** Shows controls in the Testing view by benchmark, tag or folder, and runs them with the shared engine. */
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposables.ts';
import { forLabel, forLines, forMessage } from '#base/shown-text/for-places.ts';
import { withSignal } from '#client/ui/with-signal.ts';
import type { ControlResult } from '#core/controls/control-result.ts';
import { controlTree, type ControlGroup, type ControlGrouping } from '#core/controls/control-tree.ts';
import type { Control } from '#core/controls/control.ts';
import { benchmarksName, readBenchmarks, type Benchmark } from '#core/controls/files/benchmarks.ts';
import { ControlFileError, controlFolder } from '#core/controls/files/control-file.ts';
import { historyIdOf } from '#core/controls/history/outcome-state.ts';
import type { RecentOutcome, RecentOutcomes } from '#core/controls/history/recent-outcomes.ts';
import { outcomeText, outcomeWord } from '#core/controls/outcome-messages.ts';
import { tagText, tagWords } from '#core/controls/tags.ts';
import { failureOf } from '#core/failures/failure.ts';
import { readFolderBenchmarks } from '#core/packs/folder-benchmarks.ts';
import { controlMessage } from './contributions.ts';
import { controlName, controlRoot } from './control-document.ts';
import type { ControlsDependencies } from './dependencies.ts';
import type { EditorControl, FoundControls } from './find-editor-controls.ts';
import { chosenGrouping } from './kept-grouping.ts';
import { runEditorControls } from './run-editor-controls.ts';
import type { WatchedControls } from './watch-controls.ts';

export class ControlTests {
  readonly #deps: ControlsDependencies;
  readonly #watched: WatchedControls;
  readonly #disposables = new DisposableStore();
  readonly #tests: vscode.TestController;
  /** Controls by item ID. A control has an item in each group it belongs to. */
  readonly #controls = new Map<string, EditorControl>();
  readonly #items = new Map<string, vscode.TestItem[]>();
  /** Where a control may be that was not found. */
  #problems: readonly vscode.TestItem[] = [];
  /** By the control's ID in the history. */
  #recent: ReadonlyMap<string, RecentOutcome> = new Map();
  /** Of the folder's history, by the folder. */
  readonly #histories = new Map<string, RecentOutcomes>();

  constructor(
    deps: ControlsDependencies,
    { watched, onRefresh }: { readonly watched: WatchedControls; readonly onRefresh: () => Promise<void> },
  ) {
    this.#deps = deps;
    this.#watched = watched;
    this.#tests = this.#disposables.add(
      vscode.tests.createTestController('identityQueries.controls', vscode.l10n.t('Controls')),
    );
    this.#tests.refreshHandler = onRefresh;
    const profile = this.#disposables.add(
      this.#tests.createRunProfile(
        vscode.l10n.t('Run Controls'),
        vscode.TestRunProfileKind.Run,
        (request, token) => this.#run(request, token),
        true,
      ),
    );
    profile.supportsContinuousRun = true;
    this.#disposables.add(deps.outcomes.onDidChange(() => this.#label()));
    this.#disposables.add(watched.onDidChange(() => this.#label()));
    // The ages in labels are out of date after a pause.
    this.#disposables.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#label()));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async show({ controls, problems }: FoundControls): Promise<void> {
    const chosen = chosenGrouping(this.#deps.context);
    const { benchmarks, problem } = await readTree(chosen);
    this.#recent = await this.#readRecent();
    this.#controls.clear();
    this.#items.clear();
    const tree = controlTree(controls, { by: chosen ?? 'benchmark', benchmarks });
    const items = tree.map((group) => this.#groupItem(group));
    this.#problems = problems.map(({ label, message, uri }) => {
      const item = this.#tests.createTestItem(`problem:${label}`, forLabel(label), uri);
      item.error = forMessage(message);
      return item;
    });
    const damaged = problem === undefined ? [] : [problemItem(this.#tests, problem)];
    this.#tests.items.replace([...damaged, ...this.#problems, ...items]);
    this.#label();
  }

  /** Returns the tree, for tests. */
  state(): unknown {
    const of = (items: vscode.TestItemCollection): readonly unknown[] =>
      [...items].map(([, { label, children, error }]) => ({
        label,
        ...(error === undefined ? {} : { error }),
        ...(children.size === 0 ? {} : { children: of(children) }),
      }));
    return of(this.#tests.items);
  }

  #groupItem({ id, label, groups, items }: ControlGroup<EditorControl>): vscode.TestItem {
    const item = this.#tests.createTestItem(`group:${id}`, forLabel(label));
    item.children.replace([
      ...groups.map((group) => this.#groupItem(group)),
      ...items.map((control) => this.#itemOf(control)),
    ]);
    return item;
  }

  #itemOf(control: EditorControl): vscode.TestItem {
    const { uri, found } = control;
    const id = uri.toString();
    this.#controls.set(id, control);
    const item = this.#tests.createTestItem(id, forLabel(controlName(found.control)), uri);
    item.range = lineRange(found.control.lines.control);
    item.sortText = found.control.id;
    item.tags = found.control.tags.map((tag) => new vscode.TestTag(tagText(tag)));
    this.#items.set(id, [...(this.#items.get(id) ?? []), item]);
    return item;
  }

  /** Returns what the runs in the folder's history say; empty without a history. */
  async #readRecent(): Promise<ReadonlyMap<string, RecentOutcome>> {
    const root = controlRoot();
    if (root === undefined) return new Map();
    const { HistoryFolder, historyFolderDefault } = await import('#core/controls/history/history-folder.ts');
    const { RecentOutcomes } = await import('#core/controls/history/recent-outcomes.ts');
    const history =
      this.#histories.get(root) ??
      new RecentOutcomes(new HistoryFolder(path.join(root, historyFolderDefault)));
    this.#histories.set(root, history);
    // A history that cannot be read is told by the commands that use it.
    return await history.byControl().catch(() => new Map<string, RecentOutcome>());
  }

  /**
   * The label includes the last outcome and its age, since screen readers would read a description instead of the name.
   */
  #label(): void {
    for (const [id, control] of this.#controls) {
      const kept = this.#deps.outcomes.get(control.key);
      const parts = [
        controlName(control.found.control),
        ...(kept === undefined ? [] : [outcomeText(kept)]),
        ...historyWords(this.#recent.get(historyIdOf(control.found))),
        ...(this.#watched.has(control.key) ? [vscode.l10n.t('watched')] : []),
      ];
      const label = forLabel(parts.join(' \u00b7 '));
      for (const item of this.#items.get(id) ?? []) if (item.label !== label) item.label = label;
    }
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    await this.#runOnce(request, token);
    if (request.continuous !== true) return;
    const wanted = new Set(this.#wanted(request));
    const saved = vscode.workspace.onDidSaveTextDocument((document) => {
      const id = document.uri.toString();
      const [item] = this.#items.get(id) ?? [];
      if (item !== undefined && wanted.has(id))
        void this.#runOnce(new vscode.TestRunRequest([item], undefined, request.profile, true), token);
    });
    token.onCancellationRequested(() => void saved.dispose());
  }

  async #runOnce(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const ids = this.#wanted(request);
    const run = this.#tests.createTestRun(request);
    const each = (id: string, say: (item: vscode.TestItem) => void) => {
      for (const item of this.#items.get(id) ?? []) say(item);
    };
    try {
      // What was not found was not judged, so a run of everything is no success.
      for (const item of this.#problems)
        if ((request.include ?? [item]).includes(item))
          run.errored(item, new vscode.TestMessage(item.error ?? ''));
      for (const id of ids) each(id, (item) => run.enqueued(item));
      const controls = ids.flatMap((id) => this.#controls.get(id) ?? []);
      await withSignal([token, run.token], (signal) =>
        runEditorControls(this.#deps, controls, {
          signal,
          onStart: ({ uri }) => each(uri.toString(), (item) => run.started(item)),
          onEnd: (result, { uri }) => each(uri.toString(), (item) => tell(run, item, result)),
        }),
      );
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'cancelled')
        for (const id of ids)
          each(id, (item) => run.errored(item, new vscode.TestMessage(forMessage(failure.message))));
    } finally {
      run.end();
    }
  }

  /** Returns the distinct IDs of the controls in a request. */
  #wanted({ include, exclude = [] }: vscode.TestRunRequest): readonly string[] {
    const ids = new Set<string>();
    const take = (item: vscode.TestItem) => {
      if (exclude.includes(item)) return;
      if (this.#controls.has(item.id)) ids.add(item.id);
      for (const [, child] of item.children) take(child);
    };
    if (include === undefined) for (const [, item] of this.#tests.items) take(item);
    else for (const item of include) take(item);
    return [...ids];
  }
}

function historyWords(recent: RecentOutcome | undefined): readonly string[] {
  if (recent === undefined) return [];
  const { outcome, since, bad, runs } = recent;
  return [
    since === undefined
      ? vscode.l10n.t('in the history: {0}', outcomeWord(outcome))
      : vscode.l10n.t('in the history: {0} since {1}', outcomeWord(outcome), since.slice(0, 10)),
    ...(bad === 0
      ? []
      : [
          runs === 1
            ? vscode.l10n.t('bad in the last run')
            : vscode.l10n.t('bad in {0} of the last {1} runs', bad, runs),
        ]),
  ];
}

function tell(run: vscode.TestRun, item: vscode.TestItem, result: ControlResult): void {
  const { outcome, ms } = result;
  const notes = result.notes.map(
    ({ file, line, message }) => `${file ?? ''}${line === undefined ? '' : `:${line}`} ${message}`,
  );
  const text = forMessage([result.message, ...notes].join(' '));
  const message = new vscode.TestMessage(messageText(text, result.control));
  message.contextValue = controlMessage;
  if (item.uri !== undefined) message.location = new vscode.Location(item.uri, lineRange(result.line));
  switch (outcome) {
    case 'pass':
    case 'warn':
      run.passed(item, ms);
      break;
    case 'fail':
      run.failed(item, message, ms);
      break;
    case 'waived':
      run.skipped(item);
      break;
    case 'error':
      run.errored(item, message, ms);
      break;
    default:
      outcome satisfies never;
  }
  run.appendOutput(
    `${outcomeWord(outcome)}: ${forLabel(controlName(result.control))}: ${text}\r\n`,
    undefined,
    item,
  );
}

/** Space at the end of the message for the button that the editor puts over its lower right corner. */
const linesForButton = ['', ''];

/** Puts the outcome on the first line, which the editor also shows next to the code, and then describes the control. */
function messageText(outcome: string, { id, severity, tags, description }: Control): string {
  const about = [id, severity, ...tags.map(tagWords)].join(' \u00b7 ');
  const described = description === undefined ? [] : ['', forLines(description)];
  return [outcome, forMessage(about), ...described, ...linesForButton].join('\n');
}

/** Reads the benchmarks. If a file is damaged, groups nothing and reports the problem. */
async function readTree(chosen: ControlGrouping | undefined): Promise<{
  readonly benchmarks: readonly Benchmark[];
  readonly problem?: ControlFileError;
}> {
  const root = controlRoot();
  if (root === undefined || (chosen !== undefined && chosen !== 'benchmark')) return { benchmarks: [] };
  try {
    const target = path.join(root, controlFolder, benchmarksName);
    // Pack controls appear under each of their benchmarks, and the view counts them each time, so group by benchmark
    // only if the user chose to.
    const read =
      chosen === undefined
        ? readBenchmarks(target, `${controlFolder}/${benchmarksName}`)
        : readFolderBenchmarks(root);
    return { benchmarks: await read };
  } catch (error) {
    if (error instanceof ControlFileError) return { benchmarks: [], problem: error };
    throw error;
  }
}

function problemItem(tests: vscode.TestController, problem: ControlFileError): vscode.TestItem {
  const root = controlRoot() ?? '';
  const item = tests.createTestItem(
    `problem:${benchmarksName}`,
    benchmarksName,
    vscode.Uri.file(path.join(root, controlFolder, benchmarksName)),
  );
  item.range = lineRange(problem.line);
  item.error = forMessage(problem.message);
  return item;
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, 0);
}
