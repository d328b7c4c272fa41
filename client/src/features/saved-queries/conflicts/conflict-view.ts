/** Shows a conflict as a diff of both sides, and offers the actions in a notification. Makes no decisions. */
import * as vscode from 'vscode';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { showWarningMessage } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { Conflict } from '#core/saved-queries/save-machine.ts';
import { describeConflict } from '../saving/save-failures.ts';
import { showDifference } from '../versions/version-documents.ts';

/** The ways to resolve or inspect a conflict. */
export type Way = 'saveMine' | 'takeTheirs' | 'merge' | 'saveAsNew' | 'compare';

export async function showConflict(uri: vscode.Uri, conflict: Conflict): Promise<void> {
  await showDifference(conflict.theirs, uri, conflictTitle(conflict));
}

export function conflictTitle({ base, theirs }: Conflict): string {
  const mine =
    base.version === 0 ? vscode.l10n.t('yours') : vscode.l10n.t('yours, from version {0}', base.version);
  return `${shortName(theirs)}: ${versionAndAuthor(theirs)} ↔ ${mine}`;
}

export async function showMerged(uri: vscode.Uri, theirs: SavedQuery): Promise<void> {
  await showDifference(theirs, uri, mergedTitle(theirs));
}

export function mergedTitle(theirs: SavedQuery): string {
  return `${shortName(theirs)}: ${versionAndAuthor(theirs)} ↔ ${vscode.l10n.t('merged with yours')}`;
}

/** Returns the name without its groups, since tabs are narrow. */
export function shortName({ name }: Pick<SavedQuery, 'name'>): string {
  return name.slice(name.lastIndexOf('/') + 1) || name;
}

export function versionAndAuthor({ version, last_modified_by: author }: SavedQuery): string {
  return author === undefined
    ? vscode.l10n.t('version {0}', version)
    : vscode.l10n.t('version {0} by {1}', version, author.id);
}

/** Returns the actions, with labels short enough for one line of code lenses in a small window. */
export function waysOf(
  conflict: Conflict,
): readonly { readonly way: Way; readonly title: string; readonly icon: string; readonly detail: string }[] {
  const { theirs, merge } = conflict;
  const isClean = merge.text.kind === 'clean';
  return [
    {
      way: 'merge',
      icon: 'git-merge',
      title: vscode.l10n.t('Merge'),
      detail: isClean
        ? vscode.l10n.t("The changes don't overlap. Both go into the editor; nothing is saved yet.")
        : vscode.l10n.t('Both go into the editor, with markers where they overlap. Nothing is saved yet.'),
    },
    {
      way: 'saveMine',
      icon: 'save',
      title: vscode.l10n.t('Save Mine'),
      detail: vscode.l10n.t(
        'Your text replaces version {0}, which stays in the local history.',
        theirs.version,
      ),
    },
    {
      way: 'takeTheirs',
      icon: 'cloud-download',
      title: vscode.l10n.t('Take Theirs'),
      detail: vscode.l10n.t('Version {0} replaces your text. Undo restores yours.', theirs.version),
    },
    {
      way: 'compare',
      icon: 'diff',
      title: vscode.l10n.t('Compare'),
      detail: vscode.l10n.t('Theirs on the left, yours on the right.'),
    },
    {
      way: 'saveAsNew',
      icon: 'save-as',
      title: vscode.l10n.t('Save as New...'),
      detail: vscode.l10n.t('Keeps both texts under two names.'),
    },
  ];
}

/**
 * Resolves when the user responds to the notification or closes it; does not take the focus. Three short buttons fit in
 * every language: Merge comes first, since it loses nothing, and `more` opens the full list.
 */
export async function offerWays(conflict: Conflict): Promise<Way | 'more' | undefined> {
  const ways = [
    { way: 'merge', title: vscode.l10n.t('Merge') },
    { way: 'saveMine', title: vscode.l10n.t('Save Mine') },
  ] as const;
  const more = vscode.l10n.t('More...');
  const message = `${describeConflict(conflict)} ${vscode.l10n.t('Nothing is saved yet.')}`;
  const chosen = await showWarningMessage(message, ...ways.map(({ title }) => title), more);
  if (chosen === more) return 'more';
  return ways.find(({ title }) => title === chosen)?.way;
}

/** Offers the same actions as a list next to the diff, for keyboard users. */
export async function pickWay(conflict: Conflict): Promise<Way | undefined> {
  const items = waysOf(conflict).map(({ way, icon, title, detail }) => ({
    way,
    label: title,
    iconPath: new vscode.ThemeIcon(icon),
    detail,
  }));
  const chosen = await showQuickPick(items, {
    title: describeConflict(conflict),
    placeHolder: vscode.l10n.t('Nothing is saved yet.'),
  });
  return chosen?.way;
}
