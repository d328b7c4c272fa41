/** Changes to the current record: those that its kind supports, with the IDs that it provides. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import { identityModel, type CollectionId } from '#api/contract/tables.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { assignedObjectOf } from '#core/changes/assigned-object.ts';
import { isMembershipKind, type Operation, type OperationKind } from '#core/changes/change.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { ownQuery } from '#core/policy/send-query.ts';
import { readRows } from '#core/runs/rows-in-memory.ts';
import { parseOperations, type IdName } from './ask-operations.ts';
import { operationWords } from './change-words.ts';
import { chooseId } from './choose-id.ts';

interface Offer {
  readonly kind: OperationKind;
  readonly ids: Readonly<Partial<Record<IdName, string>>>;
  /** The ID that the user still has to choose. */
  readonly missing?: Exclude<IdName, 'account'>;
}

/** Returns undefined if the user cancels. @throws ExpectedError if the record supports no changes. */
export async function changeOfRecord(
  client: ServiceClient,
  record: { readonly collection: CollectionId; readonly globalId: string },
  options: { readonly hasMemberships: boolean },
): Promise<{ readonly kind: OperationKind; readonly operations: readonly Operation[] } | undefined> {
  const all = await namingFailure(
    (reason) => vscode.l10n.t('The changes to this record could not be determined: {0}', reason),
    () => offersFor(client, record),
  );
  const offers = all.filter(({ kind }) => options.hasMemberships || !isMembershipKind(kind));
  if (offers.length === 0) {
    throw new ExpectedError(
      vscode.l10n.t(
        'You can change only accounts and the access of accounts and groups. Open the account or the access assignment.',
      ),
    );
  }
  const items = offers.map((offer) => ({
    label: operationWords(offer.kind).title,
    detail: operationWords(offer.kind).effect,
    offer,
  }));
  const chosen = await showQuickPick(items, {
    title: vscode.l10n.t('Change This Record'),
    matchOnDetail: true,
  });
  if (chosen === undefined) return undefined;
  const { kind, ids, missing } = chosen.offer;
  if (missing === undefined) return { kind, operations: parseOperations(kind, ids) ?? [] };
  const id = await chooseId(client, kind, { name: missing, account: ids.account ?? '' });
  return id === undefined
    ? undefined
    : { kind, operations: parseOperations(kind, { ...ids, [missing]: id }) ?? [] };
}

async function offersFor(
  client: ServiceClient,
  { collection, globalId }: { readonly collection: CollectionId; readonly globalId: string },
): Promise<readonly Offer[]> {
  switch (collection) {
    case 'accounts': {
      const ids = { account: globalId };
      return [
        { kind: 'disable-account', ids },
        { kind: 'remove-account-access', ids, missing: 'application' },
        { kind: 'remove-member', ids, missing: 'group' },
        { kind: 'add-member', ids, missing: 'group' },
      ];
    }
    case 'accessAssignments':
      return await offersForAssignment(client, globalId);
    default:
      return [];
  }
}

/** The list of types is open-ended, so words in the type's name decide what is offered, and the user what is done. */
async function offersForAssignment(client: ServiceClient, globalId: string): Promise<readonly Offer[]> {
  const { rows } = await readRows(client, ownQuery(), {
    query_string:
      'SELECT global_entity_id, entity_type, global_assigned_object_id, assigned_object_type, global_assigned_object_type FROM entity_assigned_access_to_object WHERE global_id = :id LIMIT 1',
    model: identityModel,
    parameters: { id: globalId },
  });
  const [entity, entityType, object, ...objectTypes] = (rows[0] ?? []).map(String);
  if (entity === undefined || object === undefined || entityType === undefined) return [];
  const kind = assignedObjectOf(objectTypes);
  const isAccount = /account/i.test(entityType);
  if (kind === 'group')
    return isAccount ? [{ kind: 'remove-member', ids: { account: entity, group: object } }] : [];
  if (kind === undefined) return [];
  return isAccount
    ? [{ kind: 'remove-account-access', ids: { account: entity, application: object } }]
    : [{ kind: 'remove-group-access', ids: { group: entity, application: object } }];
}
