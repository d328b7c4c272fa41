/** Whether a connection may write, where the token endpoint refused the scope some time ago. */
import type { ServiceClient } from '#api/client/client.ts';
import { AuthError } from '#api/client/errors.ts';
import type { MissingScope } from '#api/client/requests/token.ts';

/**
 * Asks once more for a scope that was refused, since that may have been corrected; the client does so once a minute.
 * @throws ApiError, ContractError if the token endpoint does not answer.
 */
export async function isWriteGranted(
  client: Pick<ServiceClient, 'requireScope'>,
  withoutWrite: MissingScope | undefined,
): Promise<boolean> {
  if (withoutWrite !== 'refused') return withoutWrite === undefined;
  try {
    await client.requireScope('write');
    return true;
  } catch (error) {
    if (error instanceof AuthError && error.at === 'forbidden') return false;
    throw error;
  }
}
