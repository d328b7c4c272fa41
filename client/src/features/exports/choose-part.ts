/** Finds an export's partial file, from the given row or picked by the user. */
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '#client/contributions.ts';
import { mayDestroy } from '#client/ui/shown/notifications.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { contextTitle } from '#core/exports/context-title.ts';
import { PartInUseError, type KnownExport } from '#core/exports/export-store.ts';
import { partWords } from '#core/exports/format-part.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { Exports, FoundPart } from './exports.ts';

/** Asks before replacing a file at the target that is not from this export. */
export async function mayReplace(target: string): Promise<boolean> {
  return await mayDestroy(
    vscode.l10n.t('{0} already exists. Replace it when the export is complete?', path.basename(target)),
    { detail: target, keep: vscode.l10n.t('Keep'), destroy: vscode.l10n.t('Replace') },
  );
}

/**
 * If no row is given, returns the only partial file or the one the user picks; undefined if the user cancels.
 * @throws ExpectedError if there is none.
 */
export async function choosePart(
  exports: Exports,
  chosen: KnownExport | undefined,
): Promise<FoundPart | undefined> {
  await exports.refresh();
  if (chosen === undefined) {
    const [first, ...others] = exports.left;
    if (first !== undefined && others.length === 0) return first;
    if (first !== undefined) return await pickPart(exports.left);
    throw new ExpectedError(vscode.l10n.t('This connection has no partial exports.'));
  }
  const known = exports.known.find(({ id }) => id === chosen.id) ?? chosen;
  const state = exports.partOf(known);
  if (state?.kind === 'left') return { known, state };
  if (state !== undefined) throw new PartInUseError(state.part.target);
  const part = known.parts?.[0];
  const saveAnew = {
    title: vscode.l10n.t('Save...'),
    command: commands.exportsSave,
    arguments: [{ id: known.id }],
  };
  throw new ExpectedError(
    part === undefined
      ? vscode.l10n.t('The export "{0}" has no partial file.', contextTitle(known.context))
      : vscode.l10n.t(
          'The partial file for the export "{0}" is no longer in {1}. Save it again.',
          contextTitle(known.context),
          path.dirname(part.target),
        ),
    [saveAnew],
  );
}

async function pickPart(left: readonly FoundPart[]): Promise<FoundPart | undefined> {
  const picked = await showQuickPick(
    left.map((found) => ({
      label: contextTitle(found.known.context),
      description: partWords(found.state),
      detail: found.state.part.target,
      found,
    })),
    { title: vscode.l10n.t('Partial Exports'), matchOnDetail: true },
  );
  return picked?.found;
}
