/** Implements changes with the API client: sends them, looks for their effect in the service's data, and reads jobs. */
import type { ServiceClient } from '#api/client/client.ts';
import { NotFoundError, NotOfferedError, RejectedError } from '#api/client/errors.ts';
import { scalarText } from '#api/client/json.ts';
import { identityModel } from '#api/contract/tables.ts';
import { ownQuery, sendQuery } from '../policy/send-query.ts';
import type { ChangeService } from './change-run.ts';
import type { Operation } from './change.ts';
import { jobView } from './job-view.ts';

export function createChangeService(client: ServiceClient): ChangeService {
  return {
    async send(operation, signal) {
      const { jobId } = await sendOperation(client, operation, signal);
      return { jobId };
    },
    isShown: (operation, signal) => isShown(client, operation, signal),
    async job(jobId, signal) {
      try {
        return jobView(await client.jobs.read(jobId, { signal }));
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },
  };
}

function sendOperation(client: ServiceClient, operation: Operation, signal: AbortSignal) {
  // Rate limit errors are thrown to the caller, which stores the state, shows the pause and can be stopped while it
  // waits.
  const options = { signal, throwsRateLimit: true };
  switch (operation.kind) {
    case 'disable-account':
      return client.accounts.disable(operation.account, options);
    case 'remove-account-access':
      return client.assignedApplications.removeAccount(operation.application, operation.account, options);
    case 'remove-group-access':
      return client.assignedApplications.removeGroup(operation.application, operation.group, options);
    case 'add-member':
      return client.groups.addMember(operation.group, operation.account, options);
    case 'remove-member':
      return client.groups.removeMember(operation.group, operation.account, options);
    default:
      return operation satisfies never;
  }
}

/**
 * Returns whether the tables of the identity model show the change: a removed assignment is gone, an added membership
 * exists.
 */
async function isShown(
  client: ServiceClient,
  operation: Operation,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  switch (operation.kind) {
    case 'disable-account': {
      const rows = await select(
        client,
        'SELECT enabled FROM accounts WHERE global_id = :account',
        { account: operation.account },
        signal,
      );
      const enabled = rows?.[0]?.[0];
      return typeof enabled === 'boolean' ? !enabled : undefined;
    }
    case 'remove-account-access':
      return not(await isAssigned(client, operation.account, operation.application, signal));
    case 'remove-group-access':
      return not(await isAssigned(client, operation.group, operation.application, signal));
    case 'add-member':
      return await isAssigned(client, operation.account, operation.group, signal);
    case 'remove-member':
      return not(await isAssigned(client, operation.account, operation.group, signal));
    default:
      return operation satisfies never;
  }
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

async function isAssigned(
  client: ServiceClient,
  entity: string,
  object: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const rows = await select(
    client,
    'SELECT count(*) FROM entity_assigned_access_to_object WHERE global_entity_id = :entity AND global_assigned_object_id = :object',
    { entity, object },
    signal,
  );
  const value = rows?.[0]?.[0];
  const count = typeof value === 'string' ? value : (scalarText(value) ?? '');
  return /^\d+$/.test(count) ? Number(count) > 0 : undefined;
}

/** Runs a query; undefined if the service does not have these tables. */
async function select(
  client: ServiceClient,
  sql: string,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
) {
  try {
    const page = await sendQuery(
      client,
      ownQuery(),
      { query_string: sql, model: identityModel, parameters },
      { signal },
    );
    return page.rows;
  } catch (error) {
    const hasNoTables =
      error instanceof RejectedError || error instanceof NotFoundError || error instanceof NotOfferedError;
    if (hasNoTables) return undefined;
    throw error;
  }
}
