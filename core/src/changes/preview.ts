/** Previews a change: shows names instead of IDs, and targets that are already in the wanted state. */
import type { ServiceClient } from '#api/client/client.ts';
import { ApiError, ContractError } from '#api/client/errors.ts';
import { identityModel } from '#api/contract/tables.ts';
import { ownQuery } from '../policy/send-query.ts';
import { readRows } from '../runs/rows-in-memory.ts';
import { targetIdOf, type Operation } from './change.ts';

export interface PreviewedTarget {
  readonly operation: Operation;
  /** Names if the service has them, otherwise IDs. */
  readonly label: string;
  /** Whether the service's data already shows the effect of the change. */
  readonly isDone: boolean;
  /** Whether an account or assignment with these IDs exists; undefined if it cannot be looked up. */
  readonly isKnown: boolean | undefined;
}

/** Names by ID and kind; empty maps if the service provides none. */
interface Names {
  readonly accounts: ReadonlyMap<
    string,
    { readonly name: string; readonly enabled: boolean; readonly instance: string }
  >;
  readonly applications: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
  /** Pairs with an assignment, each in the form `entity application`. */
  readonly assigned: ReadonlySet<string>;
  /** Whether the lookups succeeded and returned all rows. */
  readonly isRead: boolean;
}

export async function previewTargets(
  client: ServiceClient,
  operations: readonly Operation[],
  signal?: AbortSignal,
): Promise<readonly PreviewedTarget[]> {
  const names = await readNames(client, operations, signal);
  const previews = operations.map((operation) => previewOf(operation, names));
  const counts = new Map<string, number>();
  for (const { label } of previews) counts.set(label, (counts.get(label) ?? 0) + 1);
  // The IDs tell apart targets with equal names.
  return previews.map((preview) =>
    (counts.get(preview.label) ?? 0) > 1
      ? { ...preview, label: `${preview.label} · ${targetIdOf(preview.operation)}` }
      : preview,
  );
}

function previewOf(operation: Operation, names: Names): PreviewedTarget {
  const { accounts, applications, groups, assigned, isRead } = names;
  const nameOf = (id: string) => accounts.get(id)?.name ?? groups.get(id) ?? applications.get(id) ?? id;
  /** Accounts of several applications may have the same name, so the application is named too, or else the ID. */
  const accountOf = (id: string) => {
    const account = accounts.get(id);
    return account === undefined
      ? nameOf(id)
      : `${account.name} · ${applications.get(account.instance) ?? id}`;
  };
  switch (operation.kind) {
    case 'disable-account': {
      const account = accounts.get(operation.account);
      return {
        operation,
        label: accountOf(operation.account),
        isDone: account?.enabled === false,
        isKnown: isRead ? account !== undefined : undefined,
      };
    }
    case 'remove-account-access':
    case 'remove-group-access': {
      const entity = operation.kind === 'remove-account-access' ? operation.account : operation.group;
      const isAssigned = assigned.has(`${entity} ${operation.application}`);
      return {
        operation,
        label: `${operation.kind === 'remove-account-access' ? accountOf(entity) : nameOf(entity)} → ${nameOf(operation.application)}`,
        isDone: isRead && !isAssigned,
        isKnown: isRead ? isAssigned : undefined,
      };
    }
    case 'add-member':
    case 'remove-member':
      return {
        operation,
        label: `${accountOf(operation.account)} → ${nameOf(operation.group)}`,
        isDone: false,
        isKnown: undefined,
      };
    default:
      return operation satisfies never;
  }
}

async function readNames(
  client: ServiceClient,
  operations: readonly Operation[],
  signal: AbortSignal | undefined,
): Promise<Names> {
  const ids = (pick: (operation: Operation) => string | undefined) => [
    ...new Set(operations.map(pick).filter((id) => id !== undefined)),
  ];
  const accountIds = ids((operation) => ('account' in operation ? operation.account : undefined));
  const groupIds = ids((operation) => ('group' in operation ? operation.group : undefined));
  const applicationIds = ids((operation) => ('application' in operation ? operation.application : undefined));
  let isWhole = true;
  const ask = async (sql: string, parameters: Readonly<Record<string, string[]>>) => {
    if (Object.values(parameters).some((list) => list.length === 0)) return [];
    const request = { query_string: sql, model: identityModel, parameters };
    const { rows, isComplete } = await readRows(client, ownQuery(), request, { signal });
    // An ID that is not found is reported as missing, which only all rows can tell.
    isWhole &&= isComplete;
    return rows;
  };
  try {
    const [accounts, instances, groups, assigned] = await Promise.all([
      ask('SELECT global_id, alias, display_name, enabled FROM accounts WHERE global_id = ANY (:ids)', {
        ids: accountIds,
      }),
      // A service may store the application elsewhere; the names do not depend on it.
      ask(
        "SELECT global_id, object_metadata ->> 'ApplicationInstanceId' FROM accounts WHERE global_id = ANY (:ids)",
        { ids: accountIds },
      ).catch((error: unknown) => {
        if (isRefused(error)) return [];
        throw error;
      }),
      ask(
        'SELECT DISTINCT global_entity_id, entity_id FROM entity_assigned_access_to_object WHERE global_entity_id = ANY (:ids)',
        { ids: groupIds },
      ),
      ask(
        'SELECT DISTINCT global_entity_id, global_assigned_object_id FROM entity_assigned_access_to_object WHERE global_entity_id = ANY (:entities) AND global_assigned_object_id = ANY (:applications)',
        { entities: [...accountIds, ...groupIds], applications: applicationIds },
      ),
    ]);
    const instanceOf = new Map(instances.map(([id, instance]) => [text(id), text(instance)]));
    const instanceIds = [...instanceOf.values()].filter((id) => id !== '');
    const applications = await ask(
      'SELECT global_affected_object_id, min(analytics_affected_object_name) FROM activities WHERE global_affected_object_id = ANY (:ids) GROUP BY 1',
      { ids: [...new Set([...applicationIds, ...instanceIds])] },
    );
    return {
      accounts: new Map(
        accounts.map(([id, alias, name, enabled]) => [
          text(id),
          {
            name: typeof name === 'string' && name !== '' ? `${name} (${text(alias)})` : text(alias),
            enabled: enabled !== false,
            instance: instanceOf.get(text(id)) ?? '',
          },
        ]),
      ),
      applications: new Map(
        applications.flatMap(([id, name]) => (typeof name === 'string' ? [[text(id), name]] : [])),
      ),
      groups: new Map(groups.map(([id, local]) => [text(id), text(local)])),
      assigned: new Set(assigned.map(([entity, application]) => `${text(entity)} ${text(application)}`)),
      isRead: isWhole,
    };
  } catch (error) {
    // Without names, the user sees the IDs and decides.
    if (!isRefused(error)) throw error;
    return {
      accounts: new Map(),
      applications: new Map(),
      groups: new Map(),
      assigned: new Set(),
      isRead: false,
    };
  }
}

/** Returns whether the service did not answer a query as expected. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError || error instanceof ContractError;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
