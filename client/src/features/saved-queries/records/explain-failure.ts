/**
 * Explains failures that concern a single saved query: it was deleted, or the service does not support the operation.
 */
import * as vscode from 'vscode';
import { NotFoundError, NotOfferedError, RejectedError, ServerFaultError } from '#api/client/errors.ts';
import { commands } from '#client/contributions.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { isGone } from '#core/saved-queries/is-gone.ts';
import type { QueryNews } from './query-news.ts';

/** Returns whether the service lacks this operation (assumptions `update` and `delete`). */
export function isNotOffered(error: unknown): boolean {
  return (
    (error instanceof NotFoundError && !isGone(error)) ||
    error instanceof NotOfferedError ||
    (error instanceof RejectedError && error.status === 405) ||
    (error instanceof ServerFaultError && error.status === 501)
  );
}

/**
 * Runs an action on one of the service's queries.
 * @param tried message if the service lacks the operation; by default, the failure's own.
 * @throws ExpectedError if the query no longer exists (this also updates the view), or if the operation is missing.
 */
export async function withQuery<Result>(
  target: {
    readonly news: QueryNews;
    readonly connection: string;
    readonly queryId: string;
    readonly tried?: string;
    /** The query's name, if it is not in the list. */
    readonly name?: string;
  },
  work: () => Promise<Result>,
): Promise<Result> {
  const { news, connection, queryId, tried } = target;
  try {
    return await work();
  } catch (error) {
    if (isGone(error)) {
      const name = news.nameOf(queryId) ?? target.name;
      news.noteGone(connection, queryId);
      const message =
        name === undefined
          ? vscode.l10n.t(
              'This service has no saved query {0}. Check the ID, and whether it belongs to another service.',
              queryId,
            )
          : vscode.l10n.t('The saved query "{0}" was deleted. Its local versions are kept.', name);
      throw new ExpectedError(message, [], { cause: error });
    }
    if (tried !== undefined && isNotOffered(error)) {
      throw new ExpectedError(tried, [{ title: vscode.l10n.t('Show Log'), command: commands.logShow }], {
        cause: error,
      });
    }
    throw error;
  }
}
