/** Controls in the Testing view, which is created when the window's first control is found. */
import * as vscode from 'vscode';
import { type DisposableLike, DisposableStore } from '#base/disposables.ts';
import { errorName } from '#base/errors.ts';
import { commands, contextKeys } from '#client/contributions.ts';
import { anything } from '#client/ui/arguments.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import type { ControlTests } from './control-tests.ts';
import type { ControlsDependencies } from './dependencies.ts';
import type { EditorControl } from './find-editor-controls.ts';
import type { WatchedControls } from './watch-controls.ts';

export { KeptOutcomes } from './kept-outcomes.ts';

/** Delay that turns a burst of changes into one scan. */
const settleMs = 1_000;

export interface ControlsFeature extends DisposableLike {
  /** Scans immediately; resolves when the Testing view is up to date. */
  readonly find: () => Promise<void>;
}

interface ControlParts {
  readonly tests: ControlTests;
  readonly watched: WatchedControls;
}

export function registerControls(deps: ControlsDependencies): ControlsFeature {
  const controls = new FoundControls(deps);
  controls.registerCommands();
  controls.watchSources();
  return controls;
}

/** Finds and shows the window's controls, and rescans when their sources change. */
class FoundControls implements ControlsFeature {
  readonly #deps: ControlsDependencies;
  readonly #disposables = new DisposableStore();
  #isDisposed = false;
  #timer: NodeJS.Timeout | undefined;
  /** Created when the first control is found, and only once, even if two concurrent scans find it. */
  #parts: Promise<ControlParts> | undefined;
  #scan: AbortController | undefined;
  #latest: Promise<void> = Promise.resolve();
  #controls: readonly EditorControl[] = [];

  constructor(deps: ControlsDependencies) {
    this.#deps = deps;
  }

  readonly find = async (): Promise<void> => {
    this.#findNow();
    // A newer scan replaces this one; wait for it as well.
    for (let awaited: unknown; awaited !== this.#latest;) {
      awaited = this.#latest;
      await this.#latest;
    }
  };

  /** Each handler loads on first use, since most windows have no controls. */
  registerCommands(): void {
    const deps = this.#deps;
    const on = commandsIn(this.#disposables, deps.log);
    on(commands.controlShowRows, [anything], async (argument) => {
      const { showRows } = await import('./control-commands.ts');
      await showRows(deps, argument);
    });
    on(commands.controlWaiveRow, [anything], async (argument) => {
      const { waiveRowOf } = await import('./control-commands.ts');
      await waiveRowOf(deps, argument);
    });
    on(commands.controlCompareBaseline, [anything], async (argument) => {
      const { compareBaselineOf } = await import('./control-commands.ts');
      await compareBaselineOf(deps, argument);
    });
    on(commands.controlWatch, [anything], async (argument) => {
      const control = await this.#controlAt(argument);
      if (control !== undefined) await (await this.#parts)?.watched.toggle(control);
    });
    on(commands.controlsGroupBy, [anything], async (given) => {
      const { groupControlsBy } = await import('./control-commands.ts');
      await groupControlsBy(deps, given);
      this.#findSoon();
    });
    on(commands.controlsDigestKey, [], async () => {
      const { setDigestKey } = await import('./digest-key.ts');
      await setDigestKey(deps);
    });
    on(commands.controlsState, [], async () => (await this.#parts)?.tests.state());
  }

  watchSources(): void {
    const disposables = this.#disposables;
    const soon = () => this.#findSoon();
    const beside = '**/.identity-queries';
    for (const files of ['**/*.identity.sql', `${beside}/benchmarks.json`, `${beside}/history/*.jsonl`]) {
      const watcher = disposables.add(vscode.workspace.createFileSystemWatcher(files));
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
        disposables.add(event(soon));
    }
    disposables.add(this.#deps.onDidChangeFiles(soon));
    disposables.add(this.#deps.queries.onDidChange(soon));
    disposables.add(this.#deps.session.onDidChangeState(soon));
    soon();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#scan?.abort();
    this.#disposables.dispose();
  }

  #findSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#findNow(), settleMs);
  }

  #findNow(): void {
    clearTimeout(this.#timer);
    this.#latest = this.#look().catch((error: unknown) =>
      this.#deps.log.warn(`controls were not found: ${errorName(error)}`),
    );
  }

  async #look(): Promise<void> {
    this.#scan?.abort();
    this.#scan = new AbortController();
    const { signal } = this.#scan;
    const { findEditorControls } = await import('./find-editor-controls.ts');
    if (this.#isDisposed) return;
    const found = await findEditorControls(this.#deps, signal);
    // Without controls, the icon in the activity bar would only be in the way.
    if (signal.aborted || (this.#parts === undefined && found.controls.length === 0)) return;
    this.#controls = found.controls;
    const parts = await (this.#parts ??= this.#createParts());
    await parts.tests.show(found);
    void parts.watched.lookIfDue();
  }

  async #createParts(): Promise<ControlParts> {
    const { ControlTests } = await import('./control-tests.ts');
    const { WatchedControls } = await import('./watch-controls.ts');
    const watched = this.#disposables.add(
      new WatchedControls({ ...this.#deps, controls: () => this.#controls }),
    );
    const tests = this.#disposables.add(
      new ControlTests(this.#deps, { watched, onRefresh: () => this.find() }),
    );
    await vscode.commands.executeCommand('setContext', contextKeys.hasControls, true);
    return { tests, watched };
  }

  async #controlAt(argument: unknown): Promise<EditorControl | undefined> {
    const { uriOfControl } = await import('./control-commands.ts');
    const id = (await uriOfControl(argument)).toString();
    const isIt = ({ uri }: EditorControl) => uri.toString() === id;
    if (!this.#controls.some(isIt)) await this.find();
    return this.#controls.find(isIt);
  }
}
