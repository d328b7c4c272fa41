/** Controls in the Testing view. Created with a window's first control. */
import * as vscode from 'vscode';
import type { DisposableLike } from '../../../../core/src/util/disposables.ts';
import { DisposableStore } from '../../../../core/src/util/disposables.ts';
import { errorName } from '../../../../core/src/util/errors.ts';
import { commands, contextKeys, settings, settingsSection } from '../../contributions.ts';
import { anything } from '../../ui/arguments.ts';
import { commandsIn } from '../../ui/register-command.ts';
import type { ControlTests } from './control-tests.ts';
import type { ControlsDependencies } from './dependencies.ts';
import type { EditorControl } from './find-editor-controls.ts';
import type { WatchedControls } from './watch-controls.ts';

export { KeptOutcomes } from './kept-outcomes.ts';

/** A burst of changes triggers one scan. */
const settleMs = 1_000;

export interface ControlsFeature extends DisposableLike {
  /** Scans now; resolves when the Testing view is up to date. */
  readonly find: () => Promise<void>;
}

interface ControlParts {
  readonly tests: ControlTests;
  readonly watched: WatchedControls;
}

export function registerControls(deps: ControlsDependencies): ControlsFeature {
  const disposables = new DisposableStore();
  let isDisposed = false;
  let timer: NodeJS.Timeout | undefined;
  let parts: ControlParts | undefined;
  let controller: AbortController | undefined;
  let controls: readonly EditorControl[] = [];
  const look = async () => {
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    const { findEditorControls } = await import('./find-editor-controls.ts');
    if (isDisposed) return;
    const found = await findEditorControls(deps, signal);
    // An icon in the activity bar of every window would be in the way of those who have no control.
    if (signal.aborted || (parts === undefined && found.length === 0)) return;
    controls = found;
    if (parts === undefined) {
      const { ControlTests } = await import('./control-tests.ts');
      const { WatchedControls } = await import('./watch-controls.ts');
      const watched = disposables.add(new WatchedControls({ ...deps, controls: () => controls }));
      const tests = disposables.add(new ControlTests(deps, { watched, onRefresh: () => find() }));
      parts = { tests, watched };
      await vscode.commands.executeCommand('setContext', contextKeys.hasControls, true);
    }
    await parts.tests.show(found);
    void parts.watched.lookIfDue();
  };
  let latest = Promise.resolve();
  const lookNow = () => {
    clearTimeout(timer);
    latest = look().catch((error: unknown) => deps.log.warn(`controls were not found: ${errorName(error)}`));
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(lookNow, settleMs);
  };
  const find = async () => {
    lookNow();
    // A newer scan cancels this one.
    for (let awaited: unknown; awaited !== latest;) {
      awaited = latest;
      await latest;
    }
  };
  const on = commandsIn(disposables, deps.log);
  // Loaded with the first command: most windows have no control.
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
  const controlAt = async (argument: unknown) => {
    const { uriOfControl } = await import('./control-commands.ts');
    const id = (await uriOfControl(argument)).toString();
    const isIt = ({ uri }: EditorControl) => uri.toString() === id;
    if (!controls.some(isIt)) await find();
    return controls.find(isIt);
  };
  on(commands.controlWatch, [anything], async (argument) => {
    const control = await controlAt(argument);
    if (control !== undefined) await parts?.watched.watch(control);
  });
  on(commands.controlStopWatching, [anything], async (argument) => {
    const control = await controlAt(argument);
    if (control !== undefined) await parts?.watched.stop(control.key);
  });
  on(commands.controlsGroupBy, [], async () => {
    const { groupControlsBy } = await import('./control-commands.ts');
    await groupControlsBy();
  });
  on(commands.controlsDigestKey, [], async () => {
    const { setDigestKey } = await import('./digest-key.ts');
    await setDigestKey(deps);
  });
  on(commands.controlsState, [], () => parts?.tests.state());
  for (const files of ['**/*.identity.sql', '**/.identity-queries/benchmarks.json']) {
    const watcher = disposables.add(vscode.workspace.createFileSystemWatcher(files));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      disposables.add(event(soon));
  }
  disposables.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${settingsSection}.${settings.controlsGroupBy}`)) soon();
    }),
  );
  disposables.add(deps.onDidChangeFiles(soon));
  disposables.add(deps.queries.onDidChange(soon));
  disposables.add(deps.session.onDidChangeState(soon));
  soon();
  return {
    find,
    dispose: () => {
      isDisposed = true;
      clearTimeout(timer);
      controller?.abort();
      disposables.dispose();
    },
  };
}
