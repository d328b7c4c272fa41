/** Asks which kinds of data to delete from this machine, and deletes them. Loaded on use. */
import * as vscode from 'vscode';
import { commands, type CommandId } from '#client/contributions.ts';
import { mayDestroy } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { languageId } from '#server/protocol.ts';

interface KindOfData {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** Clears this kind without a question if it gets `{ isConfirmed: true }`. */
  readonly command: CommandId;
}

/** @param ids the kinds to delete, instead of asking for them. */
export async function clearLocalData(ids: readonly string[] | undefined): Promise<void> {
  const kinds = kindsOfData(vscode.window.activeTextEditor?.document.languageId === languageId);
  const chosen = ids === undefined ? await pickKinds(kinds) : kinds.filter(({ id }) => ids.includes(id));
  if (chosen.length === 0) return;
  const isSure = await mayDestroy(
    chosen.length === 1
      ? vscode.l10n.t('Clear this from this machine: {0}?', chosen[0]?.label ?? '')
      : vscode.l10n.t('Clear {0} kinds of data from this machine?', chosen.length),
    {
      detail: [...chosen.map(({ label }) => label), vscode.l10n.t('The service keeps what it has.')].join(
        '\n',
      ),
      keep: vscode.l10n.t('Keep'),
      destroy: vscode.l10n.t('Clear'),
    },
  );
  if (!isSure) return;
  for (const { command } of chosen) await vscode.commands.executeCommand(command, { isConfirmed: true });
}

async function pickKinds(kinds: readonly KindOfData[]): Promise<readonly KindOfData[]> {
  const picked = await showQuickPick(kinds, {
    title: vscode.l10n.t('Clear Local Data'),
    placeHolder: vscode.l10n.t('Tick what to delete from this machine'),
    canPickMany: true,
    matchOnDetail: true,
  });
  return picked ?? [];
}

/** @param isInQuery whether a query is in the active editor. */
function kindsOfData(isInQuery: boolean): readonly KindOfData[] {
  return [
    {
      id: 'history',
      label: vscode.l10n.t('Run history'),
      detail: vscode.l10n.t('Texts, values and outcomes of earlier runs'),
      command: commands.historyClear,
    },
    {
      id: 'versions',
      label: vscode.l10n.t('Versions of saved queries'),
      detail: vscode.l10n.t('All versions seen here, for all connections; the service keeps its newest ones'),
      command: commands.savedQueriesClearLocalHistory,
    },
    {
      id: 'recent',
      label: vscode.l10n.t('Recently opened queries'),
      detail: vscode.l10n.t('The list in the Saved Queries view'),
      command: commands.savedQueriesClearRecent,
    },
    {
      id: 'parameters',
      label: vscode.l10n.t('Parameter values of all queries'),
      detail: vscode.l10n.t('The last values; named value sets remain'),
      command: commands.parametersForget,
    },
    ...(isInQuery
      ? [
          {
            id: 'queryParameters',
            label: vscode.l10n.t('Parameter values of this query'),
            detail: vscode.l10n.t('The last values of the query in the active editor'),
            command: commands.parametersForgetQuery,
          },
        ]
      : []),
    {
      id: 'functions',
      label: vscode.l10n.t('Accepted functions'),
      detail: vscode.l10n.t('You will be asked again before a query calls one of them'),
      command: commands.functionsForget,
    },
    {
      id: 'results',
      label: vscode.l10n.t('Kept results'),
      detail: vscode.l10n.t('Rows that were kept for comparison, also by -- @keep in the terminal'),
      command: commands.resultsForgetKept,
    },
    {
      id: 'changes',
      label: vscode.l10n.t('Finished changes'),
      detail: vscode.l10n.t('Their audit records can no longer be exported'),
      command: commands.changesClear,
    },
    {
      id: 'databases',
      label: vscode.l10n.t('Your PostgreSQL'),
      detail: vscode.l10n.t(
        'The password of a database that you choose next, and the queries saved for it here',
      ),
      command: commands.ownDataForget,
    },
  ];
}
