/** The changes to an access assignment: removing the access that it gives, from what it gives it to. */
import type { ServiceClient } from '#api/client/client.ts';
import { readRecord } from '../records/find-record.ts';
import { assignedObjectOf } from './assigned-object.ts';
import type { OperationKind } from './change.ts';

export interface AssignmentOffer {
  readonly kind: OperationKind;
  readonly ids: Readonly<Partial<Record<'account' | 'group' | 'application', string>>>;
}

/**
 * The list of types is open-ended, so words in a type's name decide what is offered, and the user what is done. A table
 * need not have every column of the specification.
 * @throws ApiError, ContractError if the service cannot be queried.
 */
export async function offersForAssignment(
  client: ServiceClient,
  globalId: string,
): Promise<readonly AssignmentOffer[]> {
  const record = (await readRecord(client, 'accessAssignments', globalId))?.record ?? {};
  const textOf = (name: string) => {
    const value = record[name];
    return typeof value === 'string' ? value : '';
  };
  const [entity, object] = [textOf('globalEntityId'), textOf('globalAssignedObjectId')];
  if (entity === '' || object === '') return [];
  const kind = assignedObjectOf([textOf('assignedObjectType'), textOf('globalAssignedObjectType')]);
  const entityType = `${textOf('entityType')} ${textOf('globalEntityType')}`;
  const isAccount = /account/i.test(entityType);
  // What may be either, or neither, is not changed as one of them.
  if (kind === undefined || isAccount === /group/i.test(entityType)) return [];
  if (kind === 'group')
    return isAccount ? [{ kind: 'remove-member', ids: { account: entity, group: object } }] : [];
  return isAccount
    ? [{ kind: 'remove-account-access', ids: { account: entity, application: object } }]
    : [{ kind: 'remove-group-access', ids: { group: entity, application: object } }];
}
