/**
 * The only path to the service's execute endpoint; nothing is sent without a permit. The gate (may-run.ts) decides on
 * permits for user queries. This program's own queries, which contain no user input, always have one.
 */
import type { ExecuteOptions, RunRequest, ServiceClient } from '#api/client/client.ts';
import type { QueryPage } from '#api/client/query-page.ts';
import type { PackedPage, PageScanner } from '../rows/scan/page-scanner.ts';
import type { Permission } from './may-run.ts';

declare const permitted: unique symbol;

/** Created only by `permit` and `ownQuery`. */
export interface Permit {
  readonly [permitted]: true;
  readonly reason: 'proven' | 'allowed' | 'confirmed' | 'own';
}

/** Thrown if the gate did not permit the query. */
export class NotPermittedError extends Error {
  constructor() {
    super('This query was not sent: the gate did not let it through.');
    this.name = 'NotPermittedError';
  }
}

/**
 * Converts the gate's decision into a permit.
 * @param confirmation `confirmed` if the user confirmed the gate's question.
 * @throws NotPermittedError if the query was refused, or if the question was not confirmed.
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

/** Returns a permit for this program's own queries, which are constant, read-only SQL with bound parameters. */
export function ownQuery(): Permit {
  return make('own');
}

/** Requests one page. @throws the errors of `ServiceClient.queries.execute`. */
export async function sendQuery(
  client: Pick<ServiceClient, 'queries'>,
  given: Permit,
  request: RunRequest,
  options?: ExecuteOptions,
): Promise<QueryPage> {
  const sent = await asSent(client, request);
  return await client.queries.execute(sent, { ...options, ...repetition(given) });
}

/** Requests one page, packed if its shape allows. @throws the errors of `ServiceClient.queries.execute`. */
export async function sendQueryPacked(
  client: Pick<ServiceClient, 'queries'>,
  given: Permit,
  {
    request,
    scanner,
    options,
  }: { readonly request: RunRequest; readonly scanner: PageScanner; readonly options?: ExecuteOptions },
): Promise<QueryPage | PackedPage> {
  const sent = await asSent(client, request);
  return await client.queries.executeBytes(sent, scanner, { ...options, ...repetition(given) });
}

/** A person's query has its values in its text already (`buildRequest`), with their types and positions. */
async function asSent(
  { queries: { values } }: Pick<ServiceClient, 'queries'>,
  request: RunRequest,
): Promise<RunRequest> {
  if (values !== 'literals' || Object.keys(request.parameters ?? {}).length === 0) return request;
  const { withValuesInText } = await import('../parameters/values-in-text.ts');
  return withValuesInText(request);
}

/** A query that is not proven read-only is never retried, because a retry could apply a change twice. */
function repetition({ reason }: Permit): Pick<ExecuteOptions, 'isRepeatable'> {
  return reason === 'proven' || reason === 'own' ? {} : { isRepeatable: false };
}

function make(reason: Permit['reason']): Permit {
  return { reason } as Permit; // the symbol exists only for the compiler
}
