/** Controls in the Testing view. Nothing of it is there before a window has a control. */
import * as vscode from 'vscode';
import type { DisposableLike } from '../../../../core/src/util/disposables.ts';
import { DisposableStore } from '../../../../core/src/util/disposables.ts';
import { errorName } from '../../../../core/src/util/errors.ts';
import { commands } from '../../contributions.ts';
import { anything } from '../../ui/arguments.ts';
import { commandsIn } from '../../ui/register-command.ts';
import type { ControlsDependencies } from './dependencies.ts';

/** What changes in a burst is looked at once. */
const settleMs = 1_000;

export interface ControlsFeature extends DisposableLike {
  /** Looks now, and is done when the Testing view has what is there. */
  readonly find: () => Promise<void>;
}

export function registerControls(deps: ControlsDependencies): ControlsFeature {
  const disposables = new DisposableStore();
  let isDisposed = false;
  let timer: NodeJS.Timeout | undefined;
  let refresh: (() => Promise<void>) | undefined;
  let controller: AbortController | undefined;
  const look = async () => {
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    const { findEditorControls, ControlTests } = await import('./control-tests.ts');
    if (isDisposed) return;
    if (refresh === undefined) {
      // An icon in the activity bar of every window would be in the way of those who have no control.
      const found = await findEditorControls(deps, signal);
      if (found.length === 0 || signal.aborted) return;
      const tests = disposables.add(new ControlTests(deps));
      refresh = () => tests.refresh();
    }
    await refresh();
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
    // A look that begins meanwhile ends this one early.
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
  const watcher = disposables.add(vscode.workspace.createFileSystemWatcher('**/*.identity.sql'));
  disposables.add(watcher.onDidCreate(soon));
  disposables.add(watcher.onDidChange(soon));
  disposables.add(watcher.onDidDelete(soon));
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
