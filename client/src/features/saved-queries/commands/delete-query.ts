/**
 * Delete Saved Query: asks for confirmation once, naming the query, and can recreate the query from the deleted text.
 */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { ConflictError } from '#api/client/errors.ts';
import type { SavedQuery } from '#api/contract/saved-queries.ts';
import { isHere } from '#client/session/is-here.ts';
import { hasEdits } from '#client/ui/has-edits.ts';
import { showInformationMessage, mayDestroy } from '#client/ui/shown/notifications.ts';
import { ExpectedError, failureOf } from '#core/failures/failure.ts';
import { isUnanswered } from '#core/saved-queries/edit-record.ts';
import { isGone } from '#core/saved-queries/is-gone.ts';
import { freeName } from '#core/saved-queries/query-name.ts';
import { runDelete } from '#core/saved-queries/run-delete.ts';
import { isOnlyReshaped } from '#core/saved-queries/stored-text.ts';
import type { Connected } from '../records/connected.ts';
import { isNotOffered } from '../records/explain-failure.ts';
import { openDocumentOf } from '../records/open-document.ts';
import type { QueryConnections } from '../records/query-connection.ts';
import type { QueryNews } from '../records/query-news.ts';
import type { RememberedQueries } from '../records/remembered-queries.ts';
import type { SavedQueriesStore } from '../records/saved-queries-store.ts';
import { showQuery, type ShowQueryDependencies } from './show-query.ts';

/**
 * @param query the newest version when the command starts.
 * @returns the deleted record, or undefined if the user declines. The question names the record, so it is asked again
 * if a newer version appears in the meantime.
 */
export async function deleteQuery(
  { connections, news }: { readonly connections: QueryConnections; readonly news: QueryNews },
  { client, connection }: Connected,
  query: SavedQuery,
): Promise<SavedQuery | undefined> {
  let named = query;
  for (let before: SavedQuery | undefined; ;) {
    const document = openDocumentOf(connections, connection, query.query_id);
    if (!(await confirm(named, before, hasEdits(document)))) return undefined;
    const newest = await newestOrGone(client, named.query_id);
    if (newest === undefined) break;
    if (newest.version === named.version) {
      await deleteOnce(client, named);
      break;
    }
    [before, named] = [named, newest];
  }
  news.noteDeleted(connection, named);
  return named;
}

async function confirm(
  query: SavedQuery,
  before: SavedQuery | undefined,
  hasUnsavedEdits: boolean,
): Promise<boolean> {
  const author = query.last_modified_by?.id;
  const facts = [
    before === undefined
      ? undefined
      : vscode.l10n.t('It has changed in the meantime: the newest version is {0}.', query.version),
    author === undefined
      ? vscode.l10n.t('Version {0}, model {1}.', query.version, query.model)
      : vscode.l10n.t('Version {0}, model {1}, last changed by {2}.', query.version, query.model, author),
    hasUnsavedEdits ? vscode.l10n.t('Your unsaved edits stay in the editor.') : undefined,
  ];
  return await mayDestroy(vscode.l10n.t('Delete the saved query "{0}" for all users?', query.name), {
    detail: facts.filter((fact) => fact !== undefined).join('\n'),
    keep: vscode.l10n.t('Keep'),
    destroy: vscode.l10n.t('Delete'),
  });
}

/** Returns undefined if a colleague has already deleted the query. */
async function newestOrGone(client: ServiceClient, queryId: string): Promise<SavedQuery | undefined> {
  try {
    return await client.savedQueries.get(queryId);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/**
 * Deletes a query. If there is no response, looks the query up: if it is missing, it was deleted.
 * @throws ExpectedError if it still exists, or if that cannot be determined.
 */
async function deleteOnce(client: ServiceClient, { query_id: queryId, name }: SavedQuery): Promise<void> {
  const outcome = await runDelete(client, queryId);
  switch (outcome.kind) {
    case 'deleted':
      return;
    case 'unsupported':
      throw new ExpectedError(vscode.l10n.t('This service does not delete saved queries.'), [], {
        cause: outcome.error,
      });
    case 'unknown':
      throw new ExpectedError(
        vscode.l10n.t(
          'It is not known whether "{0}" was deleted. Refresh the view when the service is back.',
          name,
        ),
        [],
        { cause: outcome.error },
      );
    case 'failed': {
      const { error } = outcome;
      if (!isUnanswered(error)) throw error;
      const why = failureOf(error);
      throw new ExpectedError(
        vscode.l10n
          .t(
            '"{0}" was not deleted: the service did not carry it out. Try again. {1}',
            name,
            why.kind === 'cancelled' ? '' : why.message,
          )
          .trim(),
        [],
        { cause: error },
      );
    }
    default:
      outcome satisfies never;
  }
}

export interface CreateAgainDependencies extends ShowQueryDependencies {
  readonly store: SavedQueriesStore;
  readonly news: QueryNews;
  readonly remembered: RememberedQueries;
}

/**
 * Reports a deletion and offers to create the query again with a new ID. If the name is taken, a number is appended.
 */
export async function offerCreateAgain(
  deps: CreateAgainDependencies,
  { client, connection }: Connected,
  { query, wasFavourite }: { readonly query: SavedQuery; readonly wasFavourite: boolean },
): Promise<void> {
  const again = vscode.l10n.t('Create Again');
  const chosen = await showInformationMessage(vscode.l10n.t('"{0}" was deleted.', query.name), again);
  if (chosen !== again) return;
  const created = await createAgain(client, query, (name) => deps.store.hasName(name));
  deps.news.noteCreated(connection, created);
  if (wasFavourite && isHere(deps.session, connection)) deps.remembered.setFavourite(created.query_id, true);
  await showQuery(deps, connection, created);
}

async function createAgain(
  client: ServiceClient,
  query: SavedQuery,
  isTaken: (name: string) => boolean,
): Promise<SavedQuery> {
  const taken = new Set<string>();
  let { name } = query;
  for (;;) {
    try {
      return await client.savedQueries.create({
        name,
        query_string: query.query_string,
        model: query.model,
        ...(query.description ? { description: query.description } : {}),
      });
    } catch (error) {
      if (error instanceof ConflictError && error.isNameConflict) {
        taken.add(name);
        name = freeName(query.name, (candidate) => taken.has(candidate) || isTaken(candidate));
        continue;
      }
      if (!isUnanswered(error)) throw error;
      const found = await findByName(client, name, query.query_string);
      if (found !== undefined) return found;
      throw new ExpectedError(
        vscode.l10n.t(
          '"{0}" could not be created again: the service did not respond. Its text is kept in the local versions. Check the view before you retry.',
          name,
        ),
        [],
        { cause: error },
      );
    }
  }
}

/** Returns the query if it was created by a request that got no response. */
async function findByName(
  client: ServiceClient,
  name: string,
  text: string,
): Promise<SavedQuery | undefined> {
  try {
    for await (const listed of client.savedQueries.listSummaries({ onLeftOut: () => undefined })) {
      if (listed.name !== name) continue;
      const query = await client.savedQueries.get(listed.query_id);
      return isOnlyReshaped(text, query.query_string) ? query : undefined;
    }
  } catch (error) {
    // A service without a list cannot be searched (assumption `saved-query-list`), so the outcome stays unknown.
    if (!isUnanswered(error) && !isNotOffered(error) && !isGone(error)) throw error;
  }
  return undefined;
}
