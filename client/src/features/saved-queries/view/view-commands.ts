/** Commands for the whole view: filter, groups, sort order, more rows, history. */
import * as vscode from 'vscode';
import { DisposableStore, type DisposableLike } from '#base/disposables.ts';
import type { Logger } from '#base/logger.ts';
import { isSingular } from '#base/translate.ts';
import { commands, type CommandId } from '#client/contributions.ts';
import type { Session } from '#client/session/session.ts';
import { answerTo } from '#client/ui/answer-to.ts';
import { confirmation, lenient, text } from '#client/ui/arguments.ts';
import { locale } from '#client/ui/locale.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { registerCommand } from '#client/ui/register-command.ts';
import { mayDestroy, showInformationMessage } from '#client/ui/shown/notifications.ts';
import { createInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { Arrangement, Grouping, Sorting } from '#core/saved-queries/arrange-queries.ts';
import type { VersionStore } from '#core/saved-queries/version-store.ts';
import type { RememberedQueries } from '../records/remembered-queries.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import type { ArrangementStore } from './arrangement-store.ts';
import type { SavedQueriesTree } from './saved-queries-tree.ts';

export interface ViewCommandsDependencies {
  readonly session: Session;
  readonly log: Logger;
  readonly store: SavedQueriesStore;
  readonly arrangement: ArrangementStore;
  readonly remembered: RememberedQueries;
  /** Versions on this machine. */
  readonly kept: VersionStore;
}

export function registerViewCommands(deps: ViewCommandsDependencies, tree: SavedQueriesTree): DisposableLike {
  const { log, session, store, arrangement, remembered, kept } = deps;
  const disposables = new DisposableStore();
  const register = (id: CommandId, handler: (given: string | undefined) => unknown) =>
    disposables.add(registerCommand(log, id, [lenient<string>(text)], handler));

  register(commands.savedQueriesRefresh, async () => {
    // After a refused sign-in, refreshing alone can't help, so say what can.
    if ((await session.ready()).kind === 'failed' && !session.mayConnect) session.requireClient();
    tree.lookForRecent();
    await namingFailure(
      (reason) => vscode.l10n.t('The saved queries could not be read: {0}', reason),
      async () => {
        await store.refresh();
        // The view says it too, but it may be hidden, or scrolled away from its remedies.
        if (store.state.kind === 'failed') throw store.state.error;
      },
    );
  });
  register(commands.savedQueriesShowMore, (groupKey) => {
    if (groupKey !== undefined) tree.showMore(groupKey);
  });
  register(commands.savedQueriesFilter, async (words) => {
    if (words !== undefined) arrangement.set({ filter: words });
    else if (arrangement.value.filter.trim() === '') await askForFilter(arrangement);
    else arrangement.set({ filter: '' });
  });
  register(commands.savedQueriesClearFilter, () => arrangement.set({ filter: '' }));
  register(commands.savedQueriesArrange, async (given) => {
    const choices = arrangementChoices(arrangement.value);
    const chosen =
      choices.find(({ value }) => value !== undefined && value === given) ??
      (await showQuickPick(choices, { title: vscode.l10n.t('Group or Sort Saved Queries By') }));
    if (chosen?.change !== undefined) arrangement.set(chosen.change);
  });
  register(commands.savedQueriesClearRecent, () => remembered.clearRecent());
  disposables.add(
    registerCommand(log, commands.savedQueriesClearLocalHistory, [confirmation], async (given) => {
      const isCleared =
        given?.isConfirmed === true ||
        (await mayDestroy(vscode.l10n.t('Clear the local history of saved queries?'), {
          detail: vscode.l10n.t(
            'All versions kept on this machine are deleted, for all connections. The service keeps its newest versions.',
          ),
          keep: vscode.l10n.t('Keep'),
          destroy: vscode.l10n.t('Clear'),
        }));
      if (!isCleared) return;
      const count = await kept.clear();
      void showInformationMessage(
        vscode.l10n.t(
          isSingular(count, locale())
            ? '{0} version was deleted from this machine.'
            : '{0} versions were deleted from this machine.',
          count,
        ),
      );
    }),
  );
  return disposables;
}

interface ArrangementChoice extends vscode.QuickPickItem {
  readonly value?: Grouping | Sorting;
  readonly change?: Partial<Arrangement>;
}

function arrangementChoices({ grouping, sorting }: Arrangement): readonly ArrangementChoice[] {
  const heading = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const choice = (label: string, detail: string | undefined, isNow: boolean) => ({
    label,
    ...(detail === undefined ? {} : { detail }),
    ...(isNow ? { description: vscode.l10n.t('now') } : {}),
  });
  const group = (value: Grouping, label: string, detail?: string) => ({
    ...choice(label, detail, value === grouping),
    value,
    change: { grouping: value },
  });
  const sort = (value: Sorting, label: string, detail?: string) => ({
    ...choice(label, detail, value === sorting),
    value,
    change: { sorting: value },
  });
  return [
    heading(vscode.l10n.t('Group By')),
    group(
      'prefix',
      vscode.l10n.t('Folder'),
      vscode.l10n.t('"Access reviews/Orphans" is in the folder "Access reviews"'),
    ),
    group('model', vscode.l10n.t('Model')),
    group('author', vscode.l10n.t('Author'), vscode.l10n.t('Who created the query')),
    group('none', vscode.l10n.t('Nothing'), vscode.l10n.t('One list')),
    heading(vscode.l10n.t('Sort By')),
    sort('name', vscode.l10n.t('Name')),
    sort('changed', vscode.l10n.t('Last Change'), vscode.l10n.t('Latest first')),
  ];
}

/** Prompts for a filter. The view updates while the user types, and stays filtered when the focus moves to its rows. */
async function askForFilter(arrangement: ArrangementStore): Promise<void> {
  const input = createInputBox();
  await answerTo<undefined>(input, (resolve) => {
    input.title = vscode.l10n.t('Filter Saved Queries');
    input.prompt = vscode.l10n.t(
      'Words in the name, description, model, author or SQL; leave empty to show all',
    );
    input.value = arrangement.value.filter;
    input.onDidChangeValue((filter) => arrangement.set({ filter }));
    input.onDidAccept(() => resolve(undefined));
  });
}
