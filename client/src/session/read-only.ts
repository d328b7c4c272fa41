/** What a connection without the write scope cannot do, said before anything is read or asked. */
import * as vscode from 'vscode';
import type { MissingScope } from '#api/client/requests/token.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import type { Session } from './session.ts';
import { isWriteGranted } from './write-scope.ts';

export function readOnlyWords(withoutWrite: MissingScope): string {
  return withoutWrite === 'refused'
    ? vscode.l10n.t('Read-only: the token endpoint refused the write scope. Nothing can be saved or changed.')
    : vscode.l10n.t(
        'Read-only: the connection requests only the read scope. Nothing can be saved or changed.',
      );
}

/** Returns why nothing can be saved or changed; undefined if it can, as far as is known. */
export function readOnlyReason({ state }: Pick<Session, 'state'>): string | undefined {
  return state.kind === 'connected' && state.withoutWrite !== undefined
    ? readOnlyWords(state.withoutWrite)
    : undefined;
}

/**
 * Asks again for a scope that was refused.
 * @throws ExpectedError if nothing can be saved or changed; ApiError, ContractError if the token endpoint does not answer.
 */
export async function requireWritable({ state }: Pick<Session, 'state'>): Promise<void> {
  if (state.kind !== 'connected' || state.withoutWrite === undefined) return;
  const isGranted = await isWriteGranted(state.client, state.withoutWrite);
  if (!isGranted) throw new ExpectedError(readOnlyWords(state.withoutWrite));
}
