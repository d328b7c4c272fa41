/** Delete Saved Query: asks once and names what goes; the deleted text can be created again. */
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../../api/client/client.ts';
import type { SavedQuery } from '../../../../../api/contract/saved-queries.ts';

/** @returns whether it was deleted. */
export async function deleteQuery(client: ServiceClient, query: SavedQuery): Promise<boolean> {
  const deleteIt = vscode.l10n.t('Delete');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete the saved query "{0}" for everybody?', query.name),
    { modal: true, detail: vscode.l10n.t('Version {0}, model {1}.', query.version, query.model) },
    deleteIt,
  );
  if (chosen !== deleteIt) return false;
  await client.savedQueries.delete(query.query_id);
  return true;
}

/** Offers to create a deleted query again, under a new id. @returns the new record. */
export async function offerCreateAgain(
  client: ServiceClient,
  query: SavedQuery,
): Promise<SavedQuery | undefined> {
  const again = vscode.l10n.t('Create Again');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('"{0}" was deleted.', query.name),
    again,
  );
  if (chosen !== again) return undefined;
  return await client.savedQueries.create({
    name: query.name,
    query_string: query.query_string,
    model: query.model,
    ...(typeof query.description === 'string' ? { description: query.description } : {}),
  });
}
