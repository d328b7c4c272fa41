/** Reads what a change of an account could be about: its applications, or groups. */
import type { ServiceClient } from '#api/client/client.ts';
import { ApiError, ContractError } from '#api/client/errors.ts';
import { identityModel } from '#api/contract/tables.ts';
import { ownQuery } from '../policy/send-query.ts';
import { readRows } from '../runs/rows-in-memory.ts';
import type { OperationKind } from './change.ts';

export interface Candidate {
  readonly id: string;
  readonly name: string;
  /** The service's name for the type, such as UserGroup. */
  readonly type: string;
}

const candidatesMax = 500;

/** Selects the applications that an account can access, with their names from activities. */
const assignedQuery = `SELECT a.id, coalesce(names.name, a.local) AS name, a.type
FROM (
  SELECT global_assigned_object_id AS id, min(assigned_object_id) AS local, min(assigned_object_type) AS type
  FROM entity_assigned_access_to_object WHERE global_entity_id = :account GROUP BY 1
) AS a
LEFT JOIN (
  SELECT global_affected_object_id AS id, min(analytics_affected_object_name) AS name FROM activities GROUP BY 1
) AS names ON names.id = a.id
ORDER BY 2
LIMIT ${candidatesMax}`;

/** Selects the entities other than accounts that have their own access. */
const groupsQuery = `SELECT global_entity_id, min(entity_id), min(entity_type)
FROM entity_assigned_access_to_object WHERE entity_type <> 'Account'
GROUP BY 1
ORDER BY 2
LIMIT ${candidatesMax}`;

/** Returns none if these tables are missing, or if the signal aborts first: the user can still type an ID. */
export async function readCandidates(
  client: Pick<ServiceClient, 'queries'>,
  kind: OperationKind,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
): Promise<readonly Candidate[]> {
  const isGroups = kind === 'add-member';
  const request = {
    query_string: isGroups ? groupsQuery : assignedQuery,
    model: identityModel,
    ...(isGroups ? {} : { parameters: { account } }),
  };
  try {
    const { rows } = await readRows(client, ownQuery(), request, { signal });
    return rows.flatMap(([id, name, type]) =>
      typeof id === 'string'
        ? [{ id, name: typeof name === 'string' ? name : id, type: typeof type === 'string' ? type : '' }]
        : [],
    );
  } catch (error) {
    if (signal.aborted || error instanceof ApiError || error instanceof ContractError) return [];
    throw error;
  }
}
