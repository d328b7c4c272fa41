/** Creates errors that explain why text was not saved, with remedies. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { commands } from '#client/contributions.ts';
import { ExpectedError, failureOf, type FailureAction } from '#core/failures/failure.ts';
import { isGone } from '#core/saved-queries/is-gone.ts';
import type { Conflict, KeptReason } from '#core/saved-queries/save-machine.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import { nameInUri } from '../records/saved-query-uri.ts';

/**
 * Returns the client to save with, after another attempt to connect if `connects`.
 * @throws ExpectedError if not connected: the text stays in the editor, unsaved.
 */
export async function clientToSave(
  connections: QueryConnections,
  uri: vscode.Uri,
  { name = nameInUri(uri), connects }: { readonly name: string | undefined; readonly connects: boolean },
): Promise<ServiceClient> {
  try {
    return (await connections.of(uri, { connects })).client;
  } catch (error) {
    if (connections.nameNow(uri) === undefined) throw error; // it says so itself
    throw notSaved(connections.isAway(uri) ? 'notSent' : 'unanswered', { name, uri, error });
  }
}

/** Returns the error for a failed save. The text stays in the editor, unsaved. */
export function notSaved(
  reason: KeptReason,
  of: { readonly name: string; readonly uri: vscode.Uri | undefined; readonly error?: unknown },
): ExpectedError {
  const { name } = of;
  const why = of.error === undefined ? '' : failureOf(of.error);
  const said = why === '' || why.kind === 'cancelled' ? '' : why.message;
  const options = { cause: of.error };
  const remedies = of.error instanceof ExpectedError ? of.error.actions : [];
  const failure = (message: string, actions: readonly FailureAction[] = []) =>
    new ExpectedError(message.trim(), actions, options);
  switch (reason) {
    case 'deleted':
      return failure(
        vscode.l10n.t('"{0}" was deleted. Your text is kept here; save it as a new query.', name),
        saveAsNew(of.uri),
      );
    case 'unsupported':
      return failure(
        vscode.l10n.t(
          'This service cannot update saved queries. Your text is kept here; save it as a new query.',
        ),
        saveAsNew(of.uri),
      );
    case 'notSent':
      return failure(
        vscode.l10n.t(
          '"{0}" was not saved: the service is not available. Your text is kept here; save again later. {1}',
          name,
          said,
        ),
        remedies,
      );
    case 'unanswered':
      return failure(
        vscode.l10n.t('"{0}" was not saved. Your text is kept here; save again. {1}', name, said),
        remedies,
      );
    case 'unknown':
      return failure(
        vscode.l10n.t(
          'It is not known whether "{0}" was saved. Your text is kept here; the next save checks first. {1}',
          name,
          said,
        ),
      );
    case 'newerUnread':
      return failure(
        vscode.l10n.t(
          `A colleague saved a newer version of "{0}", which can't be read now. Nothing was replaced; your text is kept here. {1}`,
          name,
          said,
        ),
      );
    case 'markers':
      return failure(
        vscode.l10n.t(
          '"{0}" still contains conflict markers (<<<<<<<). Resolve each conflict, then save.',
          name,
        ),
      );
    case 'overtaken':
      return failure(
        vscode.l10n.t(
          '"{0}" was not saved because its text changed during the save. Check it, then save again.',
          name,
        ),
      );
    case 'nameTaken':
    case 'refused':
      return said === ''
        ? failure(vscode.l10n.t('The service refused to save "{0}".', name))
        : failure(vscode.l10n.t('"{0}" was not saved. Your text is kept here. {1}', name, said));
    default:
      return reason satisfies never;
  }
}

/** Returns the error for a failed revert. The edits are kept, since there is no text to replace them. */
export function notReverted(uri: vscode.Uri, error: unknown): ExpectedError {
  const name = nameInUri(uri);
  if (isGone(error)) return notSaved('deleted', { name, uri });
  const why = failureOf(error);
  return new ExpectedError(
    vscode.l10n.t(
      '"{0}" was not reverted: the saved text could not be read. Your text is kept here; try again. {1}',
      name,
      why.kind === 'cancelled' ? '' : why.message,
    ),
    [],
    { cause: error },
  );
}

/** Returns the error for a save that is blocked by a colleague's version. */
export function inConflict(conflict: Conflict, uri: vscode.Uri): ExpectedError {
  return new ExpectedError(
    `${describeConflict(conflict)} ${vscode.l10n.t('Nothing was replaced; your text is kept here.')}`,
    [
      {
        title: vscode.l10n.t('Resolve...'),
        command: commands.conflictSettle,
        arguments: [{ uri: uri.toString() }],
      },
    ],
  );
}

/** Returns a message such as: "Orphans": anna saved version 4 while you edited version 3. */
export function describeConflict({ base, theirs }: Conflict): string {
  const author = theirs.last_modified_by?.id;
  if (base.version === 0) {
    return vscode.l10n.t(
      '"{0}": the version of your text is unknown. The service has version {1}.',
      theirs.name,
      theirs.version,
    );
  }
  return author === undefined
    ? vscode.l10n.t(
        '"{0}": version {1} was saved while you edited version {2}.',
        theirs.name,
        theirs.version,
        base.version,
      )
    : vscode.l10n.t(
        '"{0}": {1} saved version {2} while you edited version {3}.',
        theirs.name,
        author,
        theirs.version,
        base.version,
      );
}

function saveAsNew(uri: vscode.Uri | undefined): readonly FailureAction[] {
  if (uri === undefined) return [];
  return [
    {
      title: vscode.l10n.t('Save as New...'),
      command: commands.savedQuerySaveAsNew,
      arguments: [{ uri: uri.toString() }],
    },
  ];
}
