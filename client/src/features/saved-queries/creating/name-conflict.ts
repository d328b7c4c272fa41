/** Lists the options when a name is taken, and shows the query that has it. Writes nothing. */
import * as vscode from 'vscode';
import { limits } from '#api/contract/limits.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { Draft } from '#core/saved-queries/merge-drafts.ts';
import { isSameText } from '#core/saved-queries/same-text.ts';
import { versionAndAuthor } from '../conflicts/conflict-view.ts';

export type NameWay =
  | { readonly kind: 'open' }
  /** Save the draft as the next version of the query that has the name. */
  | { readonly kind: 'version' }
  | { readonly kind: 'name'; readonly name: string }
  /** Type another name. */
  | { readonly kind: 'ask' };

/** @returns undefined if the user cancels: nothing is created, and the draft is kept. */
export async function settleName(of: {
  readonly draft: Draft;
  readonly holder: SavedQuery | undefined;
  readonly isTaken: (name: string) => boolean;
  /** Whether the draft may become the next version of the query that has the name. */
  readonly canReplace: boolean;
}): Promise<NameWay | undefined> {
  const { draft, holder } = of;
  const isSame = holder !== undefined && isSameText(holder.query_string, draft.query_string);
  const open = {
    way: 'open',
    label: vscode.l10n.t('Open It'),
    iconPath: new vscode.ThemeIcon('go-to-file'),
    detail: isSame
      ? vscode.l10n.t('It has the same text, so there is nothing to save.')
      : vscode.l10n.t('Your draft stays as it is.'),
  } as const;
  const version = {
    way: 'version',
    label: vscode.l10n.t('Save as Its Version {0}...', (holder?.version ?? 0) + 1),
    iconPath: new vscode.ThemeIcon('versions'),
    detail: vscode.l10n.t('Shows the changes first.'),
  } as const;
  const rename = {
    way: 'rename',
    label: vscode.l10n.t('Use Another Name...'),
    iconPath: new vscode.ThemeIcon('edit'),
    detail: vscode.l10n.t('Keeps both queries and suggests available names.'),
  } as const;
  const cancel = {
    way: 'cancel',
    label: vscode.l10n.t('Cancel'),
    iconPath: new vscode.ThemeIcon('close'),
    detail: vscode.l10n.t('Nothing is created. Your draft is unchanged.'),
  } as const;
  const isSameModel = holder?.model === draft.model;
  const fitting =
    holder === undefined
      ? [rename]
      : isSame
        ? [open, rename, ...(isSameModel || !of.canReplace ? [] : [version])]
        : [rename, ...(of.canReplace ? [version] : []), open];
  const chosen = await showQuickPick([...fitting, cancel], {
    title:
      holder === undefined
        ? vscode.l10n.t('"{0}" is taken by a query that cannot be read', draft.name)
        : vscode.l10n.t(
            '"{0}" is taken: {1}, model {2}',
            holder.name,
            versionAndAuthor(holder),
            holder.model,
          ),
    placeHolder: vscode.l10n.t('Nothing is created yet.'),
    ignoreFocusOut: true,
  });
  switch (chosen?.way) {
    case 'open':
    case 'version':
      return { kind: chosen.way };
    case 'rename':
      return await pickFreeName(draft, of.isTaken);
    case 'cancel':
    case undefined:
      return undefined;
    default:
      return chosen satisfies never;
  }
}

async function pickFreeName(draft: Draft, isTaken: (name: string) => boolean): Promise<NameWay | undefined> {
  const other = {
    label: vscode.l10n.t('Type Another Name...'),
    iconPath: new vscode.ThemeIcon('edit'),
    name: undefined,
  };
  const free = freeNames(draft, isTaken).map((name) => ({ label: name, name }));
  const chosen = await showQuickPick([...free, other], {
    title: vscode.l10n.t('Use Another Name'),
    placeHolder: vscode.l10n.t('These names are available.'),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  return chosen.name === undefined ? { kind: 'ask' } : { kind: 'name', name: chosen.name };
}

/** Returns up to three free names, most likely first. */
export function freeNames(
  draft: Pick<Draft, 'name' | 'model'>,
  isTaken: (name: string) => boolean,
): readonly string[] {
  const stem = draft.name.trim().replace(/ \(\d+\)$/, '');
  const withSuffix = (suffix: string) =>
    [...stem].slice(0, limits.savedQueryNameMax - suffix.length).join('') + suffix;
  const numbered: string[] = [];
  for (let number = 2; numbered.length < 2; number += 1) {
    const name = withSuffix(` (${number})`);
    if (!isTaken(name)) numbered.push(name);
  }
  const dated = withSuffix(` ${new Date().toISOString().slice(0, 10)}`);
  return [numbered[0], dated, numbered[1]]
    .filter((name) => name !== undefined)
    .filter((name) => !isTaken(name));
}
