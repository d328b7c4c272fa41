/** Assumptions about lists and their records. */
import { accountEnumerations } from '../../contract/records/accounts.ts';
import { memberOf } from './asking.ts';
import type { ProbeContext } from './context.ts';
import { differs, holds, unknown, type Found } from './finding.ts';
import { firstItem, isUntold, itemsOf, statusSeen } from './told.ts';

export async function pageTokens({ ask }: ProbeContext): Promise<Found> {
  const path = '/v1/accounts';
  const first = await ask.get(path, { pageSize: 1 });
  const one = memberOf(first.body, 'nextPageToken');
  if (typeof one !== 'string') return unknown({ kind: 'nothing-there', request: first.request });
  const second = await ask.get(path, { pageSize: 1, pageToken: one });
  const two = memberOf(second.body, 'nextPageToken');
  if (typeof two !== 'string') return unknown({ kind: 'nothing-there', request: second.request });
  return one === two ? differs({ kind: 'same-token', request: second.request }) : holds;
}

export async function oneSidedWindow({ ask }: ProbeContext): Promise<Found> {
  const from = new Date(Date.now() - dayMs).toISOString();
  const told = await ask.get('/v1/activities', { pageSize: 1, from });
  if (itemsOf(told) !== undefined) return holds;
  return isUntold(told) ? unknown(statusSeen(told)) : differs(statusSeen(told));
}

const dayMs = 86_400_000;

export async function otherIds({ ask }: ProbeContext): Promise<Found> {
  const path = '/v1/entity-assigned-access-to-object';
  const told = await ask.get(path, { pageSize: 1 });
  if (itemsOf(told) === undefined) return unknown(statusSeen(told));
  const { request } = told;
  const first = await firstItem(ask, path, told);
  if (first === undefined) return unknown({ kind: 'nothing-there', request });
  const member = ['globalAssignedObjectId', 'globalEntityId'].find((name) => !isText(memberOf(first, name)));
  return member === undefined ? holds : differs({ kind: 'member', request, member });
}

export async function principals(context: ProbeContext): Promise<Found> {
  const isKnown = (value: unknown) => {
    const type = memberOf(value, 'type');
    return type === 'user' || type === 'service_client';
  };
  return await firstHas(context, '/v1/query/saved-queries', {
    name: 'created_by',
    kind: 'value',
    is: isKnown,
  });
}

export async function dataClassifications(context: ProbeContext): Promise<Found> {
  const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
  const name = 'enrichedDataClassifications';
  return await firstHas(context, '/v1/accounts', { name, kind: 'member', is: isTexts });
}

export async function openWords(context: ProbeContext): Promise<Found> {
  const isKnown = (value: unknown) => accountEnumerations.type.some((word) => word === value);
  return await firstHas(context, '/v1/accounts', { name: 'type', kind: 'value', is: isKnown });
}

/** @param expected.kind what differs if `is` returns false: the member's type, or its value. */
async function firstHas(
  { ask }: ProbeContext,
  path: string,
  expected: {
    readonly name: string;
    readonly kind: 'member' | 'value';
    readonly is: (value: unknown) => boolean;
  },
): Promise<Found> {
  const told = await ask.get(path, { pageSize: 1 });
  const { request } = told;
  if (itemsOf(told) === undefined) return unknown(statusSeen(told));
  const { name, kind, is } = expected;
  const value = memberOf(await firstItem(ask, path, told), name);
  // A member that is absent shows nothing: most are optional.
  if (value === undefined) return unknown({ kind: 'nothing-there', request });
  return is(value) ? holds : differs({ kind, request, member: name });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
