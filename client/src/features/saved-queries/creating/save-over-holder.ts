/**
 * Saves a draft as the next version of the query that has its name, after showing a diff. Replaces only that version.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { draftOf, type Draft } from '#core/saved-queries/merge-drafts.ts';
import { runSave } from '#core/saved-queries/run-save.ts';
import { settledOn } from '#core/saved-queries/save-machine.ts';
import { StoredForm } from '#core/saved-queries/stored-text.ts';
import { shortName, versionAndAuthor } from '../conflicts/conflict-view.ts';
import { notSaved } from '../saving/save-failures.ts';
import type { ComparedTexts } from './compared-texts.ts';

/**
 * @returns the saved record, or the current record that has the name if nothing was saved.
 * @throws ExpectedError if the service could not save it.
 */
export async function saveOverHolder(of: {
  readonly client: ServiceClient;
  readonly draft: Draft;
  readonly holder: SavedQuery;
  readonly compared: ComparedTexts;
}): Promise<{ readonly record?: SavedQuery; readonly holder?: SavedQuery }> {
  const { client, draft, holder } = of;
  const title = `${shortName(holder)}: ${versionAndAuthor(holder)} ↔ ${vscode.l10n.t('your draft')}`;
  await of.compared.show(
    { name: holder.name, text: holder.query_string },
    { name: draft.name, text: draft.query_string },
    title,
  );
  const next = holder.version + 1;
  const save = {
    label: vscode.l10n.t('Save as Version {0} of "{1}"', next, holder.name),
    iconPath: new vscode.ThemeIcon('save'),
    detail: vscode.l10n.t('Your draft replaces version {0}, shown on the left.', holder.version),
  };
  const back = {
    label: vscode.l10n.t('Back'),
    iconPath: new vscode.ThemeIcon('arrow-left'),
    detail: vscode.l10n.t('Nothing is saved.'),
  };
  const chosen = await showQuickPick([back, save], {
    title: vscode.l10n.t('Left: version {0}. Right: your draft.', holder.version),
    ignoreFocusOut: true,
  });
  if (chosen !== save) return {};
  const mine: Draft = {
    ...draftOf(holder),
    query_string: draft.query_string,
    model: draft.model,
    ...(draft.description === '' ? {} : { description: draft.description }),
  };
  const labels = () => ({ mine: vscode.l10n.t('mine'), theirs: versionAndAuthor(holder) });
  const outcome = await runSave(
    settledOn(holder),
    { kind: 'save', mine },
    { client, labels, stored: new StoredForm(), onRecord: () => undefined },
  );
  const effect = outcome?.effect;
  if (effect?.kind === 'saved') return { record: effect.record };
  if (effect?.kind === 'ask') return { holder: effect.conflict.theirs };
  if (effect?.kind === 'keep')
    throw notSaved(effect.reason, { name: holder.name, uri: undefined, error: outcome?.error });
  throw new ExpectedError(vscode.l10n.t('"{0}" was not saved. Try again.', holder.name));
}
