/** Who may sign in: the client of the command line, and two with fewer rights to try that. They share its secret. */
import type { ScopeName } from '../../api/contract/token.ts';

export const readerId = 'sandbox-reader';
export const noScopesId = 'sandbox-no-scopes';

export interface Client {
  readonly id: string;
  readonly scopes: ReadonlySet<ScopeName>;
}

/** @param mainId the client that may do everything, whatever it is called. */
export function clientsOf(mainId: string): readonly Client[] {
  return [
    { id: mainId, scopes: new Set<ScopeName>(['read', 'write']) },
    { id: readerId, scopes: new Set<ScopeName>(['read']) },
    { id: noScopesId, scopes: new Set<ScopeName>() },
  ];
}
