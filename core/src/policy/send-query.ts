/**
 * The only path to the service's execute endpoint: without a permit nothing is sent. A permit comes from the gate
 * (may-run.ts), or from a query of this program that contains no user text.
 */
import type { ExecuteOptions, RunRequest, ServiceClient } from '../../../api/client/client.ts';
import type { QueryPage } from '../../../api/client/query-page.ts';
import type { PackedPage, PageScanner } from '../rows/scan/page-scanner.ts';
import type { Permission } from './may-run.ts';

declare const permitted: unique symbol;

/** Created only by `permit` and `ownQuery`. */
export interface Permit {
  readonly [permitted]: true;
  readonly reason: 'proven' | 'allowed' | 'confirmed' | 'own';
}

/** The gate did not permit it. */
export class NotPermittedError extends Error {
  constructor() {
    super('This query was not sent: the gate did not let it through.');
    this.name = 'NotPermittedError';
  }
}

/**
 * @param confirmation `confirmed`: the person agreed to the gate's question.
 * @throws NotPermittedError if refused, or if the question was not confirmed.
 */
export function permit(permission: Permission, confirmation: 'confirmed' | 'not-asked'): Permit {
  switch (permission.kind) {
    case 'go':
      return make(permission.isProven ? 'proven' : 'allowed');
    case 'ask':
      if (confirmation === 'confirmed') return make('confirmed');
      throw new NotPermittedError();
    case 'refuse':
      throw new NotPermittedError();
    default:
      return permission satisfies never;
  }
}

/** For this program's own queries: constant read-only texts with bound parameters. */
export function ownQuery(): Permit {
  return make('own');
}

/** One page. @throws the same errors as `ServiceClient.queries.execute`. */
export function sendQuery(
  client: Pick<ServiceClient, 'queries'>,
  given: Permit,
  request: RunRequest,
  options?: ExecuteOptions,
): Promise<QueryPage> {
  return client.queries.execute(request, { ...options, ...repetition(given) });
}

/** One page, packed if its shape allows. @throws the same errors as `ServiceClient.queries.execute`. */
export function sendQueryPacked(
  client: Pick<ServiceClient, 'queries'>,
  given: Permit,
  call: { readonly request: RunRequest; readonly scanner: PageScanner; readonly options?: ExecuteOptions },
): Promise<QueryPage | PackedPage> {
  return client.queries.executeBytes(call.request, call.scanner, { ...call.options, ...repetition(given) });
}

/** Every page, first to last. @throws the same errors as `ServiceClient.queries.pages`. */
export function sendQueryPages(
  client: Pick<ServiceClient, 'queries'>,
  given: Permit,
  ...[request, options]: Parameters<ServiceClient['queries']['pages']>
): ReturnType<ServiceClient['queries']['pages']> {
  return client.queries.pages(request, { ...options, ...repetition(given) });
}

/** A query that is not proven to only read is sent once: a second time might change something twice. */
function repetition({ reason }: Permit): Pick<ExecuteOptions, 'isRepeatable'> {
  return reason === 'proven' || reason === 'own' ? {} : { isRepeatable: false };
}

function make(reason: Permit['reason']): Permit {
  return { reason } as Permit; // the symbol is for the compiler only
}
