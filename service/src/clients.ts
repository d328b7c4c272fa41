/** Clients that may sign in: the command line, plus two with fewer permissions for testing. All share one secret. */
import type { ScopeName } from '#api/contract/token.ts';

export const readerId = 'sandbox-reader';
export const noScopesId = 'sandbox-no-scopes';

export interface Client {
  readonly id: string;
  readonly scopes: ReadonlySet<ScopeName>;
}

/** @param mainId ID of the client with all permissions. */
export function clientsOf(mainId: string): readonly Client[] {
  return [
    { id: mainId, scopes: new Set<ScopeName>(['read', 'write']) },
    { id: readerId, scopes: new Set<ScopeName>(['read']) },
    { id: noScopesId, scopes: new Set<ScopeName>() },
  ];
}
