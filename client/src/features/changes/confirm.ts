/**
 * The confirmation for a change: lists targets and effects, and in a protected environment asks for the connection's
 * name.
 */
import * as vscode from 'vscode';
import { nameAndPlace } from '#client/ui/connection-labels.ts';
import { locale } from '#client/ui/locale.ts';
import { mayDestroy } from '#client/ui/shown/notifications.ts';
import { showInputBox } from '#client/ui/shown/prompts.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import type { OperationKind } from '#core/changes/change.ts';
import type { PreviewedTarget } from '#core/changes/preview.ts';
import type { ConnectionProfile } from '#core/connections/connection-profile.ts';
import { operationWords } from './change-labels.ts';

/** Maximum number of names to list; the others are only counted. */
const shownMax = 15;

/** Returns the confirmed targets, or undefined if the user cancels. `taken`: the column of the IDs, if none was asked for. */
export async function confirmChange(
  kind: OperationKind,
  targets: readonly PreviewedTarget[],
  { profile, taken }: { readonly profile: ConnectionProfile; readonly taken: string | undefined },
): Promise<readonly PreviewedTarget[] | undefined> {
  const chosen = targets.length === 1 ? targets : await choose(kind, targets);
  if (chosen === undefined || chosen.length === 0) return undefined;
  const words = operationWords(kind);
  const button = words.button(chosen.length);
  const names = chosen.slice(0, shownMax).map(lineOf);
  const more = chosen.length - names.length;
  const isProtected = vscode.l10n.t('{0} is a protected environment', nameAndPlace(profile));
  const detail = [
    ...(profile.protected ? [isProtected, ''] : []),
    ...names,
    ...(more > 0 ? [vscode.l10n.t('and {0} more', more.toLocaleString(locale()))] : []),
    ...(taken === undefined ? [] : ['', takenWords(taken, chosen.length)]),
    '',
    ...(words.more === undefined ? [words.effect] : [words.effect, words.more]),
  ].join('\n');
  const isWanted = await mayDestroy(vscode.l10n.t('{0} on "{1}"?', button, nameAndPlace(profile)), {
    detail,
    keep: vscode.l10n.t('Do Not Change'),
    destroy: button,
  });
  if (!isWanted) return undefined;
  if (!profile.protected) return chosen;
  const typed = await showInputBox({
    title: isProtected,
    prompt: vscode.l10n.t('Type {0} to continue', profile.name),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === profile.name
        ? undefined
        : vscode.l10n.t('The name of the connection, exactly: {0}', profile.name),
  });
  return typed === profile.name ? chosen : undefined;
}

async function choose(
  kind: OperationKind,
  targets: readonly PreviewedTarget[],
): Promise<readonly PreviewedTarget[] | undefined> {
  const items = targets.map((target) => ({
    label: target.label,
    description: noteOf(target),
    // Targets that are missing or already done start unchecked.
    picked: !target.isDone && target.isKnown !== false,
    target,
  }));
  const chosen = await showQuickPick(items, {
    title:
      targets.length === 1
        ? vscode.l10n.t('{0}: 1 target', operationWords(kind).title)
        : vscode.l10n.t(
            '{0}: {1} targets',
            operationWords(kind).title,
            targets.length.toLocaleString(locale()),
          ),
    placeHolder: vscode.l10n.t('Uncheck anything that should not change'),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  return chosen?.map(({ target }) => target);
}

function takenWords(column: string, count: number): string {
  return count === 1
    ? vscode.l10n.t('The ID is from the column "{0}".', column)
    : vscode.l10n.t('The IDs are from the column "{0}".', column);
}

function lineOf(target: PreviewedTarget): string {
  const note = noteOf(target);
  return note === '' ? `• ${target.label}` : `• ${target.label}: ${note}`;
}

function noteOf({ operation, isDone, isKnown }: PreviewedTarget): string {
  if (operation.kind === 'disable-account') {
    if (isDone) return vscode.l10n.t('already disabled');
    return isKnown === false ? vscode.l10n.t('no such account was found') : '';
  }
  return isDone || isKnown === false ? vscode.l10n.t('no direct assignment was found') : '';
}
