/** Changes to the current record: those that its kind supports, with the IDs that it provides. */
import * as vscode from 'vscode';
import type { ServiceClient } from '#api/client/client.ts';
import type { CollectionId } from '#api/contract/tables.ts';
import { namingFailure } from '#client/ui/naming-failure.ts';
import { showQuickPick } from '#client/ui/shown/quick-picks.ts';
import { offersForAssignment } from '#core/changes/assignment-offers.ts';
import { isMembershipKind, type Operation, type OperationKind } from '#core/changes/change.ts';
import { ExpectedError } from '#core/failures/failure.ts';
import { parseOperations, type IdName } from './ask-operations.ts';
import { operationWords } from './change-labels.ts';
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
