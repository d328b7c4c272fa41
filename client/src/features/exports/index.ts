/** Registers the export features: create, follow, save, and open in the result panel. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import { commands, contextKeys, views } from '#client/contributions.ts';
import type { FeatureDependencies } from '#client/session/feature-dependencies.ts';
import { memoryIn } from '#client/session/memory-in.ts';
import { commandsIn } from '#client/ui/register-command.ts';
import { showErrorMessage, showInformationMessage } from '#client/ui/shown/notifications.ts';
import { contextTitle } from '#core/exports/context-title.ts';
import type { KnownExport } from '#core/exports/export-store.ts';
import { partWords } from '#core/exports/format-part.ts';
import { linkEndOf } from '#core/exports/link-end.ts';
import type { ActivityFeature } from '../activity/index.ts';
import type { ResultsFeature } from '../results/index.ts';
import { ExportCommands } from './export-commands.ts';
import { ExportsTree } from './exports-tree.ts';
import { Exports, type FoundPart } from './exports.ts';

export interface ExportsDependencies extends FeatureDependencies {
  readonly results: ResultsFeature;
  readonly activity: ActivityFeature;
}

export function registerExports(deps: ExportsDependencies): DisposableLike {
  const { context, log, session, results, activity } = deps;
  const disposables = new DisposableStore();
  const exports = disposables.add(
    new Exports({ session, log, memory: memoryIn(context.globalStorageUri.fsPath) }),
  );
  const tree = disposables.add(new ExportsTree(exports));
  activity.add(tree);
  const closing = new AbortController();
  disposables.add({ dispose: () => closing.abort() });
  disposables.add(followParts(exports));
  disposables.add(exports.onDidFindParts((found) => void offerToContinue(found)));
  disposables.add(exports.onDidEnd((known) => void announce(known)));
  new ExportCommands({ session, results, exports, closing: closing.signal }).register(
    commandsIn(disposables, log),
  );
  return { dispose: () => disposables.dispose() };
}

/** Keeps the context key that says whether a partial file can be resumed. */
function followParts(exports: Exports): DisposableLike {
  let isKnown = false;
  return exports.onDidChange(() => {
    const isPartial = exports.left.length > 0;
    if (isPartial === isKnown) return;
    isKnown = isPartial;
    void vscode.commands.executeCommand('setContext', contextKeys.hasPartialExports, isPartial);
  });
}

async function announce(known: KnownExport): Promise<void> {
  const title = contextTitle(known.context);
  if (known.status !== 'completed') {
    const why = known.error === undefined ? '' : `: ${known.error.message} (${known.error.code})`;
    void showErrorMessage(vscode.l10n.t('The export "{0}" failed{1}', title, why));
    return;
  }
  if ((linkEndOf(known) ?? Infinity) <= Date.now()) {
    const again = vscode.l10n.t('Create Again');
    const message = vscode.l10n.t(
      'The link to the file of "{0}" has expired. Create the export again.',
      title,
    );
    if ((await showErrorMessage(message, again)) === again)
      await vscode.commands.executeCommand(commands.exportsCreateAgain, { id: known.id });
    return;
  }
  const save = vscode.l10n.t('Save...');
  const open = vscode.l10n.t('Open in Results');
  const answer = await showInformationMessage(vscode.l10n.t('The export "{0}" is ready.', title), save, open);
  const command =
    answer === save ? commands.exportsSave : answer === open ? commands.openInResults : undefined;
  if (command !== undefined) await vscode.commands.executeCommand(command, { id: known.id });
}

/** Shows one notification for all partial files. Nothing resumes automatically, to save disk space and bandwidth. */
async function offerToContinue(found: readonly FoundPart[]): Promise<void> {
  const [first, ...others] = found;
  if (first === undefined) return;
  const isOne = others.length === 0;
  const message = isOne
    ? vscode.l10n.t(
        'The export "{0}" is partial: {1}.',
        contextTitle(first.known.context),
        partWords(first.state),
      )
    : vscode.l10n.t('{0} exports are partial.', found.length);
  const action = isOne ? vscode.l10n.t('Continue Saving') : vscode.l10n.t('Show Activity');
  if ((await showInformationMessage(message, action)) === undefined) return;
  if (isOne) await vscode.commands.executeCommand(commands.exportsContinue, { id: first.known.id });
  else await vscode.commands.executeCommand(`${views.activity}.focus`);
}
